package io.bloomgate.blocklists.key;

/**
 * A network: an address whose host bits are zero, and a length in bits of its own family (0 to 32,
 * or 0 to 128). Immutable.
 */
public record IpPrefix(IpAddress network, int length) {

  /** The network of that length around an address; host bits are masked. */
  public static IpPrefix around(IpAddress address, int length) {
    throw new UnsupportedOperationException();
  }

  /** The address itself as a network (/32 or /128). */
  public static IpPrefix host(IpAddress address) {
    return new IpPrefix(address, address.isV4() ? 32 : 128);
  }

  /**
   * Reads {@code ADDRESS} or {@code ADDRESS/LENGTH}. Host bits are masked and reported as the
   * warning. {@code ::ffff:a.b.c.d/96+n} becomes IPv4 /n; a mapped network wider than /96 is
   * refused.
   */
  public static Parsed<IpPrefix> parse(String text) {
    throw new UnsupportedOperationException();
  }

  /** True for a network of IPv4. */
  public boolean isV4() {
    return network.isV4();
  }

  /** True when the address lies inside. */
  public boolean contains(IpAddress address) {
    throw new UnsupportedOperationException();
  }

  /** True when one of the two lies inside the other, or both are equal. */
  public boolean overlaps(IpPrefix other) {
    throw new UnsupportedOperationException();
  }

  /** Canonical text: a single address without its length, else {@code NETWORK/LENGTH}. */
  @Override
  public String toString() {
    throw new UnsupportedOperationException();
  }
}
