package io.bloomgate.blocklists.filter;

import java.util.ArrayList;
import java.util.List;

/**
 * Computes how large a filter must be. Pure.
 *
 * <p>The textbook formula is wrong for a filter of lines: keys fall on lines unevenly, and the
 * crowded lines cost more than the empty ones save. The number j of the n keys that fall on a line
 * of probability p is binomial, and the line's rate is the mean over j of (1 - (63/64)^j)^8 (Putze,
 * Sanders and Singler, 2007, section 3, with lanes). All lines have the same probability but the
 * last, which is hit less often when the span ends inside it; the filter's rate is the mean of the
 * lines' rates, weighed by their probabilities.
 */
public final class FilterSizing {

  /** The number of keys in a line beyond which every bit is set, for all that matters. */
  private static final double FULL_LINE_KEYS = 600;

  private static final double MISSED_LANE = 1 - 1.0 / SplitBlockFilter.LANE_BITS;

  /** Halvings of a logarithmic interval of rates; the rest is far below what one line changes. */
  private static final int RATE_STEPS = 50;

  private FilterSizing() {}

  /**
   * The size of a split-block filter.
   *
   * @param span words that are addressed; the memory is that of the whole lines around them
   * @param capacity distinct keys that it is made for
   * @param askedRate ratio of false positives that was asked for
   * @param plannedRate ratio to be expected at capacity; above the asked one only where memory is
   *     bounded
   */
  public record Size(long span, long capacity, double askedRate, double plannedRate) {

    /** Lines in memory. */
    public long lines() {
      return Math.ceilDiv(span, SplitBlockFilter.LANES);
    }

    /** Memory for the bits. */
    public long octets() {
      return lines() * SplitBlockFilter.LINE_OCTETS;
    }

    /** True when the bound on memory costs more false positives than asked. */
    public boolean capped() {
      return plannedRate > askedRate;
    }
  }

  /**
   * The smallest split-block filter that keeps the rate.
   *
   * @throws FilterBuildException when no array can hold it
   */
  public static Size splitBlock(long capacity, double rate) throws FilterBuildException {
    checkRate(rate);
    long span = spanFor(capacity, rate);
    double planned = splitBlockRate(capacity, span);
    if (planned > rate) {
      throw new FilterBuildException(
          ("a split-block filter for %d entries at rate %s is larger than 16 GiB, the most that one"
                  + " array holds; ask for a higher rate or make several filters")
              .formatted(capacity, rate));
    }
    return new Size(span, capacity, rate, planned);
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
      long span = spanFor(capacity, Math.exp(low));
      sizes.add(new Size(span, capacity, rate, splitBlockRate(capacity, span)));
    }
    return sizes;
  }

  /** Refuses what is no ratio. */
  public static void checkRate(double rate) {
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

  /** Fewest whole lines that keep the rate, or as many as there can be. */
  private static long linesFor(long capacity, double rate) {
    long low = 1;
    long high = SplitBlockFilter.MAX_LINES;
    while (low < high) {
      long middle = (low + high) >>> 1;
      if (splitBlockRate(capacity, middle * SplitBlockFilter.LANES) <= rate) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return low;
  }

  private static long spanFor(long capacity, double rate) {
    long span = linesFor(capacity, rate) * SplitBlockFilter.LANES;
    if (span > SplitBlockFilter.LANES) {
      // One line less is too small; perhaps a last line that is hit less often is enough.
      for (long less = span - SplitBlockFilter.LANES + 1; less < span; less++) {
        if (splitBlockRate(capacity, less) <= rate) {
          return less;
        }
      }
    }
    return span;
  }

  /** Expected ratio of false positives of {@code n} distinct keys on that many words. */
  public static double splitBlockRate(long n, long span) {
    if (span <= SplitBlockFilter.LANES) {
      return lineRate((double) n);
    }
    long whole = span / SplitBlockFilter.LANES * SplitBlockFilter.LANES;
    double rate = whole * meanLineRate(n, SplitBlockFilter.LANES / (double) span);
    if (span > whole) {
      rate += (span - whole) * meanLineRate(n, (span - whole) / (double) span);
    }
    return rate / span;
  }

  /** Mean rate of a line on which each of {@code n} keys falls with that probability. */
  private static double meanLineRate(long n, double probability) {
    double mean = n * probability;
    if (mean > FULL_LINE_KEYS) {
      return lineRate(mean);
    }
    long last = (long) Math.min((double) n, mean + 12 * Math.sqrt(mean) + 40);
    double weight = Math.exp(n * Math.log1p(-probability));
    double rate = 0;
    for (long j = 0; j <= last; j++) {
      rate += weight * lineRate((double) j);
      weight *= (n - j) / (j + 1.0) * (probability / (1 - probability));
    }
    return rate;
  }

  private static double lineRate(double keys) {
    return Math.pow(1 - Math.pow(MISSED_LANE, keys), SplitBlockFilter.LANES);
  }

  /**
   * Checks memory before it is taken.
   *
   * @throws FilterBuildException when the heap can never hold so much
   */
  public static void checkMemory(long octets) throws FilterBuildException {
    long heap = Runtime.getRuntime().maxMemory();
    if (octets > heap) {
      throw new FilterBuildException(
          ("the filter needs %d MiB and this process has %d MiB of heap; give it more (-Xmx) or ask"
                  + " for a higher rate")
              .formatted(octets >> 20, heap >> 20));
    }
  }
}
