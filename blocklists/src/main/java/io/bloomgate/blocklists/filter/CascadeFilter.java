package io.bloomgate.blocklists.filter;

import io.bloomgate.blocklists.file.DamagedFileException;
import io.bloomgate.blocklists.file.FileHeader;
import io.bloomgate.blocklists.file.PagedFile;
import io.bloomgate.blocklists.file.PagedFileWriter;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/**
 * A split-block filter with an exception for a known-good set: the first level holds what is
 * listed, the second the known-good hashes that hit the first, the third the listed ones that hit
 * the second, and so on until a level hits nothing of the other side. So every listed hash hits and
 * no known-good one does, which its builder proves. As in Larisch and others, "CRLite" (2017).
 * Asked by sessions on any thread; immutable.
 *
 * <p>Only a hit of the first level asks further, so that a clean ask costs what it costs without
 * exceptions; that branch is as rare as false positives are, and read past by the processor.
 *
 * <p>In a file: for each level a row of six words (span, entries, capacity, asked rate, expected
 * rate, set bits), then the words of the levels in their order. Measures: the number of levels, the
 * known-good hashes that are proven and those that are listed.
 */
public final class CascadeFilter implements MembershipFilter {

  private static final int MEASURE_LEVELS = 0;
  private static final int MEASURE_PROVEN = 1;
  private static final int MEASURE_LISTED = 2;
  private static final int ROW_OCTETS = 6 * Long.BYTES;

  private static final ValueLayout.OfLong WORD =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  /**
   * More levels are never needed by random hashes: each holds less than half of the last but one.
   */
  static final int MAX_LEVELS = 32;

  /** Sets the levels' hashes apart: 2 to the 64 divided by the golden ratio. */
  private static final long GOLDEN = 0x9e3779b97f4a7c15L;

  private final SplitBlockFilter first;
  private final SplitBlockFilter[] later;
  private final long proven;
  private final long listed;
  private final FilterShape shape;

  /**
   * Called by {@link CascadeFilterBuilder} and {@link #read}.
   *
   * @param levels at least one
   * @param askedRate ratio of false positives that was asked for
   */
  CascadeFilter(List<SplitBlockFilter> levels, double askedRate, long proven, long listed) {
    this.first = levels.getFirst();
    this.later = levels.subList(1, levels.size()).toArray(SplitBlockFilter[]::new);
    this.proven = proven;
    this.listed = listed;
    this.shape = shape(levels, askedRate);
  }

  @Override
  public int probe(long hash) {
    return first.probe(hash) == 0 ? 0 : confirm(hash);
  }

  @Override
  public long probeAll(long[] hashes, int count) {
    long hits = first.probeAll(hashes, count);
    for (long left = hits; left != 0; left &= left - 1) {
      int i = Long.numberOfTrailingZeros(left);
      hits ^= (1L ^ confirm(hashes[i])) << i;
    }
    return hits;
  }

  /** The answer of the later levels about a hash that hits the first. */
  private int confirm(long hash) {
    int side = 1;
    for (int i = 0; i < later.length; i++) {
      if (later[i].probe(levelHash(hash, i + 1)) == 0) {
        return side;
      }
      side ^= 1;
    }
    return side;
  }

  /**
   * The hash by which a level knows a key. Each level needs its own: with the same one, a hash that
   * hits by chance would hit again where the keys that caused it are held again.
   *
   * @param level 0 for the first, which takes hashes as they are
   */
  static long levelHash(long hash, int level) {
    return level == 0 ? hash : SplitMix.mix(hash + GOLDEN * level);
  }

  /** Known-good hashes that were proven not to hit, as often as they were given. */
  public long proven() {
    return proven;
  }

  /** Known-good hashes that are listed and so hit, as often as they were given. */
  public long listed() {
    return listed;
  }

  @Override
  public FilterShape shape() {
    return shape;
  }

  /** Levels, the first included. */
  int levels() {
    return 1 + later.length;
  }

  SplitBlockFilter level(int index) {
    return index == 0 ? first : later[index - 1];
  }

