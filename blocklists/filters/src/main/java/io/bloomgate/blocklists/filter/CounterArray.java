package io.bloomgate.blocklists.filter;

import io.bloomgate.blocklists.filter.RemovableFilter.Removal;
import java.util.Arrays;

/**
 * Counters of four bits, sixteen in a word, in the places where a classic filter of as many bits
 * has its bits. The whole of a counting filter, or a slice of one that grows; on its thread.
 *
 * <p>A counter that reaches 15 stays there: it no longer knows how many keys it counts. Four bits
 * suffice for all but one counter in 10^15 (Fan, Cao, Almeida and Broder, "Summary Cache", 2000,
 * section V.C); equal hashes added fifteen times reach it too. A hash whose places coincide counts
 * as often in that place, when it comes and when it goes.
 */
public final class CounterArray {

  public static final int COUNTER_BITS = 4;

  /** A counter that never goes down again. */
  static final int STICKY = 15;

  private static final int WORD_COUNTERS_LOG = 4;
  private static final int LAST_OF_WORD = 15;

  /** The largest number of counters that one array holds. */
  static final long MAX_COUNTERS = (Integer.MAX_VALUE - 8L) << WORD_COUNTERS_LOG;

  private static final int ZERO = -1;

  private final long[] words;
  private final long counters;
  private final int hashes;

  /** Counters above zero. */
  private long used;

  /**
   * All zero.
   *
   * @throws FilterBuildException when the heap or an array cannot hold them
   */
  public static CounterArray of(ClassicSizing.Size size) throws FilterBuildException {
    if (size.bits() > MAX_COUNTERS) {
      throw new FilterBuildException(
          ("counters for %d entries at rate %s are larger than 16 GiB, the most that one array"
                  + " holds; ask for a higher rate")
              .formatted(size.capacity(), size.askedRate()));
    }
    long words = words(size.bits());
    FilterSizing.checkMemory(words * Long.BYTES);
    return new CounterArray(new long[(int) words], size.bits(), size.hashes());
  }

  /** Takes the words over and counts what is in them. */
  public CounterArray(long[] words, long counters, int hashes) {
    this.words = words;
    this.counters = counters;
    this.hashes = hashes;
    for (long word : words) {
      long pairs = word | (word >>> 1);
      used += Long.bitCount((pairs | (pairs >>> 2)) & 0x1111_1111_1111_1111L);
    }
  }

  /** True for measures that an array of counters can have. */
  public static boolean possible(long counters, long hashes) {
    return counters > 0
        && counters <= MAX_COUNTERS
        && hashes > 0
        && hashes <= ClassicSizing.MAX_HASHES;
  }

  public static long words(long counters) {
    return Math.ceilDiv(counters, 1L << WORD_COUNTERS_LOG);
  }

  /** 1 when all counters of the hash are above zero, else 0; without a branch on them. */
  public int probe(long hash) {
    long[] w = words;
    long place = hash;
    long step = SplitMix.second(hash);
    long growth = SplitMix.growth(step);
    long all = -1;
    for (int i = 0; i < hashes; i++) {
      long at = Math.unsignedMultiplyHigh(place, counters);
      // The sign of minus a counter says whether it is above zero.
      all &= -((w[(int) (at >>> WORD_COUNTERS_LOG)] >>> shift(at)) & STICKY);
      place += step;
      step += growth;
    }
    return (int) (all >>> (Long.SIZE - 1));
  }

  private long[] places(long hash) {
    return SplitMix.places(hash, counters, hashes);
  }

  private long counter(long at) {
    return (words[(int) (at >>> WORD_COUNTERS_LOG)] >>> shift(at)) & STICKY;
  }

  /** Counts a hash once more. */
  public void add(long hash) {
    raise(places(hash), hashes);
  }

  /** Counts a hash once less; changes nothing when it was certainly not counted. */
  public Removal remove(long hash) {
    long[] places = places(hash);
    int lowered = 0;
    for (int i = 0; i < hashes; i++) {
      int change = lower(places[i]);
      if (change == ZERO) {
        raise(places, i);
        return Removal.ABSENT;
      }
      lowered += change;
    }
    return lowered == 0 ? Removal.KEPT : Removal.REMOVED;
  }

  private void raise(long[] places, int count) {
    for (int i = 0; i < count; i++) {
      long at = places[i];
      long value = counter(at);
      words[(int) (at >>> WORD_COUNTERS_LOG)] += (value == STICKY ? 0L : 1L) << shift(at);
      used += value == 0 ? 1 : 0;
    }
  }

  /** 1 when the counter went down, 0 when it is sticky, {@link #ZERO} when it cannot. */
  private int lower(long at) {
    long value = counter(at);
    if (value == 0) {
      return ZERO;
    }
    if (value == STICKY) {
      return 0;
    }
    words[(int) (at >>> WORD_COUNTERS_LOG)] -= 1L << shift(at);
    used -= value == 1 ? 1 : 0;
    return 1;
  }

  private static int shift(long at) {
    return ((int) at & LAST_OF_WORD) * COUNTER_BITS;
  }

  public long counters() {
    return counters;
  }

  public int hashes() {
    return hashes;
  }

  public long used() {
    return used;
  }

  /** True when one of the hash's counters is at 15, and so no longer knows how many it counts. */
  public boolean overflowed(long hash) {
    return Arrays.stream(places(hash)).anyMatch(at -> counter(at) == STICKY);
  }

  /** Counters at 15. */
  public long overflowed() {
    long full = 0;
    for (long word : words) {
      long pairs = word & (word >>> 1);
      full += Long.bitCount(pairs & (pairs >>> 2) & 0x1111_1111_1111_1111L);
    }
    return full;
  }

  /** The sums of these counters and of as many others; 15 where a sum is more. */
  CounterArray plus(CounterArray other) {
    long[] sums = new long[words.length];
    for (int i = 0; i < sums.length; i++) {
      for (int at = 0; at < Long.SIZE; at += COUNTER_BITS) {
        long sum = (words[i] >>> at & STICKY) + (other.words[i] >>> at & STICKY);
        sums[i] |= Math.min(sum, STICKY) << at;
      }
    }
    return new CounterArray(sums, counters, hashes);
  }

  /** Ratio of random hashes that hit. */
  public double rate() {
    return Math.pow(used / (double) counters, hashes);
  }

  public long[] words() {
    return words;
  }

  /** False when the words hold something behind the last counter. */
  public boolean endsClean() {
    long last = words[words.length - 1];
    int beyond = shift(counters);
    return beyond == 0 || last >>> beyond == 0;
  }
}
