package io.bloomgate.blocklists.filter.kinds;

import io.bloomgate.blocklists.filter.ClassicSizing;
import io.bloomgate.blocklists.filter.CounterArray;
import io.bloomgate.blocklists.filter.FilterBuildException;
import io.bloomgate.blocklists.filter.FilterKind;
import io.bloomgate.blocklists.filter.FilterSizing;
import io.bloomgate.blocklists.filter.SplitBlockFilter;
import java.math.BigDecimal;
import java.math.MathContext;

/**
 * The size that a filter of a kind will have, and its rate, before there is one. Immutable.
 *
 * @param bits of its array
 * @param hashes places that a lookup reads
 * @param rate ratio of false positives to be expected when it holds the keys that it is made for
 */
public record PlannedSize(long bits, int hashes, double rate) {

  /** Halvings of a logarithmic interval of rates. */
  private static final int RATE_STEPS = 40;

  private static final double HIGHEST_RATE = 0.999;

  private static final String TOO_LARGE = "is larger than one array holds";

  /**
   * The smallest filter that keeps a rate.
   *
   * @param hashes places of a key where the kind leaves a choice, 0 for the best number
   * @throws FilterBuildException when the kind does not reach the rate, or is too large
   */
  public static PlannedSize byRate(FilterKind kind, long entries, double rate, int hashes)
      throws FilterBuildException {
    if (rate < FilterKinds.lowestRate(kind)) {
      throw new FilterBuildException("does not reach this rate");
    }
    try {
      return sized(kind, entries, rate, hashes);
    } catch (FilterBuildException e) {
      throw new FilterBuildException(TOO_LARGE);
    }
  }

  private static PlannedSize sized(FilterKind kind, long entries, double rate, int hashes)
      throws FilterBuildException {
    return switch (kind) {
      case SPLIT_BLOCK, CASCADE -> lines(entries, entries, rate);
      case CLASSIC -> of(ClassicSizing.byRate(entries, rate, hashes), 1);
      case COUNTING -> of(ClassicSizing.byRate(entries, rate, hashes), CounterArray.COUNTER_BITS);
      case SCALABLE -> {
        SlicedFilter.Plan plan = SlicedFilter.Plan.of(entries, rate);
        yield lines(entries, plan.padded(0, Lines.DEVIATIONS), plan.share(0));
      }
      case SCALABLE_COUNTING -> {
        SlicedFilter.Plan plan = SlicedFilter.Plan.of(entries, rate);
        ClassicSizing.Size size =
            ClassicSizing.byRate(
                plan.padded(0, ScalableCountingFilter.DEVIATIONS), plan.share(0), hashes);
        yield new PlannedSize(
            size.bits() * CounterArray.COUNTER_BITS,
            size.hashes(),
            ClassicSizing.rate(entries, (double) size.bits(), size.hashes()));
      }
      case FUSE8, FUSE16 -> fuse(kind, entries);
      case CUCKOO -> cuckoo(entries, rate);
    };
  }

  /**
   * The filter with the lowest rate that fits.
   *
   * @param bits of its array, at most
   * @throws FilterBuildException when even the highest rate needs more
   */
  public static PlannedSize byBits(FilterKind kind, long entries, long bits, int hashes)
      throws FilterBuildException {
    int place =
        switch (kind) {
          case CLASSIC -> 1;
          case COUNTING -> CounterArray.COUNTER_BITS;
          default -> 0;
        };
    if (place > 0 && bits / place > ClassicSizing.MAX_BITS) {
      throw new FilterBuildException(TOO_LARGE);
    }
    if (place > 0) {
      PlannedSize size = of(ClassicSizing.byBits(entries, bits / place, hashes), place);
      if (size.bits > bits) {
        throw new FilterBuildException("does not fit");
      }
      return size;
    }
    if (!fits(kind, entries, HIGHEST_RATE, bits, hashes)) {
      throw new FilterBuildException("does not fit");
    }
    double fitting = Math.log(HIGHEST_RATE);
    double low = Math.log(FilterKinds.lowestRate(kind));
    if (fits(kind, entries, FilterKinds.lowestRate(kind), bits, hashes)) {
      return byRate(kind, entries, FilterKinds.lowestRate(kind), hashes);
    }
    for (int i = 0; i < RATE_STEPS; i++) {
      double middle = (low + fitting) / 2;
      if (fits(kind, entries, Math.exp(middle), bits, hashes)) {
        fitting = middle;
      } else {
        low = middle;
      }
    }
    return byRate(kind, entries, Math.exp(fitting), hashes);
  }

  private static boolean fits(FilterKind kind, long entries, double rate, long bits, int hashes) {
    try {
      return byRate(kind, entries, rate, hashes).bits <= bits;
    } catch (FilterBuildException e) {
      // No array holds it, so it does not fit either.
      return false;
    }
  }

