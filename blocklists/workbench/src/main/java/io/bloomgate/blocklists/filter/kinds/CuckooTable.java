package io.bloomgate.blocklists.filter.kinds;

import io.bloomgate.blocklists.filter.FilterBuildException;
import io.bloomgate.blocklists.filter.FilterSizing;
import io.bloomgate.blocklists.filter.SplitMix;
import io.bloomgate.blocklists.filter.WordBody;
import java.lang.foreign.MemorySegment;

/**
 * The table of a cuckoo filter: buckets of four slots, a fingerprint or nothing in each, packed
 * without gaps, and where a hash belongs. Used by {@link CuckooFilter} alone, on its thread.
 *
 * <p>A hash may be in two buckets. The second follows from the first and the fingerprint, so that a
 * fingerprint can be moved when the hash is long forgotten (partial-key cuckoo hashing; Fan,
 * Andersen, Kaminsky and Mitzenmacher, "Cuckoo Filter: Practically Better Than Bloom", 2014,
 * section 3.1). The paper's exclusive or needs a power of two of buckets; here it is a number drawn
 * from the fingerprint minus the first bucket, modulo the number of buckets, which leads back just
 * the same. The number of buckets is odd: then each fingerprint has only one bucket that is its own
 * second. All this is part of the file format.
 *
 * @param buckets odd
 * @param width bits of a fingerprint
 * @param words one more than the slots need, so that a slot is always read from two
 */
record CuckooTable(int buckets, int width, MemorySegment words) {

  /** Slots of a bucket. */
  static final int SLOTS = 4;

  /** Narrower fingerprints repeat so often that tables of a few thousand buckets stop early. */
  static final int MIN_WIDTH = 6;

  static final int MAX_WIDTH = 32;

  /** The largest number of words that one array holds. */
  static final long MAX_WORDS = Integer.MAX_VALUE - 8L;

  /**
   * Ratio of taken slots that can be reached nearly always; the limit of two choices of four slots
   * is 0.98, and the last hundredths take long chains.
   */
  private static final double MAX_LOAD = 0.95;

  /** Slots that spare small tables from filling up by bad luck, beside one deviation. */
  private static final int SPARE_SLOTS = 16;

  /** Slots with which a hash is compared. */
  static final int COMPARED_SLOTS = 2 * SLOTS;

  /** The lowest rate that the widest fingerprint keeps at full load. */
  static final double LOWEST_RATE = COMPARED_SLOTS * MAX_LOAD / fingerprints(MAX_WIDTH);

  /** Buckets looked at before the table counts as full: chains of up to four moves. */
  private static final int MAX_CHAIN = 500;

  private static final long EMPTY = 0;
  private static final long LOW_HALF = 0xffff_ffffL;

  /**
   * The smallest table, without words. n fingerprints of w bits in s slots give at most the rate 8n
   * / (s (2^w - 1)), duplicates in a bucket aside (Fan and others, 2014, section 5.1); the rate can
   * be kept by a bit more of width or by a lower load.
   *
   * @throws FilterBuildException when no width of fingerprint keeps the rate, or no array holds it
   */
  static CuckooTable sized(long capacity, double rate) throws FilterBuildException {
    if (rate < LOWEST_RATE) {
      throw new FilterBuildException(
          "a cuckoo filter cannot keep a rate below 1.8e-9: ask for a higher one, or for the kind"
              + " classic");
    }
    int best = MIN_WIDTH;
    for (int w = MIN_WIDTH; w <= MAX_WIDTH; w++) {
      if (words(buckets(capacity, rate, w), w) < words(buckets(capacity, rate, best), best)) {
        best = w;
      }
    }
    long buckets = buckets(capacity, rate, best);
    if (buckets > Integer.MAX_VALUE || words(buckets, best) > MAX_WORDS) {
      throw new FilterBuildException(
          "a cuckoo filter for %s entries at rate %s is too large: ask for a higher rate"
              .formatted(capacity, rate));
    }
    return new CuckooTable((int) buckets, best, MemorySegment.NULL);
  }

  /** An empty table of this size. */
  CuckooTable empty() throws FilterBuildException {
    long count = words(buckets, width);
    FilterSizing.checkMemory(count * Long.BYTES);
    return new CuckooTable(buckets, width, MemorySegment.ofArray(new long[(int) count]));
  }

  private static long buckets(long capacity, double rate, int width) {
    double load = Math.min(MAX_LOAD, rate * fingerprints(width) / COMPARED_SLOTS);
    double slots = capacity / load + Math.sqrt((double) capacity) + SPARE_SLOTS;
    return (long) Math.ceil(slots / SLOTS) | 1;
  }

