package io.bloomgate.blocklists.filter;

import io.bloomgate.blocklists.file.DamagedFileException;
import io.bloomgate.blocklists.file.FileHeader;
import io.bloomgate.blocklists.file.PagedFile;
import io.bloomgate.blocklists.file.PagedFileWriter;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * Split-block Bloom filter: a key sets one bit in each of the eight 64-bit lanes of one line of 64
 * octets, the size of a cache line, so that a lookup costs one memory access. Asked by sessions on
 * any thread; immutable.
 *
 * <p>The shape is that of Putze, Sanders and Singler, "Cache-, Hash- and Space-Efficient Bloom
 * Filters" (2007), split into lanes as in Apache Parquet's and Impala's block filters, with 64-bit
 * lanes. Line: the word that is the upper half of hash times span (Lemire, "Fast Random Integer
 * Generation in an Interval", 2019), rounded down to a line; the span is the number of words that
 * are addressed, so the last line is hit less often when the span ends inside it, and sizes are as
 * fine as an eighth of a line. Bit of a lane: the upper 6 bits of hash times an odd constant of the
 * lane (multiply-shift; Dietzfelbinger and others, 1997).
 *
 * <p>In a file: its words, and as measures the set bits, the lanes and the span.
 */
public final class SplitBlockFilter implements MembershipFilter {

  private static final int MEASURE_SET_BITS = 0;
  private static final int MEASURE_HASHES = 1;
  private static final int MEASURE_SPAN = 2;

  /** Lanes of a line, and bits tested for a key. */
  public static final int LANES = 8;

  static final int LANE_BITS = Long.SIZE;
  static final int LINE_OCTETS = LANES * Long.BYTES;

  /**
   * Words before the first line. G1, which serves the gateway, puts a large array at the start of a
   * region, and its elements begin 16 octets later; six words more bring the lines to the borders
   * of cache lines, so that a lookup reads one and not two (measured: 1.2 against 1.7 times a raw
   * read). An array at another place loses nothing.
   */
  static final int FRONT = 6;

  /** More lines do not fit one array (2^31 words, 16 GiB). */
  public static final long MAX_LINES = (Integer.MAX_VALUE - 2 * LANES) / LANES;

  /**
   * The first eight outputs of SplitMix64 from state 0 (Steele, Lea and Flood, "Fast Splittable
   * Pseudorandom Number Generators", 2014), made odd. Part of the file format.
   */
  static final long SALT_0 = 0xe220a8397b1dcdafL;

  static final long SALT_1 = 0x6e789e6aa1b965f5L;
  static final long SALT_2 = 0x06c45d188009454fL;
  static final long SALT_3 = 0xf88bb8a8724c81edL;
  static final long SALT_4 = 0x1b39896a51a8749bL;
  static final long SALT_5 = 0x53cb9f0c747ea2ebL;
  static final long SALT_6 = 0x2c829abe1f4532e1L;
  static final long SALT_7 = 0xc584133ac916ab3dL;

  /** The product's upper 6 bits number a bit of a lane. */
  static final int LANE_SHIFT = Long.SIZE - 6;

  private static final SplitBlockProbe PROBE = SplitBlockProbe.fastest();

  private final long[] words;
  private final long span;
  private final FilterShape shape;

  /**
   * Takes the array over; called by {@link SplitBlockFilterBuilder} and the codecs.
   *
   * @param words {@link #FRONT} words without a meaning, then whole lines
   * @param span words that are addressed: all, or less than a line less
   */
  SplitBlockFilter(long[] words, long span, FilterShape shape) {
    this.words = words;
    this.span = span;
    this.shape = shape;
  }

  /**
   * The instructions that test a line in this process: {@code vector-512}, {@code vector-256} or
   * {@code scalar}. All give the same answers; they depend on the processor and on the module
   * {@code jdk.incubator.vector}, and never change while the process runs.
   */
  public static String instructions() {
    return PROBE.word();
  }

  @Override
  public int probe(long hash) {
    return PROBE.probe(words, FRONT + firstWord(hash, span), hash);
  }

  /**
   * {@inheritDoc}
   *
   * <p>Reads a word of every line before the first line is tested: the reads depend on nothing but
   * the hashes, so the processor has all of them under way at once, where the instructions of whole
   * tests would fill its window after a few.
   */
  @Override
  public long probeAll(long[] hashes, int count) {
    long[] w = words;
    long read = 0;
    for (int i = 0; i < count; i++) {
      read |= w[FRONT + firstWord(hashes[i], span)];
    }
    // The first lanes are all empty: no hash is inside. Gives the reads a use, so that they stay.
    if (read == 0) {
      return 0;
    }
    long hits = 0;
    for (int i = 0; i < count; i++) {
      hits |= (long) PROBE.probe(w, FRONT + firstWord(hashes[i], span), hashes[i]) << i;
    }
    return hits;
  }

  /** The salts of the lanes in order. */
  static long[] salts() {
    return new long[] {SALT_0, SALT_1, SALT_2, SALT_3, SALT_4, SALT_5, SALT_6, SALT_7};
  }

  /** An array for this number of empty lines. */
  static long[] array(long lines) {
    return new long[Math.toIntExact(lines * LANES) + FRONT];
  }

  /** Index of the first word of the hash's line, counted from the first line. */
  public static int firstWord(long hash, long span) {
    return (int) Math.unsignedMultiplyHigh(hash, span) & -LANES;
  }

  @Override
  public FilterShape shape() {
    return shape;
  }

  /** Words that are addressed. */
  public long span() {
    return span;
  }

  /** The lines; who changes them changes the filter. */
  public MemorySegment lines() {
    return MemorySegment.ofArray(words).asSlice((long) FRONT * Long.BYTES);
  }

  @Override
  public List<Long> write(PagedFileWriter out) throws IOException {
    WordBody.write(out, lines());
    return List.of(WordBody.setBits(lines()), (long) shape().hashes(), span());
  }

  /** Reads what {@link #write} wrote; every page is proven. */
  static SplitBlockFilter read(PagedFile file) throws IOException {
    FileHeader header = file.header();
    long octets = file.body().byteSize();
    return new SplitBlockFilter(
        WordBody.words(file, FRONT),
        span(file),
        FilterShape.of(
            FilterKind.SPLIT_BLOCK,
            header,
            octets * 8,
            LANES,
            header.measure(MEASURE_SET_BITS) / (octets * 8.0)));
  }

  /** The span of a filter in a file, whose measures are proven to fit its length. */
  public static long span(PagedFile file) throws DamagedFileException {
    FileHeader header = file.header();
    long octets = file.body().byteSize();
    long span = header.measure(MEASURE_SPAN);
    FilterFile.check(
        file,
        octets > 0
            && octets % LINE_OCTETS == 0
            && octets / LINE_OCTETS <= MAX_LINES
            && Math.ceilDiv(span, LANES) == octets / LINE_OCTETS
            && header.measure(MEASURE_HASHES) == LANES
            && header.measure(MEASURE_SET_BITS) >= 0
            && header.measure(MEASURE_SET_BITS) <= octets * Byte.SIZE);
    return span;
  }
}
