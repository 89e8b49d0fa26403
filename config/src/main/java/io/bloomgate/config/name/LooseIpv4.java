package io.bloomgate.config.name;

/**
 * IPv4 addresses as browsers read the host of a URL (WHATWG URL, section 3.5): one to four numbers
 * in decimal, octal ({@code 010}) or hexadecimal ({@code 0x8}), the last of which fills the rest.
 * Only {@link WebUrlText} reads them so: lists and SMTP read addresses by {@link IpText}, which
 * refuses all of this. Pure, any thread.
 */
final class LooseIpv4 {

  /** Result of {@link #bits} for what is no address. */
  static final long NONE = -1;

  private static final int MAX_PARTS = 4;
  private static final long LIMIT = 1L << Integer.SIZE;

  private LooseIpv4() {}

  /** True when browsers take the host for an IPv4 address: its last label is a number. */
  static boolean endsInNumber(byte[] host, int to) {
    int from = to;
    boolean decimal = to > 0;
    while (from > 0 && host[from - 1] != '.') {
      from--;
      decimal &= host[from] >= '0' && host[from] <= '9';
    }
    return from < to && (decimal || (isHex(host, from, to) && number(host, from, to) != NONE));
  }

  /** The 32 bits, or {@link #NONE}. */
  static long bits(byte[] host, int to) {
    long bits = 0;
    int from = 0;
    for (int part = 0; part < MAX_PARTS; part++) {
      int end = from;
      while (end < to && host[end] != '.') {
        end++;
      }
      long number = number(host, from, end);
      if (number == NONE) {
        return NONE;
      }
      if (end == to) {
        int room = Byte.SIZE * (MAX_PARTS - part);
        return number >>> room == 0 ? bits << room | number : NONE;
      }
      if (number > 0xff) {
        return NONE;
      }
      bits = bits << Byte.SIZE | number;
      from = end + 1;
    }
    return NONE;
  }

  private static boolean isHex(byte[] host, int from, int to) {
    return to - from >= 2 && host[from] == '0' && (host[from + 1] | 0x20) == 'x';
  }

  /** A number; {@code 0x} alone is zero. Beyond 32 bits it only has to be too large. */
  private static long number(byte[] host, int from, int to) {
    if (from == to) {
      return NONE;
    }
    boolean hex = isHex(host, from, to);
    boolean octal = !hex && to - from > 1 && host[from] == '0';
    int radix = hex ? 16 : octal ? 8 : 10;
    long value = 0;
    for (int i = hex ? from + 2 : from; i < to; i++) {
      int digit = Character.digit(host[i], radix);
      if (digit < 0) {
        return NONE;
      }
      value = Math.min(LIMIT, value * radix + digit);
    }
    return value;
  }
}
