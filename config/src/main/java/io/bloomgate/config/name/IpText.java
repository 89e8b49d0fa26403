package io.bloomgate.config.name;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import com.google.common.net.InetAddresses;
import java.math.BigInteger;
import java.nio.ByteBuffer;

/**
 * The one strict reader and writer of address texts, on ASCII octets so that feeds of IPv4 are read
 * without making strings; IPv6 is Guava's, which is strict too. Called by {@link IpAddress} and
 * {@link IpPrefix}, on any thread; pure.
 *
 * <p>Library parsers disagree on {@code 010.1.1.1}, {@code 1.2.3}, {@code 0x7f.1} and {@code
 * 2130706433}; a list that is read one way and asked another would miss or invent listings, so all
 * of these are refused here.
 */
final class IpText {

  /** Longest text of an IPv6 address: eight groups, the last two as a dotted quad. */
  static final int MAX_OCTETS = 45;

  /** Result of {@link #v4} for what is no dotted quad. */
  static final long NOT_V4 = -1;

  private static final String NOT_AN_ADDRESS = "not an IP address";

  private IpText() {}

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

  /** Reads either family; the reason of a refusal says what a person would call the mistake. */
  static Parsed<IpAddress> address(byte[] text, int from, int to) {
    if (to - from > MAX_OCTETS) {
      return Parsed.bad(NOT_AN_ADDRESS);
    }
    long bits = v4(text, from, to);
    if (bits != NOT_V4) {
      return Parsed.ok(IpAddress.ofV4((int) bits));
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
        ? Parsed.ok(IpAddress.of(InetAddresses.forString(text)))
        : Parsed.bad(NOT_AN_ADDRESS);
  }

  private static boolean isDigit(byte octet) {
    return octet >= '0' && octet <= '9';
  }

  /** Dotted quad, or the one text of RFC 5952 section 4. */
  static String text(IpAddress address) {
    int v4 = address.v4Bits();
    if (address.isV4()) {
      return (v4 >>> 24) + "." + (v4 >>> 16 & 0xff) + "." + (v4 >>> 8 & 0xff) + "." + (v4 & 0xff);
    }
    byte[] octets =
        ByteBuffer.allocate(2 * Long.BYTES).putLong(address.high()).putLong(address.low()).array();
    return InetAddresses.toAddrString(InetAddresses.fromIPv6BigInteger(new BigInteger(1, octets)));
  }
}