  /** Words of a table. */
  static long words(long buckets, int width) {
    return (buckets * SLOTS * width + Long.SIZE - 1) / Long.SIZE + 1;
  }

  /** Fingerprints that differ; 0 is none, it marks an empty slot. */
  static long fingerprints(int width) {
    return (1L << width) - 1;
  }

  long slots() {
    return (long) buckets * SLOTS;
  }

  /** The fingerprint of a hash, of its lower half, which hardly moves the bucket. */
  long fingerprint(long hash) {
    return 1 + (((hash & LOW_HALF) * fingerprints(width)) >>> Integer.SIZE);
  }

  /** The first bucket of a hash. */
  int bucket(long hash) {
    return (int) Math.unsignedMultiplyHigh(hash, buckets);
  }

  /** The other bucket of a fingerprint that is, or would be, in this one. */
  int other(int bucket, long fingerprint) {
    int sum = (int) Math.unsignedMultiplyHigh(SplitMix.mix(fingerprint), buckets);
    int other = sum - bucket;
    return other + ((other >> (Integer.SIZE - 1)) & buckets);
  }

  private long word(long index) {
    return words.get(WordBody.WORD, index << 3);
  }

  long get(long slot) {
    long bit = slot * width;
    // A shift by 64 would be one by 0: the upper part goes in two steps.
    return ((word(bit >>> 6) >>> bit) | (word((bit >>> 6) + 1) << 1 << ~bit)) & fingerprints(width);
  }

  void set(long slot, long fingerprint) {
    long bit = slot * width;
    long at = bit >>> 6 << 3;
    long mask = fingerprints(width);
    words.set(WordBody.WORD, at, (word(bit >>> 6) & ~(mask << bit)) | (fingerprint << bit));
    long spilled = word((bit >>> 6) + 1) & ~(mask >>> 1 >>> ~bit);
    words.set(WordBody.WORD, at + Long.BYTES, spilled | (fingerprint >>> 1 >>> ~bit));
  }

  /** The slot of a bucket that holds a fingerprint, or none with {@link #EMPTY}; -1 for no slot. */
  private long slotOf(int bucket, long fingerprint) {
    long first = (long) bucket * SLOTS;
    for (long slot = first; slot < first + SLOTS; slot++) {
      if (get(slot) == fingerprint) {
        return slot;
      }
    }
    return -1;
  }

  /** 1 when the bucket holds the fingerprint, else 0. */
  int holds(int bucket, long fingerprint) {
    return slotOf(bucket, fingerprint) < 0 ? 0 : 1;
  }

  /** Takes one copy of a fingerprint out of a bucket. */
  boolean take(int bucket, long fingerprint) {
    long slot = slotOf(bucket, fingerprint);
    if (slot >= 0) {
      set(slot, EMPTY);
    }
    return slot >= 0;
  }

  /** Fingerprints in the table, counted one by one. */
  long countTaken() {
    long taken = 0;
    for (long slot = 0; slot < slots(); slot++) {
      taken += get(slot) == EMPTY ? 0 : 1;
    }
    return taken;
  }

  /**
   * Puts a fingerprint into one of its two buckets. Where both are full, a shortest chain of
   * fingerprints is searched that each move to their other bucket, the last into an empty slot;
   * they move when the chain is whole, from its end, so that a table without room stays as it is.
   *
   * <p>Breadth first, as in Li, Andersen, Kaminsky and Freedman, "Algorithmic Improvements for Fast
   * Concurrent Cuckoo Hashing" (2014, section 4.3.2): no choice is random, so equal additions make
   * equal files. A shortest chain visits no bucket twice.
   *
   * @return false when no chain was found; then nothing has moved
   */
  boolean place(long fingerprint, int near, int far) {
    int[] bucket = new int[MAX_CHAIN];
    // The step before, and the slot of its bucket from which this step follows.
    int[] before = new int[MAX_CHAIN];
    long[] from = new long[MAX_CHAIN];
    bucket[0] = near;
    bucket[1] = far;
    int steps = 2;
    for (int step = 0; step < steps; step++) {
      long free = slotOf(bucket[step], EMPTY);
      if (free >= 0) {
        int at = step;
        for (; at > 1; at = before[at]) {
          set(free, get(from[at]));
          free = from[at];
        }
        set(free, fingerprint);
        return true;
      }
      long first = (long) bucket[step] * SLOTS;
      for (long slot = first; slot < first + SLOTS && steps < MAX_CHAIN; slot++) {
        bucket[steps] = other(bucket[step], get(slot));
        before[steps] = step;
        from[steps++] = slot;
      }
    }
    return false;
  }
}
