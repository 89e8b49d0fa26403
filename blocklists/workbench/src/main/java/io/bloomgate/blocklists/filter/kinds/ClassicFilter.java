package io.bloomgate.blocklists.filter.kinds;

import io.bloomgate.blocklists.file.FileHeader;
import io.bloomgate.blocklists.file.PagedFile;
import io.bloomgate.blocklists.file.PagedFileWriter;
import io.bloomgate.blocklists.filter.AddableFilter;
import io.bloomgate.blocklists.filter.ClassicSizing;
import io.bloomgate.blocklists.filter.FilterBuildException;
import io.bloomgate.blocklists.filter.FilterFile;
import io.bloomgate.blocklists.filter.FilterKind;
import io.bloomgate.blocklists.filter.FilterShape;
import io.bloomgate.blocklists.filter.FilterSizing;
import io.bloomgate.blocklists.filter.HashSource;
import io.bloomgate.blocklists.filter.SplitMix;
import io.bloomgate.blocklists.filter.WordBody;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.List;
import java.util.function.LongConsumer;

/**
 * Bloom's own filter: k bits anywhere in the array for every key. The reference for the other
 * kinds, since its rate is that of the textbook, and the kind that merges without a rule for lines.
 * Asked on any thread; changed by one.
 *
 * <p>Bits come by double hashing from two 64-bit halves (Kirsch and Mitzenmacher, "Less Hashing,
 * Same Performance", 2006), the first of which is the hash and the second a mixture of it; a half
 * of 32 bits would repeat itself from about 1e8 keys on. A number becomes a bit by the upper half
 * of its product with the number of bits (Lemire, 2019).
 *
 * <p>In a file: its words, and as measures the set bits, the tests and the bits.
 */
public final class ClassicFilter implements AddableFilter {

  private static final int MEASURE_SET_BITS = 0;
  private static final int MEASURE_HASHES = 1;
  private static final int MEASURE_BITS = 2;

  private static final VarHandle BITS =
      ValueLayout.JAVA_LONG.withOrder(ByteOrder.LITTLE_ENDIAN).varHandle();

  private final MemorySegment words;
  private final ClassicSizing.Size size;
  private long entries;

  /** Takes the words over. */
  ClassicFilter(MemorySegment words, ClassicSizing.Size size, long entries) {
    this.words = words;
    this.size = size;
    this.entries = entries;
  }

  @Override
  public int probe(long hash) {
    long place = hash;
    long step = SplitMix.second(hash);
    long growth = SplitMix.growth(step);
    long all = 1;
    for (int i = 0; i < size.hashes(); i++) {
      long bit = Math.unsignedMultiplyHigh(place, size.bits());
      all &= words.get(WordBody.WORD, bit >>> 6 << 3) >>> bit;
      place += step;
      step += growth;
    }
    return (int) all;
  }

  /** Sets the bits of a hash; several threads may at once. */
  private void set(long hash) {
    for (long bit : SplitMix.places(hash, size.bits(), size.hashes())) {
      BITS.getAndBitwiseOr(words, bit >>> 6 << 3, 1L << bit);
    }
  }

  /** A filter of that size with all hashes of some parts, each of which a thread puts in. */
  static ClassicFilter build(ClassicSizing.Size size, HashSource hashes)
      throws FilterBuildException {
    FilterSizing.checkMemory(size.words() * Long.BYTES);
    ClassicFilter filter =
        new ClassicFilter(MemorySegment.ofArray(new long[Math.toIntExact(size.words())]), size, 0);
    filter.entries =
        hashes.parts().parallelStream().mapToLong(part -> walk(part, filter::set)).sum();
    return filter;
  }

  /** Gives all hashes to a taker; returns how many there were. */
  static long walk(HashSource hashes, LongConsumer taker) {
    long[] count = {0};
    hashes.forEach(hash -> {
      taker.accept(hash);
      count[0]++;
    });
    return count[0];
  }

  /**
   * Puts a hash in; one that hits already needs no bits and is not counted.
   *
   * @return false when as many are inside as it is made for; then nothing has changed
   */
  @Override
  public boolean add(long hash) {
    if (probe(hash) == 0) {
      if (entries >= size.capacity()) {
        return false;
      }
      set(hash);
      entries++;
    }
    return true;
  }

  @Override
  public FilterShape shape() {
    double fill = WordBody.setBits(words) / (double) size.bits();
    return new FilterShape(
        FilterKind.CLASSIC,
        entries,
        size.capacity(),
        size.bits(),
        size.hashes(),
        size.askedRate(),
        Math.pow(fill, size.hashes()),
        fill);
  }

  /** 64 bits in each, the first of them in the lowest one; who changes them changes the filter. */
  public MemorySegment words() {
    return words;
  }

  @Override
  public List<Long> write(PagedFileWriter out) throws IOException {
    WordBody.write(out, words);
    return List.of(WordBody.setBits(words), (long) size.hashes(), size.bits());
  }

  /** Reads what {@link #write} wrote; every page is proven. */
  static ClassicFilter read(PagedFile file, boolean mapped) throws IOException {
    FileHeader header = file.header();
    long bits = header.measure(MEASURE_BITS);
    long hashes = header.measure(MEASURE_HASHES);
    FilterFile.check(
        file,
        bits >= 1
            && bits <= ClassicSizing.MAX_BITS
            && file.body().byteSize() == Math.ceilDiv(bits, Long.SIZE) * Long.BYTES
            && hashes >= 1
            && hashes <= ClassicSizing.MAX_HASHES);
    MemorySegment words = WordBody.body(file, mapped);
    FilterFile.check(file, WordBody.setBits(words) == header.measure(MEASURE_SET_BITS));
    return new ClassicFilter(
        words,
        new ClassicSizing.Size(
            bits, (int) hashes, header.capacity(), header.askedRate(), header.expectedRate()),
        header.entries());
  }
}
