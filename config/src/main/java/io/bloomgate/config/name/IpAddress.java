package io.bloomgate.config.name;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.nio.ByteBuffer;

/**
 * An IPv4 or IPv6 address as 128 bits; IPv4 lives in {@code ::ffff:0:0/96}, so a mapped address and
 * its IPv4 form are one value (rules of decision in gateway/README.md). Immutable.
 */
public record IpAddress(long high, long low) implements ListKey, Comparable<IpAddress> {

  /** The IPv4 address with these bits. */
  public static IpAddress ofV4(int bits) {
    return new IpAddress(0, 0xffff_0000_0000L | (bits & 0xffff_ffffL));
  }

  /** The address of a socket; a zone id is dropped. */
  public static IpAddress of(InetAddress address) {
    ByteBuffer octets = ByteBuffer.wrap(address.getAddress());
    return address instanceof Inet4Address
        ? ofV4(octets.getInt())
        : new IpAddress(octets.getLong(), octets.getLong());
  }

  /**
   * Reads an address strictly: dotted quad of decimal octets without leading zeros, or RFC 4291
   * section 2.2 text. No zone id, port, brackets, hexadecimal, short or integer form, no white
   * space.
   */
  public static Parsed<IpAddress> parse(String text) {
    // What is not Latin-1 becomes a question mark, which no address has.
    return parse(text.getBytes(ISO_8859_1));
  }

  private static Parsed<IpAddress> parse(byte[] text) {
    return IpText.address(text, 0, text.length);
  }

  /** The same for the octets {@code from} to {@code to} (exclusive) of a line. */
  public static Parsed<IpAddress> parse(byte[] text, int from, int to) {
    return IpText.address(text, from, to);
  }

  /** True for IPv4, mapped addresses included. */
  public boolean isV4() {
    return high == 0 && (low >>> 32) == 0xffffL;
  }

  /** The 32 bits of an IPv4 address; meaningless for others. */
  public int v4Bits() {
    return (int) low;
  }

  /** The next address; after the last of all comes the first. */
  public IpAddress next() {
    return new IpAddress(low + 1 == 0 ? high + 1 : high, low + 1);
  }

  /** Order of the unsigned 128 bits. */
  @Override
  public int compareTo(IpAddress other) {
    int byHigh = Long.compareUnsigned(high, other.high);
    return byHigh != 0 ? byHigh : Long.compareUnsigned(low, other.low);
  }

  /** Canonical text: dotted quad, or RFC 5952. */
  @Override
  public String toString() {
    return IpText.text(this);
  }
}
