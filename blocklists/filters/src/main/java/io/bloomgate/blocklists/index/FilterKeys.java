package io.bloomgate.blocklists.index;

/**
 * Takes what the filter in front of a {@link NetworkIndex} must hold, each key once. Given by the
 * snapshot builder: one that counts, one that hashes. Addresses come as the 128 bits of {@link
 * io.bloomgate.config.name.IpAddress}.
 */
@FunctionalInterface
public interface FilterKeys {

  /**
   * A listed host, or a network that stands for the listed networks inside it.
   *
   * @param length of the network in bits; of a host all bits of its family
   */
  void take(long high, long low, int length);
}
