package io.bloomgate.blocklists.filter.kinds;

import io.bloomgate.blocklists.filter.ClassicSizing;
import io.bloomgate.blocklists.filter.FilterBuildException;
import java.math.BigDecimal;
import java.math.MathContext;

/**
 * Computes sizes as Apache Cassandra (5.0, class {@code BloomCalculations}) does for a Bloom
 * filter: by a table of rates for 1 to 20 whole bits an entry and some numbers of tests, rounded to
 * three digits. Asked for a rate it takes the fewest bits that keep it, then the fewest tests;
 * asked for bits it takes the best number of tests. Pure; its table is computed here from the
 * formula.
 */
public final class CassandraSizing {

  /** The table ends here; lower rates than 6.71e-5 are refused. */
  public static final int MOST_BITS = 20;

  /** Bits that are added to every filter. */
  private static final int EXCESS = 20;

  private static final MathContext THREE_DIGITS = new MathContext(3);

  /** The rate from which on every rate gets two tests in one bit: that of one test and two bits. */
  private static final double HIGH_RATE = entry(2, 1);

  private CassandraSizing() {}

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
