package io.bloomgate.blocklists.filter.kinds;

import io.bloomgate.blocklists.file.DamagedFileException;
import io.bloomgate.blocklists.file.FileHeader;
import io.bloomgate.blocklists.file.PagedFile;
import io.bloomgate.blocklists.file.PagedFileWriter;
import io.bloomgate.blocklists.filter.ClassicSizing;
import io.bloomgate.blocklists.filter.FilterKind;
import io.bloomgate.blocklists.filter.FilterShape;
import io.bloomgate.blocklists.filter.MembershipFilter;
import io.bloomgate.blocklists.filter.SplitMix;
import io.bloomgate.blocklists.filter.WordBody;
import java.io.IOException;
import java.util.List;

/**
 * Bloom's own filter: k bits anywhere in the array for every key. The reference for the other
 * kinds, since its rate is that of the textbook, and the kind that merges without a rule for lines.
 * Asked on any thread; immutable.
 *
 * <p>Bits come by double hashing from two 64-bit halves (Kirsch and Mitzenmacher, "Less Hashing,
 * Same Performance", 2006), the first of which is the hash and the second a mixture of it; a half
 * of 32 bits would repeat itself from about 1e8 keys on. A number becomes a bit by the upper half
 * of its product with the number of bits (Lemire, 2019).
 *
 * <p>In a file: its words, and as measures the set bits, the tests and the bits.
 */
public final class ClassicFilter implements MembershipFilter {

  private static final int MEASURE_SET_BITS = 0;
  private static final int MEASURE_HASHES = 1;
  private static final int MEASURE_BITS = 2;

  private final long[] words;
  private final long bits;
  private final int hashes;
  private final FilterShape shape;

  /** Takes the array over; called by {@link Builder} and {@link #read}. */
  ClassicFilter(long[] words, FilterShape shape) {
    this.words = words;
    this.bits = shape.bits();
    this.hashes = shape.hashes();
    this.shape = shape;
  }

  @Override
  public int probe(long hash) {
    long[] w = words;
    long place = hash;
    long step = SplitMix.second(hash);
    long growth = SplitMix.growth(step);
    long all = 1;
    for (int i = 0; i < hashes; i++) {
      long bit = Math.unsignedMultiplyHigh(place, bits);
      all &= w[(int) (bit >>> 6)] >>> bit;
      place += step;
      step += growth;
    }
    return (int) all;
  }

  /** The bits that are tested for a hash. */
  public static long[] places(long hash, long bits, int hashes) {
    long[] places = new long[hashes];
    long place = hash;
    long step = SplitMix.second(hash);
    long growth = SplitMix.growth(step);
    for (int i = 0; i < hashes; i++) {
      places[i] = Math.unsignedMultiplyHigh(place, bits);
      place += step;
      step += growth;
    }
    return places;
  }

  @Override
  public FilterShape shape() {
    return shape;
  }

  /** 64 bits, the first of them in the lowest one. */
  public long word(int index) {
    return words[index];
  }

  /** The number of words. */
  public int words() {
    return words.length;
  }

  @Override
  public List<Long> write(PagedFileWriter out) throws IOException {
    long setBits = 0;
    for (int i = 0; i < words(); i++) {
      setBits += Long.bitCount(word(i));
      out.putLong(word(i));
    }
    return List.of(setBits, (long) shape().hashes(), shape().bits());
  }

  /** Reads what {@link #write} wrote; every page is proven. */
  static ClassicFilter read(PagedFile file) throws IOException {
    FileHeader header = file.header();
    long octets = file.body().byteSize();
    long bits = header.measure(MEASURE_BITS);
    long hashes = header.measure(MEASURE_HASHES);
    if (bits < 1
        || bits > ClassicSizing.MAX_BITS
        || octets != Math.ceilDiv(bits, Long.SIZE) * Long.BYTES
        || hashes < 1
        || hashes > ClassicSizing.MAX_HASHES
        || header.measure(MEASURE_SET_BITS) < 0
        || header.measure(MEASURE_SET_BITS) > bits) {
      throw new DamagedFileException(file.path(), "has a shape that no classic filter has");
    }
    return new ClassicFilter(
        WordBody.words(file),
        new FilterShape(
            FilterKind.CLASSIC,
            header.entries(),
            header.capacity(),
            bits,
            (int) hashes,
            header.askedRate(),
            header.expectedRate(),
            header.measure(MEASURE_SET_BITS) / (double) bits));
  }

  /** Fills a classic filter. Used by one thread; worthless after {@link #build}. */
  public static final class Builder {

    private final ClassicSizing.Size size;
    private final long[] words;

    /** An empty filter of that size. */
    public Builder(ClassicSizing.Size size) {
      this.size = size;
      this.words = new long[Math.toIntExact(size.words())];
    }

    /** Puts a hash in. */
    public void add(long hash) {
      long[] w = words;
      long place = hash;
      long step = SplitMix.second(hash);
      long growth = SplitMix.growth(step);
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

    /** Keeps what another filter of the same size holds too. */
    void and(ClassicFilter filter) {
      for (int i = 0; i < words.length; i++) {
        words[i] &= filter.word(i);
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
}
