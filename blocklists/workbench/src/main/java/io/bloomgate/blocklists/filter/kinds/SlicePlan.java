package io.bloomgate.blocklists.filter.kinds;

import io.bloomgate.blocklists.filter.FilterBuildException;

/**
 * The plan by which a filter grows in slices: each holds twice what the one before holds, and has
 * its share of the asked rate. A hash hits when it hits in any slice, so the rate is at most the
 * sum of the slices' rates (Almeida, Baquero, Preguica and Hutchison, "Scalable Bloom Filters",
 * 2007, section 3). Immutable.
 *
 * <p>The shares are 1/2, 1/6, 1/12, 1/20 and so on, 1 / ((i + 1) (i + 2)); their sum is s / (s + 1)
 * after s slices and always below 1. The paper's geometric shares must choose: with a ratio of 0.5
 * the twentieth slice gets a millionth and costs 20 bits a key more, with 0.8 the first, which is
 * the only one of most filters, gets a fifth and costs 3 bits a key more. These start like 0.5 and
 * end at 1/420.
 *
 * @param first distinct hashes for which the first slice is made
 * @param rate asked of all slices together
 */
record SlicePlan(long first, double rate) {

  /** Slices that a filter may have: a million times the first one. */
  static final int MAX_SLICES = 20;

  /** The least capacity of a first slice, so that a filter that starts small can become large. */
  static final long MIN_FIRST = 64;

  /** More than any array holds at any rate; doubled twenty times it is still a number. */
  static final long MAX_FIRST = 1L << 40;

  /**
   * The least rate of a slice, far below what any kind is asked for; the shares of such a rate are
   * still numbers.
   */
  static final double LOWEST_RATE = 1e-12;

  /** A plan for a filter that is made for this many hashes. */
  static SlicePlan of(long capacity, double rate) throws FilterBuildException {
    if (capacity > MAX_FIRST) {
      throw new FilterBuildException(
          "a filter for "
              + capacity
              + " entries is larger than 16 GiB, the most that one array"
              + " holds; make several filters");
    }
    return new SlicePlan(Math.max(capacity, MIN_FIRST), rate);
  }

  /** The rate that a slice may come to. */
  double share(int slice) {
    return rate / ((slice + 1.0) * (slice + 2.0));
  }

  /** Distinct hashes for which a slice is made. */
  long capacity(int slice) {
    return first << slice;
  }

  /** Distinct hashes for which a number of slices is made. */
  long total(int slices) {
    return first * ((1L << slices) - 1);
  }

  /**
   * The capacity for which a slice must be sized, so that it comes to its share not before its
   * capacity.
   *
   * @param deviations by which chance is met; the number of hashes that bring a slice to its share
   *     varies as its square root
   */
  long padded(int slice, int deviations) {
    return capacity(slice) + (long) (deviations * Math.sqrt((double) capacity(slice)));
  }
}