  /** The number of bits below which no filter with this rate exists: n log2(1/p). */
  public static double lowerBound(long entries, double rate) {
    // A rate that is too low for a number is taken for the lowest number.
    return entries * -Math.log(Math.max(rate, Double.MIN_VALUE)) / Math.log(2);
  }

  private static PlannedSize of(ClassicSizing.Size size, int bitsOfAPlace) {
    return new PlannedSize(size.bits() * bitsOfAPlace, size.hashes(), size.plannedRate());
  }

  /**
   * Lines made for some keys at some rate.
   *
   * @param entries that they hold in the end
   */
  private static PlannedSize lines(long entries, long capacity, double rate)
      throws FilterBuildException {
    FilterSizing.Size size = FilterSizing.splitBlock(capacity, rate);
    return new PlannedSize(
        size.octets() * Byte.SIZE,
        SplitBlockFilter.LANES,
        FilterSizing.splitBlockRate(entries, size.span()));
  }

  private static PlannedSize fuse(FilterKind kind, long entries) throws FilterBuildException {
    long slots = FuseFilter.Builder.layout(entries, 0).slots();
    if (entries > FuseFilter.MAX_SLOTS || slots > FuseFilter.MAX_SLOTS) {
      throw new FilterBuildException(TOO_LARGE);
    }
    return new PlannedSize(
        slots * FuseFilter.width(kind), FuseFilter.ARITY, FuseFilter.Builder.rate(kind));
  }

  private static PlannedSize cuckoo(long entries, double rate) throws FilterBuildException {
    CuckooTable size = CuckooTable.sized(entries, rate);
    return new PlannedSize(
        size.slots() * size.width(),
        2,
        CuckooTable.COMPARED_SLOTS
            * (entries / (double) size.slots())
            / CuckooTable.fingerprints(size.width()));
  }

  /**
   * Computes sizes as Apache Cassandra (5.0, class {@code BloomCalculations}) does for a Bloom
   * filter: by a table of rates for 1 to 20 whole bits an entry and some numbers of tests, rounded
   * to three digits. Asked for a rate it takes the fewest bits that keep it, then the fewest tests;
   * asked for bits it takes the best number of tests. Pure; its table is computed here from the
   * formula.
   */
  public static final class Cassandra {

    /** The table ends here; lower rates than 6.71e-5 are refused. */
    public static final int MOST_BITS = 20;

    /** Bits that are added to every filter. */
    private static final int EXCESS = 20;

    private static final MathContext THREE_DIGITS = new MathContext(3);

    /**
     * The rate from which on every rate gets two tests in one bit: that of one test and two bits.
     */
    private static final double HIGH_RATE = entry(2, 1);

    private Cassandra() {}

    /**
     * The bits and tests of a filter there.
     *
     * @param bits an entry
     * @param hashes tests
     */
    public record Choice(int bits, int hashes) {

      /** A filter of it. */
      public PlannedSize size(long entries) {
        long words = Math.ceilDiv(entries * bits + EXCESS, Long.SIZE);
        return new PlannedSize(
            words * Long.SIZE,
            hashes,
            ClassicSizing.rate(entries, (double) words * Long.SIZE, hashes));
      }

      /** The rate that its table has for it. */
      public double rate() {
        return entry(bits, hashes);
      }
    }

    /**
     * The size that Cassandra chooses for a rate.
     *
     * @throws FilterBuildException when its table has no such rate
     */
    public static Choice byRate(double rate) throws FilterBuildException {
      if (rate >= HIGH_RATE) {
        // Its code gives bits and tests in the wrong order here, and gets a rate of 75 %.
        return new Choice(1, 2);
      }
      int bits = 2;
      while (bits <= MOST_BITS && entry(bits, best(bits)) > rate) {
        bits++;
      }
      if (bits > MOST_BITS) {
        throw new FilterBuildException("does not reach this rate (its table ends at 6.71e-5)");
      }
      int hashes = best(bits);
      while (hashes > 1 && entry(bits, hashes - 1) <= rate) {
        hashes--;
      }
      return new Choice(bits, hashes);
    }

    /**
     * The size that Cassandra chooses for whole bits an entry; more than 20 are taken for 20.
     *
     * @throws FilterBuildException when there is less than one
     */
    public static Choice byBits(long bitsPerEntry) throws FilterBuildException {
      if (bitsPerEntry < 1) {
        throw new FilterBuildException("needs a whole bit an entry");
      }
      int bits = (int) Math.min(MOST_BITS, bitsPerEntry);
      return new Choice(bits, best(bits));
    }

    /** An entry of the table. */
    private static double entry(int bits, int hashes) {
      double rate = ClassicSizing.rate(1, (double) bits, hashes);
      return new BigDecimal(rate).round(THREE_DIGITS).doubleValue();
    }

    /** The number of tests with the lowest rate of the row. */
    private static int best(int bits) {
      int best = 1;
      for (int hashes = 2; hashes <= bits; hashes++) {
        if (entry(bits, hashes) < entry(bits, best)) {
          best = hashes;
        }
      }
      return best;
    }
  }
}
