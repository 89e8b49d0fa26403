package io.bloomgate.blocklists.content;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Small questions about octets. Used by the readers of this package. */
final class Octets {

  /** In place of a buffer that was not needed yet. */
  static final byte[] NONE = {};

  private static final byte[] DIGITS = digits();

  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final long ONES = 0x0101_0101_0101_0101L;
  private static final long HIGHS = 0x8080_8080_8080_8080L;

  private Octets() {}

  /** Where the first equals sign or line feed is, or the end; eight at a time. */
  static int escapeOrLineFeed(byte[] octets, int from, int to) {
    int i = from;
    for (; i + Long.BYTES <= to; i += Long.BYTES) {
      long eight = (long) LONGS.get(octets, i);
      long hits = zeros(eight ^ '=' * ONES) | zeros(eight ^ '\n' * ONES);
      if (hits != 0) {
        return i + Long.numberOfTrailingZeros(hits) / Byte.SIZE;
      }
    }
    while (i < to && octets[i] != '=' && octets[i] != '\n') {
      i++;
    }
    return i;
  }

  /** The highest bit of each octet that is 0, and maybe of others behind the first of them. */
  private static long zeros(long eight) {
    return (eight - ONES) & ~eight & HIGHS;
  }

  /** This buffer, or a larger one without its content. */
  static byte[] room(byte[] buffer, int least) {
    return buffer.length < least ? new byte[least] : buffer;
  }

  /** Where an octet of ASCII is first, -1 for nowhere; eight at a time. */
  static int indexOf(byte wanted, byte[] octets, int from, int to) {
    int i = from;
    for (; i + Long.BYTES <= to; i += Long.BYTES) {
      long hits = zeros((long) LONGS.get(octets, i) ^ wanted * ONES);
      if (hits != 0) {
        return i + Long.numberOfTrailingZeros(hits) / Byte.SIZE;
      }
    }
    for (; i < to; i++) {
      if (octets[i] == wanted) {
        return i;
      }
    }
    return -1;
  }

  /** Behind as many times eight octets as there are without one; looks at 32 at a time. */
  static int behindEights(byte unwanted, byte[] octets, int from, int to) {
    int i = from;
    while (i + 4 * Long.BYTES <= to
        && (hits(unwanted, octets, i)
                | hits(unwanted, octets, i + Long.BYTES)
                | hits(unwanted, octets, i + 2 * Long.BYTES)
                | hits(unwanted, octets, i + 3 * Long.BYTES))
            == 0) {
      i += 4 * Long.BYTES;
    }
    while (i + Long.BYTES <= to && hits(unwanted, octets, i) == 0) {
      i += Long.BYTES;
    }
    return i;
  }

  /** Not 0 when one of eight octets is this one. */
  private static long hits(byte wanted, byte[] octets, int from) {
    return zeros((long) LONGS.get(octets, from) ^ wanted * ONES);
  }

  /** True when octets begin with a lower-case ASCII word, in any case. */
  static boolean startsWithLower(byte[] octets, int from, int to, byte[] word) {
    if (to - from < word.length) {
      return false;
    }
    for (int i = 0; i < word.length; i++) {
      if (lower(octets[from + i]) != word[i]) {
        return false;
      }
    }
    return true;
  }

  /** True when octets are a lower-case ASCII word, in any case. */
  static boolean isLower(byte[] octets, int from, int to, byte[] word) {
    return to - from == word.length && startsWithLower(octets, from, to, word);
  }

  static int lower(byte octet) {
    return octet >= 'A' && octet <= 'Z' ? octet + ('a' - 'A') : octet;
  }

  private static byte[] digits() {
    byte[] digits = new byte[128];
    for (int c = 0; c < digits.length; c++) {
      digits[c] = (byte) Character.digit(c, 16);
    }
    return digits;
  }

  /** The value of a hexadecimal digit in any case, -1 for none; letter or digit is no branch. */
  static int hex(int c) {
    return c >>> 7 == 0 ? DIGITS[c] : -1;
  }
}
