package io.bloomgate.blocklists.filter;

/** Fills a classic filter. Used by one thread; worthless after {@link #build}. */
public final class ClassicFilterBuilder {

  private final ClassicSizing.Size size;
  private final long[] words;

  /** An empty filter of that size. */
  public ClassicFilterBuilder(ClassicSizing.Size size) {
    this.size = size;
    this.words = new long[Math.toIntExact(size.words())];
  }

  /** Puts a hash in. */
  public void add(long hash) {
    long[] w = words;
    long place = hash;
    long step = ClassicFilter.second(hash);
    long growth = ClassicFilter.growth(step);
    for (int i = 0; i < size.hashes(); i++) {
      long bit = Math.unsignedMultiplyHigh(place, size.bits());
      w[(int) (bit >>> 6)] |= 1L << bit;
      place += step;
      step += growth;
    }
  }

  /** Puts in what another filter of the same size holds. */
  void or(ClassicFilter filter) {
    for (int i = 0; i < words.length; i++) {
      words[i] |= filter.word(i);
    }
  }

  /**
   * The filter.
   *
   * @param entries distinct hashes that were put in
   */
  public ClassicFilter build(long entries) {
    long set = 0;
    for (long word : words) {
      set += Long.bitCount(word);
    }
    double fill = set / (double) size.bits();
    return new ClassicFilter(
        words,
        new FilterShape(
            FilterKind.CLASSIC,
            entries,
            size.capacity(),
            size.bits(),
            size.hashes(),
            size.askedRate(),
            Math.pow(fill, size.hashes()),
            fill));
  }
}
