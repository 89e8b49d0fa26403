package io.bloomgate.blocklists.campaign;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.CharBuffer;
import java.nio.charset.CharsetEncoder;
import java.util.Arrays;

/**
 * Finds the words in characters of ISO 8859-1, eight at a time. Used by one {@link BodyWords}. A
 * bit a character says whether it is part of a word, so that the length of a word costs no branch a
 * character. What is not ASCII counts as part of a word here; who reads the word looks at it.
 */
final class LatinWords {

  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  /** Edges of words that are written at once. */
  private static final int EDGES = 8;

  private static final long EACH = 0x0101010101010101L;
  private static final long TOP = 0x8080808080808080L;

  /** Gathers the lowest bit of eight octets in the highest octet. */
  private static final long GATHER = 0x0102040810204080L;

  private static final CharBuffer NONE = CharBuffer.wrap(new char[0]);

  /** The characters, letters of ASCII in lower case, and spaces behind them. */
  private final byte[] lower = new byte[BodyPrint.MOST_TOGETHER + Trigrams.READ];

  private final ByteBuffer taken = ByteBuffer.wrap(lower);

  /** Where words begin and end, in turns; behind them anything. */
  private final int[] edges = new int[BodyPrint.MOST_TOGETHER + 1 + EDGES];

  private final CharsetEncoder encoder = ISO_8859_1.newEncoder();

  /** Of the array that was taken from last, as a rule the same. */
  private CharBuffer characters = NONE;

  private int count;
  private long anyWide;

  /** True for a character of ISO 8859-1. */
  static boolean isLatin(int characters) {
    return characters < 0x100;
  }

  /**
   * Takes what comes first, as long as it is ISO 8859-1.
   *
   * @param to at most {@link BodyPrint#MOST_TOGETHER} behind the first
   * @return how many characters that are
   */
  @SuppressWarnings("ReferenceEquality") // an equal array is still another one
  int take(char[] text, int from, int to) {
    if (characters.array() != text) {
      characters = CharBuffer.wrap(text);
    }
    taken.clear();
    // the JDK has instructions for many characters at once
    encoder.encode(characters.limit(to).position(from), taken, false);
    return taken.position();
  }

  /** Takes a piece that is known to be ISO 8859-1. */
  void set(char[] text, int from, int to) {
    for (int i = from; i < to; i++) {
      lower[i - from] = (byte) text[i];
    }
  }

  /**
   * Finds the words of the first characters that were taken.
   *
   * @return how many words there are
   */
  int read(int length) {
    int blocks = Math.ceilDiv(length, Long.SIZE);
    Arrays.fill(lower, length, lower.length, (byte) ' ');
    count = 0;
    anyWide = 0;
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
      long wide = octets & TOP;
      long ascii = octets ^ wide;
      long letters = between(ascii | 0x20 * EACH, 'a', 'z') & (ascii << 1); // with 0x40 alone
      long numbers = between(ascii, '0', '9');
      LONGS.set(lower, from + i, octets | (letters & ~wide) >>> 2);
      word |= bits(letters | numbers | wide) << i;
      anyWide |= wide;
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

  /** True when the characters whose words were found last are all ASCII. */
  boolean isAscii() {
    return anyWide == 0;
  }

  /** {@link #begin} and {@link #end} of the words found, for a loop that takes many. */
  int[] edges() {
    return edges;
  }

  /** The same for {@link #character}; one of the words has {@link Trigrams#READ} octets behind. */
  byte[] octets() {
    return lower;
  }

  /** Where a word begins. */
  int begin(int word) {
    return edges[2 * word];
  }

  /** Where it ends. */
  int end(int word) {
    return edges[2 * word + 1];
  }

  /** One of the characters, in lower case when it is ASCII; a space behind the last. */
  char character(int at) {
    return (char) (lower[at] & 0xff);
  }

  /** Where the first character is that is not ASCII, or the end. */
  int wide(int from, int to) {
    int i = from;
    while (i < to && lower[i] >= 0) {
      i++;
    }
    return i;
  }
}
