package io.bloomgate.blocklists.filter.kinds;

import io.bloomgate.blocklists.file.PagedFileWriter;
import io.bloomgate.blocklists.filter.FilterBuildException;
import io.bloomgate.blocklists.filter.FilterSizing;
import io.bloomgate.blocklists.filter.SplitBlockFilter;
import io.bloomgate.blocklists.filter.SplitBlockFilterBuilder;
import io.bloomgate.blocklists.filter.WordBody;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * The lines of a split-block filter, in the heap or in a mapped file: a slice of a {@link
 * ScalableFilter}, or a whole filter that is asked where it lies. On the filter's thread.
 */
final class Lines implements SlicedFilter.Slice {

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
  private final long span;

  /** Sum of the lines' shares of the rate, in units of 1 / (span 2^32); -1 until it is asked. */
  private long hits = -1;

  /** Takes the words over. */
  Lines(MemorySegment words, long span) {
    this.words = words;
    this.span = span;
  }

  /**
   * An empty slice.
   *
   * @throws FilterBuildException when the heap or an array cannot hold it
   */
  static Lines of(SlicePlan plan, int slice) throws FilterBuildException {
    FilterSizing.Size size =
        FilterSizing.splitBlock(plan.padded(slice, DEVIATIONS), plan.share(slice));
    FilterSizing.checkMemory(size.octets());
    return new Lines(
        MemorySegment.ofArray(new long[(int) (size.octets() / Long.BYTES)]), size.span());
  }

  /** Octets of the lines around a span. */
  static long octets(long span) {
    return Math.ceilDiv(span, SplitBlockFilter.LANES) * LINE_OCTETS;
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

  /** Words that are addressed. */
  long span() {
    return span;
  }

  private long lineOf(long hash) {
    return (long) SplitBlockFilter.firstWord(hash, span) * Long.BYTES;
  }

  /** The line of a filter that holds this hash alone. */
  private static long[] bits(long hash) {
    long[] bits = new long[SplitBlockFilter.LANES];
    SplitBlockFilterBuilder.set(bits, 0, hash);
    return bits;
  }

  /**
   * Puts a hash in.
   *
   * @return false when the slice would pass its share of the rate; then nothing has changed
   */
  boolean add(long hash, double share) {
    long at = lineOf(hash);
    long[] line = bits(hash);
    long after = hits() - hits(at, new long[line.length]) + hits(at, line);
    if (rate(after) > share) {
      return false;
    }
    for (int lane = 0; lane < line.length; lane++) {
      long octet = at + (long) lane * Long.BYTES;
      words.set(WordBody.WORD, octet, words.get(WordBody.WORD, octet) | line[lane]);
    }
    hits = after;
    return true;
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
    long product = Math.min(SplitBlockFilter.LANES, span - at / Long.BYTES);
    for (int lane = 0; lane < more.length; lane++) {
      product *=
          Long.bitCount(words.get(WordBody.WORD, at + (long) lane * Long.BYTES) | more[lane]);
    }
    return product >>> CUT_BITS;
  }

  private double rate(long sum) {
    return sum / (FULL_LINE * span);
  }

  @Override
  public double rate() {
    return rate(hits());
  }

  @Override
  public long bits() {
    return words.byteSize() * Byte.SIZE;
  }

  @Override
  public int hashes() {
    return SplitBlockFilter.LANES;
  }

  @Override
  public long used() {
    return WordBody.setBits(words);
  }

  @Override
  public long places() {
    return bits();
  }

  @Override
  public long overflowed() {
    return 0;
  }

  @Override
  public FillEstimate estimate() {
    return FillEstimate.ofLines(used() / (double) bits(), span);
  }

  @Override
  public List<Long> write(PagedFileWriter out) throws IOException {
    WordBody.write(out, words);
    return List.of(span);
  }
}
