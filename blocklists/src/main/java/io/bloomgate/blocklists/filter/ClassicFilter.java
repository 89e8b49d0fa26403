package io.bloomgate.blocklists.filter;

/**
 * Bloom's own filter: k bits anywhere in the array for every key. The reference for the other
 * kinds, since its rate is that of the textbook, and the kind that merges without a rule for lines.
 * Asked on any thread; immutable.
 *
 * <p>Bits come by double hashing from two 64-bit halves (Kirsch and Mitzenmacher, "Less Hashing,
 * Same Performance", 2006), the first of which is the hash and the second a mixture of it; a half
 * of 32 bits would repeat itself from about 1e8 keys on. A number becomes a bit by the upper half
 * of its product with the number of bits (Lemire, 2019).
 */
public final class ClassicFilter implements MembershipFilter {

  private final long[] words;
  private final long bits;
  private final int hashes;
  private final FilterShape shape;

  /** Takes the array over; called by {@link ClassicFilterBuilder} and {@link ClassicCodec}. */
  ClassicFilter(long[] words, FilterShape shape) {
    this.words = words;
    this.bits = shape.bits();
    this.hashes = shape.hashes();
    this.shape = shape;
  }

  /** The second half: a mixture of the first, made odd. */
  static long second(long hash) {
    return SplitMix.mix(hash) | 1;
  }

  /** What the step grows by. */
  static long growth(long step) {
    return step * 0xd6e8feb86659fd93L;
  }

  @Override
  public int probe(long hash) {
    long[] w = words;
    long place = hash;
    long step = second(hash);
    long growth = growth(step);
    long all = 1;
    for (int i = 0; i < hashes; i++) {
      long bit = Math.unsignedMultiplyHigh(place, bits);
      all &= w[(int) (bit >>> 6)] >>> bit;
      place += step;
      step += growth;
    }
    return (int) all;
  }

  @Override
  public FilterShape shape() {
    return shape;
  }

  long word(int index) {
    return words[index];
  }

  int words() {
    return words.length;
  }
}
