package io.bloomgate.blocklists.filter.kinds;

import io.bloomgate.blocklists.file.PagedFileWriter;
import io.bloomgate.blocklists.filter.AddableFilter;
import io.bloomgate.blocklists.filter.FilterBuildException;
import io.bloomgate.blocklists.filter.FilterShape;
import io.bloomgate.blocklists.filter.FilterSizing;
import io.bloomgate.blocklists.filter.SplitBlockFilter;
import io.bloomgate.blocklists.filter.SplitBlockFilterBuilder;
import io.bloomgate.blocklists.filter.WordBody;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * The lines of a split-block filter, in the heap or in a mapped file: a filter that takes further
 * keys, or that is asked where it lies, a level of a {@link CascadeFilter}, a slice of a {@link
 * ScalableFilter}. On the filter's thread.
 */
final class Lines implements AddableFilter {

  /** Deviations of the hashes that bring lines to a rate: the crowded ones make most of it. */
  static final int DEVIATIONS = 4;

  /**
   * A line of full lanes gives 64^8 = 2^48; this number of bits is cut, so that the sum fits a
   * word.
   */
  private static final int CUT_BITS = 16;

  private static final double FULL_LINE = 0x1p32;
  private static final int LINE_OCTETS = SplitBlockFilter.LANES * Long.BYTES;

  private final MemorySegment words;
  private final FilterSizing.Size size;
  private long entries;

  /** Sum of the lines' shares of the rate, in units of 1 / (span 2^32); -1 until it is asked. */
  private long hits = -1;

  /** Takes the words over. */
  Lines(MemorySegment words, FilterSizing.Size size, long entries) {
    this.words = words;
    this.size = size;
    this.entries = entries;
  }

  /**
   * Empty lines.
   *
   * @throws FilterBuildException when the heap or an array cannot hold them
   */
  static Lines empty(FilterSizing.Size size) throws FilterBuildException {
    FilterSizing.checkMemory(size.octets());
    return new Lines(MemorySegment.ofArray(new long[(int) (size.octets() / Long.BYTES)]), size, 0);
  }

  /** The lines of a filter, which change with these. */
  static Lines of(SplitBlockFilter filter) {
    return new Lines(filter.lines(), FilterKinds.size(filter), filter.shape().entries());
  }

  /** The size of lines in a file. */
  static FilterSizing.Size size(long span) {
    return new FilterSizing.Size(span, 0, 0, 0);
  }

  /** Octets of the lines around a span. */
  static long octets(long span) {
    return size(span).octets();
  }

  @Override
  public int probe(long hash) {
    long at = lineOf(hash);
    long[] bits = bits(hash);
    for (int lane = 0; lane < bits.length; lane++) {
      if ((words.get(WordBody.WORD, at + (long) lane * Long.BYTES) & bits[lane]) == 0) {
        return 0;
      }
    }
    return 1;
  }

  MemorySegment words() {
    return words;
  }

  /** Words that are addressed. */
  long span() {
    return size.span();
  }

  private long lineOf(long hash) {
    return (long) SplitBlockFilter.firstWord(hash, size.span()) * Long.BYTES;
  }

  /** The line of a filter that holds this hash alone. */
  private static long[] bits(long hash) {
    long[] bits = new long[SplitBlockFilter.LANES];
    SplitBlockFilterBuilder.set(bits, 0, hash);
    return bits;
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

  /**
   * Puts a hash in.
   *
   * @return false when the lines would pass this rate; then nothing has changed
   */
  boolean add(long hash, double share) {
    long at = lineOf(hash);
    long[] line = bits(hash);
    long after = hits() - hits(at, new long[line.length]) + hits(at, line);
    if (rate(after) > share) {
      return false;
    }
    set(hash);
    hits = after;
    return true;
  }

  private void set(long hash) {
    long at = lineOf(hash);
    for (long bit : bits(hash)) {
      words.set(WordBody.WORD, at, words.get(WordBody.WORD, at) | bit);
      at += Long.BYTES;
    }
  }

  private long hits() {
    if (hits < 0) {
      long[] none = new long[SplitBlockFilter.LANES];
      hits = 0;
      for (long at = 0; at < words.byteSize(); at += LINE_OCTETS) {
        hits += hits(at, none);
      }
    }
    return hits;
  }

  /** The share of a line that has these bits as well. */
  private long hits(long at, long[] more) {
    // As many words of the span lead to the line.
    long product = Math.min(SplitBlockFilter.LANES, size.span() - at / Long.BYTES);
    for (int lane = 0; lane < more.length; lane++) {
      product *=
          Long.bitCount(words.get(WordBody.WORD, at + (long) lane * Long.BYTES) | more[lane]);
    }
    return product >>> CUT_BITS;
  }

  private double rate(long sum) {
    return sum / (FULL_LINE * size.span());
  }

  /** The lines as a part of a filter that grows. */
  FillEstimate.Part part(long capacity, double share) {
    long bits = words.byteSize() * Byte.SIZE;
    long used = WordBody.setBits(words);
    return new FillEstimate.Part(
        capacity,
        share,
        false,
        bits,
        SplitBlockFilter.LANES,
        used,
        0,
        rate(hits()),
        FillEstimate.ofLines(used / (double) bits, size.span()));
  }

  @Override
  public FilterShape shape() {
    return SplitBlockFilterBuilder.shape(size, words, entries);
  }

  @Override
  public List<Long> write(PagedFileWriter out) throws IOException {
    WordBody.write(out, words);
    return List.of(WordBody.setBits(words), (long) SplitBlockFilter.LANES, size.span());
  }
}
