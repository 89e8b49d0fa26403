package io.bloomgate.blocklists.filter;

import java.util.function.IntToDoubleFunction;

/**
 * Computes how large a classic filter must be and how many bits it tests, both ways the field asks
 * for it: by rate, and by bits per element. Pure.
 *
 * <p>With n keys, m bits and k tests the rate is (1 - e^(-kn/m))^k, lowest for k = m/n ln 2 (Bloom,
 * "Space/Time Trade-offs in Hash Coding with Allowable Errors", 1970).
 */
public final class ClassicSizing {

  /** The most bits that one array holds, 16 GiB. */
  public static final long MAX_BITS = (long) (Integer.MAX_VALUE - Long.SIZE) * Long.SIZE;

  /** More tests than this serve rates that 64-bit hashes cannot give. */
  public static final int MAX_HASHES = 64;

  private static final double LN_2 = Math.log(2);

  private ClassicSizing() {}

  /**
   * The size of a classic filter.
   *
   * @param bits of the array; any number
   * @param hashes bits tested for a key
   * @param capacity distinct keys that it is made for
   * @param askedRate ratio of false positives that was asked for, or that the asked bits give
   * @param plannedRate ratio to be expected at capacity
   */
  public record Size(long bits, int hashes, long capacity, double askedRate, double plannedRate) {

    /** Words that hold the bits. */
    public long words() {
      return Math.ceilDiv(bits, Long.SIZE);
    }
  }

  /**
   * The smallest filter that keeps the rate.
   *
   * @throws FilterBuildException when no array can hold it
   */
  public static Size byRate(long capacity, double rate) throws FilterBuildException {
    return byRate(capacity, rate, 0);
  }

  /**
   * The same with a given number of tests, or with the best one.
   *
   * @param hashes up to {@link #MAX_HASHES}; 0 for the best number
   */
  public static Size byRate(long capacity, double rate, int hashes) throws FilterBuildException {
    FilterSizing.checkRate(rate);
    double optimum = hashes > 0 ? hashes : -Math.log(rate) / LN_2;
    int best = best(optimum, k -> bitsFor(capacity, rate, k));
    return size(Math.ceil(bitsFor(capacity, rate, best)), best, capacity, rate);
  }

  /**
   * The filter of that many bits.
   *
   * @param hashes tests, up to {@link #MAX_HASHES}; 0 for the best number
   * @throws FilterBuildException when no array can hold it
   */
  public static Size byBits(long capacity, long bits, int hashes) throws FilterBuildException {
    double optimum = hashes > 0 ? hashes : bits / (double) Math.max(1, capacity) * LN_2;
    int best = best(optimum, k -> rate(capacity, (double) bits, k));
    return size((double) bits, best, capacity, rate(capacity, (double) bits, best));
  }

  /**
   * The filter of that many bits for each element of its capacity, with the number of tests that is
   * best for the ratio.
   *
   * @throws FilterBuildException when the ratio is not above 0, or no array can hold it
   */
  public static Size byBitsPerEntry(long capacity, double bitsPerEntry)
      throws FilterBuildException {
    if (!(bitsPerEntry > 0)) {
      throw new FilterBuildException("bits per entry must be above 0");
    }
    int hashes = best(bitsPerEntry * LN_2, k -> rate(1, bitsPerEntry, k));
    return size(
        Math.ceil(capacity * bitsPerEntry), hashes, capacity, rate(1, bitsPerEntry, hashes));
  }

  private static Size size(double bits, int hashes, long capacity, double askedRate)
      throws FilterBuildException {
    if (bits > MAX_BITS) {
      throw new FilterBuildException(
          ("a classic filter for %d entries at rate %s is larger than 16 GiB, the most that one"
                  + " array holds; ask for a higher rate or make several filters")
              .formatted(capacity, askedRate));
    }
    long whole = Math.max(Long.SIZE, (long) bits);
    return new Size(whole, hashes, capacity, askedRate, rate(capacity, (double) whole, hashes));
  }

  /** The whole number of tests beside the optimum that costs less. */
  private static int best(double optimum, IntToDoubleFunction cost) {
    int few = (int) Math.clamp(Math.floor(optimum), 1, MAX_HASHES);
    int many = (int) Math.clamp(Math.ceil(optimum), 1, MAX_HASHES);
    return cost.applyAsDouble(few) <= cost.applyAsDouble(many) ? few : many;
  }

  private static double bitsFor(long capacity, double rate, int hashes) {
    return -hashes * (double) capacity / Math.log1p(-Math.pow(rate, 1.0 / hashes));
  }

  /** Expected ratio of false positives of {@code n} distinct keys in that many bits. */
  public static double rate(long n, double bits, int hashes) {
    return Math.pow(-Math.expm1(-hashes * (double) n / bits), hashes);
  }
}
