package io.bloomgate.blocklists.filter.kinds;

import io.bloomgate.blocklists.filter.FilterBuildException;
import io.bloomgate.blocklists.filter.FilterSizing;

/**
 * The size that a cuckoo filter must have. Pure.
 *
 * <p>A hash is compared with eight slots, so n fingerprints of w bits in s slots give at most the
 * rate 8n / (s (2^w - 1)), duplicates in a bucket aside (Fan and others, 2014, section 5.1). The
 * rate can be kept by a bit more of width or by a lower load; the smaller table wins.
 *
 * @param buckets odd
 * @param width bits of a fingerprint
 */
record CuckooSizing(int buckets, int width) {

  /**
   * Ratio of taken slots that can be reached nearly always; the limit of two choices of four slots
   * is 0.98, and the last hundredths take long chains.
   */
  static final double MAX_LOAD = 0.95;

  /**
   * Slots that spare small tables from filling up by bad luck: a few, and this number of
   * deviations.
   */
  private static final int SPARE_SLOTS = 16;

  private static final double SPARE_DEVIATIONS = 1;

  private static final int COMPARED_SLOTS = 2 * CuckooBuckets.SLOTS;

  /** The lowest rate that the widest fingerprint keeps at full load. */
  static final double LOWEST_RATE =
      COMPARED_SLOTS * MAX_LOAD / CuckooBuckets.fingerprints(CuckooBuckets.MAX_WIDTH);

  /**
   * The smallest table.
   *
   * @throws FilterBuildException when no width of fingerprint keeps the rate, or no array holds it
   */
  static CuckooSizing of(long capacity, double rate) throws FilterBuildException {
    if (rate < LOWEST_RATE) {
      throw new FilterBuildException(
          "a cuckoo filter cannot keep a rate below 1.8e-9: ask for a higher one, or for the kind"
              + " classic");
    }
    long best = Long.MAX_VALUE;
    int width = CuckooBuckets.MIN_WIDTH;
    for (int w = CuckooBuckets.MIN_WIDTH; w <= CuckooBuckets.MAX_WIDTH; w++) {
      long words = CuckooBuckets.words(buckets(capacity, rate, w), w);
      if (words < best) {
        best = words;
        width = w;
      }
    }
    long buckets = buckets(capacity, rate, width);
    if (buckets > Integer.MAX_VALUE || best > CuckooBuckets.MAX_WORDS) {
      throw new FilterBuildException(
          "a cuckoo filter for "
              + capacity
              + " entries at rate "
              + rate
              + " is too large: ask for a higher rate");
    }
    return new CuckooSizing((int) buckets, width);
  }

  private static long buckets(long capacity, double rate, int width) {
    double load = Math.min(MAX_LOAD, rate * CuckooBuckets.fingerprints(width) / COMPARED_SLOTS);
    double slots = capacity / load + SPARE_DEVIATIONS * Math.sqrt((double) capacity) + SPARE_SLOTS;
    return (long) Math.ceil(slots / CuckooBuckets.SLOTS) | 1;
  }

  /**
   * An empty table.
   *
   * @throws FilterBuildException when the heap cannot hold it
   */
  CuckooBuckets table() throws FilterBuildException {
    long words = CuckooBuckets.words(buckets, width);
    FilterSizing.checkMemory(words * Long.BYTES);
    return new CuckooBuckets(buckets, width, new long[Math.toIntExact(words)]);
  }
}
