package io.bloomgate.blocklists.index;

/**
 * Takes what the filter in front of a {@link NetworkIndex} must hold, each key once. Written by the
 * snapshot builder: one that counts, one that hashes. Addresses come as the 128 bits of {@link
 * io.bloomgate.config.name.IpAddress}.
 */
public interface FilterKeys {

  /** A listed host. */
  void host(long high, long low);

  /** A network that stands for the listed networks inside it. */
  void pivot(long high, long low, int length);
}
