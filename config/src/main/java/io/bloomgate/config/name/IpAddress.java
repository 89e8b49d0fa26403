package io.bloomgate.config.name;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import com.google.common.net.InetAddresses;
import java.math.BigInteger;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.nio.ByteBuffer;

/**
 * An IPv4 or IPv6 address as 128 bits; IPv4 lives in {@code ::ffff:0:0/96}, so a mapped address and
 * its IPv4 form are one value (rules of decision in gateway/README.md). Immutable.
 *
 * <p>Texts are read strictly, as ASCII octets so that feeds of IPv4 make no strings; IPv6 is
 * Guava's, which is strict too. Library parsers disagree on {@code 010.1.1.1}, {@code 1.2.3},
 * {@code 0x7f.1} and {@code 2130706433}; a list that is read one way and asked another would miss
 * or invent listings, so all of these are refused here.
 */
public record IpAddress(long high, long low) implements ListKey, Comparable<IpAddress> {

  /** Longest text of an IPv6 address: eight groups, the last two as a dotted quad. */
  private static final int MAX_OCTETS = 45;

  /** Result of {@link #v4} for what is no dotted quad. */
  static final long NOT_V4 = -1;

  private static final String NOT_AN_ADDRESS = "not an IP address";

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
    byte[] octets = text.getBytes(ISO_8859_1);
    return parse(octets, 0, octets.length);
  }

  /**
   * The same for the octets {@code from} to {@code to} (exclusive) of a line. The reason of a
   * refusal says what a person would call the mistake.
   */
  public static Parsed<IpAddress> parse(byte[] text, int from, int to) {
    if (to - from > MAX_OCTETS) {
      return Parsed.bad(NOT_AN_ADDRESS);
    }
    long bits = v4(text, from, to);
    if (bits != NOT_V4) {
      return Parsed.ok(ofV4((int) bits));
    }
    boolean colon = false;
    for (int i = from; i < to; i++) {
      if (text[i] == '%') {
        return Parsed.bad("zone id in an address");
      }
      colon |= text[i] == ':';
    }
    return colon
        ? v6(new String(text, from, to - from, ISO_8859_1))
        : Parsed.bad(whyNotV4(text, from, to));
  }

  /**
   * Reads a dotted quad: four decimal octets without leading zeros.
   *
   * @return the 32 bits, or {@link #NOT_V4}
   */
  static long v4(byte[] text, int from, int to) {
    long bits = 0;
    int at = from;
    for (int octet = 0; octet < 4; octet++) {
      if (octet > 0 && (at >= to || text[at++] != '.')) {
        return NOT_V4;
      }
      int start = at;
      int value = 0;
      while (at < to && isDigit(text[at]) && at - start < 3) {
        value = value * 10 + (text[at++] - '0');
      }
      int digits = at - start;
      if (digits == 0 || value > 255 || (digits > 1 && text[start] == '0')) {
        return NOT_V4;
      }
      bits = (bits << 8) | value;
    }
    return at == to ? bits : NOT_V4;
  }

  private static String whyNotV4(byte[] text, int from, int to) {
    boolean leadingZero = false;
    for (int i = from; i < to; i++) {
      if (!isDigit(text[i]) && text[i] != '.') {
        return NOT_AN_ADDRESS;
      }
      boolean starts = i == from || text[i - 1] == '.';
      leadingZero |= starts && text[i] == '0' && i + 1 < to && isDigit(text[i + 1]);
    }
    return leadingZero ? "octet with a leading zero" : "not four octets from 0 to 255";
  }

  /** RFC 4291 section 2.2: groups of hexadecimal, one {@code ::}, a dotted quad at the end. */
  private static Parsed<IpAddress> v6(String text) {
    return InetAddresses.isInetAddress(text)
        ? Parsed.ok(of(InetAddresses.forString(text)))
        : Parsed.bad(NOT_AN_ADDRESS);
  }

  private static boolean isDigit(byte octet) {
    return octet >= '0' && octet <= '9';
  }

  /** True for IPv4, mapped addresses included. */
  public boolean isV4() {
    return high == 0 && (low >>> 32) == 0xffffL;
  }

  /** The 32 bits of an IPv4 address; meaningless for others. */
  public int v4Bits() {
    return (int) low;
  }

  /**
   * The first 64 bits with its own first bit leftmost: the 32 bits of IPv4 are in the upper half,
   * so that prefix lengths mean the same in both families.
   */
  public long first() {
    return isV4() ? (long) v4Bits() << 32 : high;
  }

  /** The bits behind {@link #first}; 0 for IPv4. */
  public long second() {
    return isV4() ? 0 : low;
  }

  /** The address that {@link #first} and {@link #second} were taken of. */
  public static IpAddress of(boolean v4, long first, long second) {
    return v4 ? ofV4((int) (first >>> 32)) : new IpAddress(first, second);
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
    int v4 = v4Bits();
    if (isV4()) {
      return (v4 >>> 24) + "." + (v4 >>> 16 & 0xff) + "." + (v4 >>> 8 & 0xff) + "." + (v4 & 0xff);
    }
    byte[] octets = ByteBuffer.allocate(2 * Long.BYTES).putLong(high).putLong(low).array();
    return InetAddresses.toAddrString(InetAddresses.fromIPv6BigInteger(new BigInteger(1, octets)));
  }
}
