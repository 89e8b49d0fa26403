package io.bloomgate.blocklists.filter.kinds;

import io.bloomgate.blocklists.filter.FilterBuildException;
import io.bloomgate.blocklists.filter.FilterSizing;
import io.bloomgate.blocklists.filter.SplitBlockFilter;
import io.bloomgate.blocklists.filter.SplitBlockFilterBuilder;
import io.bloomgate.blocklists.filter.SplitBlockProbe;

/**
 * One slice of a {@link ScalableFilter}: the lines of a split-block filter, and the rate that their
 * bits give, kept up to date by each addition. On the filter's thread.
 */
final class LineSlice {

  private static final SplitBlockProbe PROBE = SplitBlockProbe.fastest();

  /** Deviations of the hashes that bring lines to a rate: the crowded ones make most of it. */
  private static final int DEVIATIONS = 4;

  /**
   * A line of full lanes gives 64^8 = 2^48; this number of bits is cut, so that the sum fits a
   * word.
   */
  private static final int CUT_BITS = 16;

  private static final double FULL_LINE = 0x1p32;

  private final long[] words;
  private final long span;

  /** Sum of the lines' shares of the rate, in units of 1 / (span 2^32). */
  private long hits;

  /**
   * An empty slice.
   *
   * @throws FilterBuildException when the heap or an array cannot hold it
   */
  static LineSlice of(SlicePlan plan, int slice) throws FilterBuildException {
    FilterSizing.Size size =
        FilterSizing.splitBlock(plan.padded(slice, DEVIATIONS), plan.share(slice));
    FilterSizing.checkMemory(size.octets());
    return new LineSlice(new long[(int) (size.octets() / Long.BYTES)], size.span());
  }

  /** Takes the words over and computes their rate. */
  LineSlice(long[] words, long span) {
    this.words = words;
    this.span = span;
    for (int line = 0; line < words.length; line += SplitBlockFilter.LANES) {
      hits += hits(line);
    }
  }

  int probe(long hash) {
    return PROBE.probe(words, SplitBlockFilter.firstWord(hash, span), hash);
  }

  /**
   * Puts a hash in.
   *
   * @return false when the slice would pass its share of the rate; then nothing has changed
   */
  boolean add(long hash, double share) {
    int line = SplitBlockFilter.firstWord(hash, span);
    long after = hits - hits(line) + hitsWith(line, hash);
    if (rate(after) > share) {
      return false;
    }
    SplitBlockFilterBuilder.set(words, line, hash);
    hits = after;
    return true;
  }

  private long hits(int line) {
    long product = 1;
    for (int lane = 0; lane < SplitBlockFilter.LANES; lane++) {
      product *= Long.bitCount(words[line + lane]);
    }
    return (product * weight(line)) >>> CUT_BITS;
  }

  /** The hits that the line would have with the bits of the hash. */
  private long hitsWith(int line, long hash) {
    long[] copy = new long[SplitBlockFilter.LANES];
    System.arraycopy(words, line, copy, 0, SplitBlockFilter.LANES);
    SplitBlockFilterBuilder.set(copy, 0, hash);
    long product = 1;
    for (long lane : copy) {
      product *= Long.bitCount(lane);
    }
    return (product * weight(line)) >>> CUT_BITS;
  }

  /** Words of the span that lead to the line. */
  private long weight(int line) {
    return Math.min(SplitBlockFilter.LANES, span - line);
  }

  private double rate(long sum) {
    return sum / (FULL_LINE * span);
  }

  /** Ratio of random hashes that hit. */
  double rate() {
    return rate(hits);
  }

  long setBits() {
    long set = 0;
    for (long word : words) {
      set += Long.bitCount(word);
    }
    return set;
  }

  long span() {
    return span;
  }

  long[] words() {
    return words;
  }
}
