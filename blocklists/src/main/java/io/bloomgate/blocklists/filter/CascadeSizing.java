package io.bloomgate.blocklists.filter;

import io.bloomgate.blocklists.filter.FilterSizing.Size;

/**
 * How large the levels of a cascade are. Pure; used by its builder.
 *
 * <p>Levels are split-block filters: they reach any rate, take tiny sets in one line of 64 octets,
 * answer with one memory access, and cannot fail to be built. A fuse level would have 1/256 or
 * nothing, and three accesses.
 */
final class CascadeSizing {

  /** What a hash costs in the level after the next, about, whatever that one's rate. */
  private static final double BITS_LATER = 10;

  /** Rates that are tried: each half of the one before. */
  private static final int RATES = 21;

  /** A level must halve what the next one has to hold, or the cascade would not end soon. */
  static final double HIGHEST_LATER_RATE = 0.5;

  private CascadeSizing() {}

  /**
   * The size of a level that makes it and those after it smallest together.
   *
   * @param own hashes that it holds
   * @param others hashes of the other side; those that hit must be held by the next level
   * @param highestRate that the level may have
   */
  static Size level(long own, long others, double highestRate) throws FilterBuildException {
    Size best = FilterSizing.splitBlock(own, highestRate);
    double least = cost(best, others);
    double rate = highestRate;
    for (int i = 1; i < RATES && others > 0; i++) {
      rate /= 2;
      if (rate < FilterFactory.lowestRate(FilterKind.CASCADE)) {
        break;
      }
      Size size = FilterSizing.splitBlock(own, rate);
      double cost = cost(size, others);
      if (cost < least) {
        least = cost;
        best = size;
      }
    }
    return best;
  }

  private static double cost(Size size, long others) {
    return size.octets() * 8.0 + others * size.plannedRate() * BITS_LATER;
  }
}
