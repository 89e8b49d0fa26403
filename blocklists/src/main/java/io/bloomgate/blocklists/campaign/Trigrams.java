package io.bloomgate.blocklists.campaign;

import io.bloomgate.config.name.Likeness;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Seeded hashes of words and of each three words beside each other. Used by one {@link BodyPrint}
 * for one mail after the other.
 */
final class Trigrams {

  /** Octets of a word that are read at once, with what is behind it. */
  static final int READ = 2 * Long.BYTES;

  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  /** By the number of octets that count: of the first eight of them. */
  private static final long[] FIRST_MASK = masks(0);

  /** The same of the second eight. */
  private static final long[] SECOND_MASK = masks(Long.BYTES);

  private final long first;
  private final long second;
  private final long third;
  private final Minima minima = new Minima();
  private int words;
  private long before;
  private long last;

  Trigrams(long seed) {
    this.first = Seeds.of(seed, 1);
    this.second = Seeds.of(seed, 2);
    this.third = Seeds.of(seed, 3);
  }

  private static long[] masks(int from) {
    long[] masks = new long[READ + 1];
    for (int length = 0; length <= READ; length++) {
      int octets = Math.clamp(length - from, 0, Long.BYTES);
      masks[length] = octets == 0 ? 0 : -1L >>> (Long.SIZE - Byte.SIZE * octets);
    }
    return masks;
  }

  /**
   * The hash of a word. Operator entries keep what is made of it: with one seed it never changes.
   *
   * @param octets with {@link #READ} more of anything behind the word
   */
  long hash(byte[] octets, int from, int length) {
    long seed = first;
    int at = from;
    int left = length;
    while (left > READ) {
      seed =
          mixed(
              (long) LONGS.get(octets, at) ^ seed,
              (long) LONGS.get(octets, at + Long.BYTES) ^ second);
      at += READ;
      left -= READ;
    }
    long low = (long) LONGS.get(octets, at) & FIRST_MASK[left];
    long high = (long) LONGS.get(octets, at + Long.BYTES) & SECOND_MASK[left];
    return mixed(mixed(low ^ seed, high ^ second), length ^ third);
  }

  /** The same of a word of at most {@link #READ} octets, with zeros behind them. */
  long hash(long low, long high, int length) {
    return mixed(mixed(low ^ first, high ^ second), length ^ third);
  }

  /** The bits of the first eight octets that belong to a word of at most {@link #READ}. */
  static long firstMask(int length) {
    return FIRST_MASK[length];
  }

  /** The same of the second eight. */
  static long secondMask(int length) {
    return SECOND_MASK[length];
  }

  /** Two numbers as one, by their full product as wyhash does it. */
  private static long mixed(long one, long other) {
    return (one * other) ^ Math.unsignedMultiplyHigh(one, other);
  }

  /**
   * Takes the next words of the text.
   *
   * @param hashes of words, the first of which count; others are in their place afterwards
   */
  void words(long[] hashes, int count) {
    int without = Math.min(count, Math.max(0, 2 - words)); // words before them
    for (int i = 0; i < without; i++) {
      before = last;
      last = hashes[i];
    }
    long one = before;
    long other = last;
    for (int i = without; i < count; i++) {
      long word = hashes[i];
      hashes[i - without] = mixed(mixed(one, other ^ second), word ^ third);
      one = other;
      other = word;
    }
    before = one;
    last = other;
    words += count;
    minima.add(hashes, count - without);
  }

  /** The minima of the words so far, three or more. */
  Likeness likeness() {
    return minima.likeness();
  }

  /** The next text begins. */
  void clear() {
    words = 0;
    minima.clear();
  }
}
