package io.bloomgate.blocklists.campaign;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Finds the words in a piece of ASCII, eight characters at a time, and writes them in lower case.
 * Used by one {@link BodyWords}. A bit a character says whether it is part of a word, so that the
 * length of a word costs no branch a character.
 */
final class AsciiWords {

  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  /** Octets that are written at once, whatever the length of a word. */
  static final int WRITTEN = 2 * Long.BYTES;

  /** Edges of words that are written at once. */
  private static final int EDGES = 8;

  private static final long EACH = 0x0101010101010101L;
  private static final long TOP = 0x8080808080808080L;

  /** Gathers the lowest bit of eight octets in the highest octet. */
  private static final long GATHER = 0x0102040810204080L;

  /** The characters of the piece, letters in lower case. */
  private final byte[] lower = new byte[BodyPrint.MOST_TOGETHER + WRITTEN];

  /** Where words begin and end, in turns; behind them anything. */
  private final int[] edges = new int[BodyPrint.MOST_TOGETHER + 1 + EDGES];

  private int count;
  private long anyDigit;

  /**
   * Takes a piece of ASCII of at most {@link BodyPrint#MOST_TOGETHER} characters.
   *
   * @return how many words it has
   */
  int read(char[] text, int from, int to) {
    int length = to - from;
    for (int i = 0; i < length; i++) {
      lower[i] = (byte) text[from + i];
    }
    int blocks = Math.ceilDiv(length, Long.SIZE);
    // no word goes on behind the piece
    Arrays.fill(lower, length, Math.min(lower.length, blocks * Long.SIZE), (byte) ' ');
    count = 0;
    anyDigit = 0;
    long before = 0;
    for (int block = 0; block < blocks; block++) {
      long word = block(block * Long.SIZE);
      edges(word ^ (word << 1 | before), block * Long.SIZE);
      before = word >>> (Long.SIZE - 1);
    }
    edges[count] = length; // of a word that reaches the end
    return (count + 1) / 2;
  }

  /** A bit for each of 64 characters: part of a word. Letters become small. */
  private long block(int from) {
    long word = 0;
    for (int i = 0; i < Long.SIZE; i += Long.BYTES) {
      long octets = (long) LONGS.get(lower, from + i);
      long letters = between(octets | 0x20 * EACH, 'a', 'z') & (octets << 1); // with 0x40 alone
      long numbers = between(octets, '0', '9');
      LONGS.set(lower, from + i, octets | letters >>> 2);
      word |= bits(letters | numbers) << i;
      anyDigit |= numbers;
    }
    return word;
  }

  /** Writes some at once, because how many there are is never the same. */
  private void edges(long bits, int from) {
    int all = Long.bitCount(bits);
    long left = bits;
    for (int i = 0; i < all; i += EDGES) {
      for (int k = 0; k < EDGES; k++) {
        edges[count + i + k] = from + Long.numberOfTrailingZeros(left);
        left &= left - 1;
      }
    }
    count += all;
  }

  /** The highest bit of each octet of ASCII between two characters. */
  private static long between(long octets, char first, char last) {
    return (octets + (0x80 - first) * EACH) & ~(octets + (0x80 - last - 1) * EACH) & TOP;
  }

  private static long bits(long tops) {
    return ((tops >>> 7) * GATHER) >>> (Long.SIZE - Byte.SIZE);
  }

  /** Where a word of the piece begins. */
  int begin(int word) {
    return edges[2 * word];
  }

  /** Where it ends. */
  int end(int word) {
    return edges[2 * word + 1];
  }

  /**
   * Writes a word; digits beside each other are one 0.
   *
   * @param to with room for {@link #WRITTEN} octets behind the word
   * @return where it ends
   */
  int write(int from, int end, byte[] to, int at) {
    if (anyDigit != 0) {
      return numbers(from, end, to, at);
    }
    int read = from;
    int written = at;
    for (; read < end; read += WRITTEN, written += WRITTEN) {
      LONGS.set(to, written, (long) LONGS.get(lower, read));
      LONGS.set(to, written + Long.BYTES, (long) LONGS.get(lower, read + Long.BYTES));
    }
    return at + end - from;
  }

  private int numbers(int from, int end, byte[] to, int at) {
    int written = at;
    boolean wasDigit = false;
    for (int i = from; i < end; i++) {
      boolean digit = lower[i] <= '9';
      if (!digit || !wasDigit) {
        to[written++] = digit ? (byte) '0' : lower[i];
      }
      wasDigit = digit;
    }
    return written;
  }
}
