package io.bloomgate.blocklists.filter;

/**
 * Fills a split-block filter. Used by one thread; worthless after {@link #build}.
 *
 * <p>The number of entries is counted by the caller, since a filter cannot tell a new hash from an
 * old one.
 */
public final class SplitBlockFilterBuilder {

  private final FilterSizing.Size size;
  private final long[] words;

  /** An empty filter of that size. */
  public SplitBlockFilterBuilder(FilterSizing.Size size) {
    this.size = size;
    this.words = new long[Math.toIntExact(size.lines() * SplitBlockFilter.LANES)];
  }

  /** Puts a hash in. */
  public void add(long hash) {
    int at = SplitBlockFilter.firstWord(hash, size.span());
    long[] w = words;
    w[at] |= bit(hash * SplitBlockFilter.SALT_0);
    w[at + 1] |= bit(hash * SplitBlockFilter.SALT_1);
    w[at + 2] |= bit(hash * SplitBlockFilter.SALT_2);
    w[at + 3] |= bit(hash * SplitBlockFilter.SALT_3);
    w[at + 4] |= bit(hash * SplitBlockFilter.SALT_4);
    w[at + 5] |= bit(hash * SplitBlockFilter.SALT_5);
    w[at + 6] |= bit(hash * SplitBlockFilter.SALT_6);
    w[at + 7] |= bit(hash * SplitBlockFilter.SALT_7);
  }

  private static long bit(long product) {
    return 1L << (product >>> SplitBlockFilter.LANE_SHIFT);
  }

  /** Puts in what another filter of the same size holds. */
  void or(SplitBlockFilter filter) {
    for (int i = 0; i < words.length; i++) {
      words[i] |= filter.word(i);
    }
  }

  /**
   * The filter.
   *
   * @param entries distinct hashes that were put in
   */
  public SplitBlockFilter build(long entries) {
    return new SplitBlockFilter(words, size.span(), shape(entries));
  }

  private FilterShape shape(long entries) {
    long set = 0;
    double rate = 0;
    for (int line = 0; line < words.length; line += SplitBlockFilter.LANES) {
      // A random hash falls on a line as often as the span has words of it, and tests a bit of each
      // of its lanes, independently.
      double hit = Math.min(SplitBlockFilter.LANES, size.span() - line) / (double) size.span();
      for (int lane = 0; lane < SplitBlockFilter.LANES; lane++) {
        int ones = Long.bitCount(words[line + lane]);
        set += ones;
        hit *= ones / (double) SplitBlockFilter.LANE_BITS;
      }
      rate += hit;
    }
    long bits = (long) words.length * Long.SIZE;
    return new FilterShape(
        FilterKind.SPLIT_BLOCK,
        entries,
        size.capacity(),
        bits,
        SplitBlockFilter.LANES,
        size.askedRate(),
        rate,
        set / (double) bits);
  }
}
