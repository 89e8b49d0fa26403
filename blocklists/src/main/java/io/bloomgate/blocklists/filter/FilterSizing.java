package io.bloomgate.blocklists.filter;

import java.util.ArrayList;
import java.util.List;

/**
 * How large a filter must be. Pure.
 *
 * <p>The textbook formula is wrong for a filter of lines: keys fall on lines unevenly, and the
 * crowded lines cost more than the empty ones save. With n keys on B lines the number j of keys of
 * a line is binomial (for large B Poisson with mean n/B), and the rate is the mean over j of (1 -
 * (63/64)^j)^8 (Putze, Sanders and Singler, 2007, section 3, with lanes).
 */
public final class FilterSizing {

  /** Beyond this many keys a line every bit is set, for all that matters. */
  private static final double FULL_LINE_KEYS = 600;

  private static final double MISSED_LANE = 1 - 1.0 / SplitBlockFilter.LANE_BITS;

  /** Halvings of a logarithmic interval of rates; the rest is far below what one line changes. */
  private static final int RATE_STEPS = 50;

  private FilterSizing() {}

  /**
   * The size of a split-block filter.
   *
   * @param capacity distinct keys that it is made for
   * @param askedRate ratio of false positives that was asked for
   * @param plannedRate ratio to be expected at capacity; above the asked one only where memory is
   *     bounded
   */
  public record Size(long lines, long capacity, double askedRate, double plannedRate) {

    /** Memory for the bits. */
    public long octets() {
      return lines * SplitBlockFilter.LINE_OCTETS;
    }

    /** True when the bound on memory costs more false positives than asked. */
    public boolean capped() {
      return plannedRate > askedRate;
    }
  }

  /**
   * The smallest split-block filter that keeps the rate.
   *
   * @throws IllegalArgumentException when no array can hold it
   */
  public static Size splitBlock(long capacity, double rate) {
    checkRate(rate);
    long lines = linesFor(capacity, rate);
    double planned = splitBlockRate(capacity, lines);
    if (planned > rate) {
      throw new IllegalArgumentException(
          "a split-block filter for " + capacity + " entries at rate " + rate + " is too large");
    }
    return new Size(lines, capacity, rate, planned);
  }

  /**
   * Sizes of several filters that share a bound on memory: at the asked rate when they fit,
   * otherwise all at the lowest rate that fits. Entries are never left out; with less memory than a
   * line each, each gets a line.
   *
   * @param maxOctets bound for all of them together
   */
  public static List<Size> splitBlocks(List<Long> capacities, double rate, long maxOctets) {
    checkRate(rate);
    double low = Math.log(rate);
    if (octets(capacities, rate) > maxOctets) {
      double high = 0;
      for (int i = 0; i < RATE_STEPS; i++) {
        double middle = (low + high) / 2;
        if (octets(capacities, Math.exp(middle)) > maxOctets) {
          low = middle;
        } else {
          high = middle;
        }
      }
      low = high;
    }
    List<Size> sizes = new ArrayList<>();
    for (long capacity : capacities) {
      long lines = linesFor(capacity, Math.exp(low));
      sizes.add(new Size(lines, capacity, rate, splitBlockRate(capacity, lines)));
    }
    return sizes;
  }

  private static void checkRate(double rate) {
    if (!(rate > 0 && rate < 1)) {
      throw new IllegalArgumentException("a false-positive rate lies between 0 and 1");
    }
  }

  private static long octets(List<Long> capacities, double rate) {
    long lines = 0;
    for (long capacity : capacities) {
      lines += linesFor(capacity, rate);
    }
    return lines * SplitBlockFilter.LINE_OCTETS;
  }

  private static long linesFor(long capacity, double rate) {
    long low = 1;
    long high = SplitBlockFilter.MAX_LINES;
    while (low < high) {
      long middle = (low + high) >>> 1;
      if (splitBlockRate(capacity, middle) <= rate) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return low;
  }

  /** Expected ratio of false positives of {@code n} distinct keys on that many lines. */
  public static double splitBlockRate(long n, long lines) {
    if (lines == 1) {
      return lineRate((double) n);
    }
    double mean = n / (double) lines;
    if (mean > FULL_LINE_KEYS) {
      return lineRate(mean);
    }
    double deviation = Math.sqrt(mean);
    long last = (long) Math.min((double) n, mean + 12 * deviation + 40);
    double probability = Math.exp(n * Math.log1p(-1.0 / lines));
    double rate = 0;
    for (long j = 0; j <= last; j++) {
      rate += probability * lineRate((double) j);
      probability *= (n - j) / ((j + 1.0) * (lines - 1));
    }
    return rate;
  }

  private static double lineRate(double keys) {
    return Math.pow(1 - Math.pow(MISSED_LANE, keys), SplitBlockFilter.LANES);
  }
}