  private static FilterShape shape(List<SplitBlockFilter> levels, double askedRate) {
    FilterShape listed = levels.getFirst().shape();
    long bits = 0;
    double set = 0;
    double rate = 1;
    for (int i = levels.size() - 1; i >= 0; i--) {
      FilterShape level = levels.get(i).shape();
      bits += level.bits();
      set += level.fill() * level.bits();
      // A level's hit is undone where the next one hits: after the last, nothing undoes.
      rate = level.expectedRate() * (i == levels.size() - 1 ? 1 : 1 - rate);
    }
    return new FilterShape(
        FilterKind.CASCADE,
        listed.entries(),
        listed.capacity(),
        bits,
        listed.hashes(),
        askedRate,
        rate,
        set / bits);
  }

  @Override
  public List<Long> write(PagedFileWriter out) throws IOException {
    for (int i = 0; i < levels(); i++) {
      writeRow(level(i), out);
    }
    for (int i = 0; i < levels(); i++) {
      SplitBlockFilter level = level(i);
      for (int w = 0; w < level.words(); w++) {
        out.putLong(level.word(w));
      }
    }
    return List.of((long) levels(), proven(), listed());
  }

  private static void writeRow(SplitBlockFilter level, PagedFileWriter out) throws IOException {
    FilterShape shape = level.shape();
    long setBits = 0;
    for (int i = 0; i < level.words(); i++) {
      setBits += Long.bitCount(level.word(i));
    }
    out.putLong(level.span());
    out.putLong(shape.entries());
    out.putLong(shape.capacity());
    out.putLong(Double.doubleToRawLongBits(shape.askedRate()));
    out.putLong(Double.doubleToRawLongBits(shape.expectedRate()));
    out.putLong(setBits);
  }

  /** Reads what {@link #write} wrote; every page is proven. */
  static CascadeFilter read(PagedFile file) throws IOException {
    file.verify();
    FileHeader header = file.header();
    long count = header.measure(MEASURE_LEVELS);
    long proven = header.measure(MEASURE_PROVEN);
    long listed = header.measure(MEASURE_LISTED);
    if (count < 1
        || count > MAX_LEVELS
        || !(header.askedRate() > 0 && header.askedRate() < 1)
        || proven < 0
        || listed < 0
        || file.body().byteSize() < count * ROW_OCTETS) {
      throw unlike(file);
    }
    List<SplitBlockFilter> levels = new ArrayList<>();
    long at = count * ROW_OCTETS;
    for (int i = 0; i < count; i++) {
      SplitBlockFilter level = readLevel(file, (long) i * ROW_OCTETS, at);
      levels.add(level);
      at += (long) level.words() * Long.BYTES;
    }
    CascadeFilter cascade = new CascadeFilter(levels, header.askedRate(), proven, listed);
    if (at != file.body().byteSize()
        || cascade.shape().entries() != header.entries()
        || cascade.shape().capacity() != header.capacity()
        || Double.compare(cascade.shape().expectedRate(), header.expectedRate()) != 0) {
      throw unlike(file);
    }
    return cascade;
  }

  private static SplitBlockFilter readLevel(PagedFile file, long row, long at)
      throws DamagedFileException {
    MemorySegment body = file.body();
    long span = body.get(WORD, row);
    long lines = Math.ceilDiv(span, SplitBlockFilter.LANES);
    long setBits = body.get(WORD, row + 5 * Long.BYTES);
    if (span < 1
        || lines > SplitBlockFilter.MAX_LINES
        || lines * SplitBlockFilter.LINE_OCTETS > body.byteSize() - at
        || setBits < 0
        || setBits > lines * SplitBlockFilter.LINE_OCTETS * 8) {
      throw unlike(file);
    }
    long[] words = SplitBlockFilter.array(lines);
    int count = (int) lines * SplitBlockFilter.LANES;
    MemorySegment.copy(body, WORD, at, words, SplitBlockFilter.FRONT, count);
    long bits = (long) count * Long.SIZE;
    return new SplitBlockFilter(
        words,
        span,
        new FilterShape(
            FilterKind.SPLIT_BLOCK,
            body.get(WORD, row + Long.BYTES),
            body.get(WORD, row + 2 * Long.BYTES),
            bits,
            SplitBlockFilter.LANES,
            Double.longBitsToDouble(body.get(WORD, row + 3 * Long.BYTES)),
            Double.longBitsToDouble(body.get(WORD, row + 4 * Long.BYTES)),
            setBits / (double) bits));
  }

  private static DamagedFileException unlike(PagedFile file) {
    return new DamagedFileException(file.path(), "has a shape that no cascade has");
  }
}
