package io.bloomgate.blocklists.key;

import java.net.InetAddress;

/**
 * An IPv4 or IPv6 address as 128 bits; IPv4 lives in {@code ::ffff:0:0/96}, so a mapped address and
 * its IPv4 form are one value (contract, section 3). Immutable.
 */
public record IpAddress(long high, long low) {

  /** The IPv4 address with these bits. */
  public static IpAddress ofV4(int bits) {
    return new IpAddress(0, 0xffff_0000_0000L | (bits & 0xffff_ffffL));
  }

  /** The address of a socket; a zone id is dropped. */
  public static IpAddress of(InetAddress address) {
    throw new UnsupportedOperationException();
  }

  /**
   * Reads an address strictly: dotted quad of decimal octets without leading zeros, or RFC 4291
   * section 2.2 text. No zone id, port, brackets, hexadecimal, short or integer form, no white
   * space.
   */
  public static Parsed<IpAddress> parse(String text) {
    throw new UnsupportedOperationException();
  }

  /** True for IPv4, mapped addresses included. */
  public boolean isV4() {
    return high == 0 && (low >>> 32) == 0xffffL;
  }

  /** The 32 bits of an IPv4 address; meaningless for others. */
  public int v4Bits() {
    return (int) low;
  }

  /** Canonical text: dotted quad, or RFC 5952. */
  @Override
  public String toString() {
    throw new UnsupportedOperationException();
  }
}
