package io.bloomgate.blocklists.filter.kinds;

import io.bloomgate.blocklists.filter.ClassicSizing;
import io.bloomgate.blocklists.filter.CounterArray;
import io.bloomgate.blocklists.filter.FilterBuildException;

/**
 * One slice of a {@link ScalableCountingFilter}: counters, and how many of them may be in use. On
 * the filter's thread.
 *
 * @param maxUsed counters above zero at which the slice has come to its share of the rate
 */
record CounterSlice(CounterArray array, long maxUsed) {

  /** Deviations of the hashes that bring counters to a rate: their places are spread evenly. */
  private static final int DEVIATIONS = 2;

  /**
   * An empty slice.
   *
   * @throws FilterBuildException when the heap or an array cannot hold it
   */
  static CounterSlice of(SlicePlan plan, int slice) throws FilterBuildException {
    double share = plan.share(slice);
    return of(CounterArray.of(ClassicSizing.byRate(plan.padded(slice, DEVIATIONS), share)), share);
  }

  /** A slice that may come to that share of the rate. */
  static CounterSlice of(CounterArray array, double share) {
    return new CounterSlice(
        array, (long) (array.counters() * Math.pow(share, 1.0 / array.hashes())));
  }

  /** True when a further hash cannot bring it beyond its share. */
  boolean hasRoom() {
    return array.used() + array.hashes() <= maxUsed;
  }
}
