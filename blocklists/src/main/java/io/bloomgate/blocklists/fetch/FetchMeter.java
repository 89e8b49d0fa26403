package io.bloomgate.blocklists.fetch;

/** Hears how far a download is. Called on the thread of the transfer, for every block that came. */
@FunctionalInterface
public interface FetchMeter {

  /** Nobody listens. */
  FetchMeter NONE = (octets, total) -> {};

  /**
   * Some octets have come.
   *
   * @param octets of the file in hand so far, as they come over the wire
   * @param total of that file as the server gives it, -1 when it does not
   */
  void taken(long octets, long total);
}
