package io.bloomgate.config.name;

/**
 * The one strict reader and writer of address texts, on ASCII octets so that feeds are read without
 * making strings. Called by {@link IpAddress} and {@link IpPrefix}, on any thread; pure.
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

  private static final int GROUPS = 8;
  private static final int MAX_GROUP_DIGITS = 4;
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
      return Parsed.ok(v4Address(bits));
    }
    boolean colon = false;
    for (int i = from; i < to; i++) {
      if (text[i] == '%') {
        return Parsed.bad("zone id in an address");
      }
      colon |= text[i] == ':';
    }
    return colon ? v6(text, from, to) : Parsed.bad(whyNotV4(text, from, to));
  }

  private static IpAddress v4Address(long bits) {
    return IpAddress.ofV4((int) bits);
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
  private static Parsed<IpAddress> v6(byte[] text, int from, int to) {
    int[] groups = new int[GROUPS];
    int count = 0;
    int gap = -1;
    int at = from;
    if (startsWithGap(text, at, to)) {
      gap = 0;
      at += 2;
    }
    while (at < to) {
      int end = groupEnd(text, at, to);
      if (end == to && isDottedQuad(text, at, to)) {
        long quad = v4(text, at, to);
        if (quad == NOT_V4 || count > GROUPS - 2) {
          return Parsed.bad(NOT_AN_ADDRESS);
        }
        groups[count++] = (int) (quad >>> 16);
        groups[count++] = (int) (quad & 0xffff);
        break;
      }
      int group = hex(text, at, end);
      if (group < 0 || count == GROUPS) {
        return Parsed.bad(NOT_AN_ADDRESS);
      }
      groups[count++] = group;
      at = end;
      if (at == to) {
        break;
      }
      if (startsWithGap(text, at, to)) {
        if (gap >= 0) {
          return Parsed.bad(NOT_AN_ADDRESS);
        }
        gap = count;
        at += 2;
      } else if (++at == to) {
        return Parsed.bad(NOT_AN_ADDRESS);
      }
    }
    return assemble(groups, count, gap);
  }

  private static Parsed<IpAddress> assemble(int[] groups, int count, int gap) {
    // A gap is at least one group of zeros.
    if (gap < 0 ? count != GROUPS : count >= GROUPS) {
      return Parsed.bad(NOT_AN_ADDRESS);
    }
    int shift = GROUPS - count;
    long high = 0;
    long low = 0;
    for (int i = 0; i < GROUPS; i++) {
      long group = gap < 0 || i < gap ? groups[i] : i < gap + shift ? 0 : groups[i - shift];
      if (i < GROUPS / 2) {
        high = (high << 16) | group;
      } else {
        low = (low << 16) | group;
      }
    }
    return Parsed.ok(new IpAddress(high, low));
  }

  private static boolean startsWithGap(byte[] text, int at, int to) {
    return at + 1 < to && text[at] == ':' && text[at + 1] == ':';
  }

  private static int groupEnd(byte[] text, int at, int to) {
    int end = at;
    while (end < to && text[end] != ':') {
      end++;
    }
    return end;
  }

  private static boolean isDottedQuad(byte[] text, int from, int to) {
    for (int i = from; i < to; i++) {
      if (text[i] == '.') {
        return true;
      }
    }
    return false;
  }

  private static int hex(byte[] text, int from, int to) {
    if (to == from || to - from > MAX_GROUP_DIGITS) {
      return -1;
    }
    int value = 0;
    for (int i = from; i < to; i++) {
      int digit = text[i] < 0 ? -1 : Character.digit(text[i], 16);
      if (digit < 0) {
        return -1;
      }
      value = value << 4 | digit;
    }
    return value;
  }

  private static boolean isDigit(byte octet) {
    return octet >= '0' && octet <= '9';
  }

  /** Dotted quad, or the one text of RFC 5952 section 4. */
  static String text(IpAddress address) {
    if (address.isV4()) {
      int bits = address.v4Bits();
      return (bits >>> 24)
          + "."
          + (bits >>> 16 & 0xff)
          + "."
          + (bits >>> 8 & 0xff)
          + "."
          + (bits & 0xff);
    }
    return v6Text(address);
  }

  private static String v6Text(IpAddress address) {
    int zerosFrom = -1;
    // RFC 5952 section 4.2.2: a single group of zeros is written out.
    int zerosLength = 1;
    for (int i = 0; i < GROUPS; i++) {
      int run = 0;
      while (i + run < GROUPS && group(address, i + run) == 0) {
        run++;
      }
      // Section 4.2.3: of equally long runs the first.
      if (run > zerosLength) {
        zerosFrom = i;
        zerosLength = run;
      }
      i += run;
    }
    StringBuilder out = new StringBuilder(39);
    for (int i = 0; i < GROUPS; i++) {
      if (i == zerosFrom) {
        out.append("::");
        i += zerosLength - 1;
        continue;
      }
      if (!out.isEmpty() && out.charAt(out.length() - 1) != ':') {
        out.append(':');
      }
      out.append(Integer.toHexString(group(address, i)));
    }
    return out.toString();
  }

  private static int group(IpAddress address, int index) {
    long half = index < GROUPS / 2 ? address.high() : address.low();
    return (int) (half >>> (48 - 16 * (index & 3))) & 0xffff;
  }
}
