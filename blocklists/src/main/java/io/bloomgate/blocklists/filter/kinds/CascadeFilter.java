package io.bloomgate.blocklists.filter.kinds;

import io.bloomgate.blocklists.file.FileHeader;
import io.bloomgate.blocklists.file.PagedFile;
import io.bloomgate.blocklists.file.PagedFileWriter;
import io.bloomgate.blocklists.filter.FilterFile;
import io.bloomgate.blocklists.filter.FilterKind;
import io.bloomgate.blocklists.filter.FilterShape;
import io.bloomgate.blocklists.filter.MembershipFilter;
import io.bloomgate.blocklists.filter.SplitBlockFilter;
import io.bloomgate.blocklists.filter.SplitMix;
import io.bloomgate.blocklists.filter.WordBody;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/**
 * A split-block filter with an exception for a known-good set: the first level holds what is
 * listed, the second the known-good hashes that hit the first, the third the listed ones that hit
 * the second, and so on until a level hits nothing of the other side. So every listed hash hits and
 * no known-good one does, which its builder proves. As in Larisch and others, "CRLite" (2017).
 * Asked on any thread; immutable.
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

  /**
   * More levels are never needed by random hashes: each holds less than half of the last but one.
   */
  static final int MAX_LEVELS = 32;

  /** Sets the levels' hashes apart: 2 to the 64 divided by the golden ratio. */
  private static final long GOLDEN = 0x9e3779b97f4a7c15L;

  private final List<Level> levels;
  private final long proven;
  private final long listed;
  private final FilterShape shape;

  /** A level. Immutable. */
  record Level(Lines lines, FilterShape shape) {
    static Level of(SplitBlockFilter filter) {
      return new Level(new Lines(filter.lines(), filter.span()), filter.shape());
    }
  }

  /**
   * Called by {@link CascadeFilterBuilder} and {@link #read}.
   *
   * @param levels at least one
   * @param askedRate ratio of false positives that was asked for
   */
  CascadeFilter(List<Level> levels, double askedRate, long proven, long listed) {
    this.levels = List.copyOf(levels);
    this.proven = proven;
    this.listed = listed;
    this.shape = shape(levels, askedRate);
  }

  @Override
  public int probe(long hash) {
    int level = 0;
    while (level < levels.size() && levels.get(level).lines.probe(levelHash(hash, level)) != 0) {
      level++;
    }
    // The listed keys are in the first level, the third and so on.
    return level & 1;
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

  List<Level> levels() {
    return levels;
  }

  private static FilterShape shape(List<Level> levels, double askedRate) {
    FilterShape listed = levels.getFirst().shape;
    long bits = 0;
    double set = 0;
    double rate = 1;
    for (int i = levels.size() - 1; i >= 0; i--) {
      FilterShape level = levels.get(i).shape;
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
    for (Level level : levels) {
      out.putLong(level.lines.span());
      out.putLong(level.shape.entries());
      out.putLong(level.shape.capacity());
      out.putLong(Double.doubleToRawLongBits(level.shape.askedRate()));
      out.putLong(Double.doubleToRawLongBits(level.shape.expectedRate()));
      out.putLong(level.lines.used());
    }
    for (Level level : levels) {
      level.lines.write(out);
    }
    return List.of((long) levels.size(), proven, listed);
  }

  /** Reads what {@link #write} wrote; every page is proven. */
  static CascadeFilter read(PagedFile file, boolean mapped) throws IOException {
    FileHeader header = file.header();
    long count = header.measure(MEASURE_LEVELS);
    long proven = header.measure(MEASURE_PROVEN);
    long listed = header.measure(MEASURE_LISTED);
    MemorySegment body = WordBody.body(file, mapped);
    FilterFile.check(
        file,
        count >= 1
            && count <= MAX_LEVELS
            && header.askedRate() > 0
            && header.askedRate() < 1
            && proven >= 0
            && listed >= 0
            && body.byteSize() >= count * ROW_OCTETS);
    List<Level> levels = new ArrayList<>();
    long at = count * ROW_OCTETS;
    for (int i = 0; i < count; i++) {
      MemorySegment row = body.asSlice((long) i * ROW_OCTETS, ROW_OCTETS);
      long span = row.get(WordBody.WORD, 0);
      FilterFile.check(
          file,
          span >= 1
              && span <= SplitBlockFilter.MAX_LINES * SplitBlockFilter.LANES
              && Lines.octets(span) <= body.byteSize() - at);
      Lines lines = new Lines(body.asSlice(at, Lines.octets(span)), span);
      FilterFile.check(file, row.get(WordBody.WORD, 5 * Long.BYTES) == lines.used());
      levels.add(new Level(lines, shape(row, lines)));
      at += Lines.octets(span);
    }
    CascadeFilter cascade = new CascadeFilter(levels, header.askedRate(), proven, listed);
    FilterFile.check(
        file,
        at == body.byteSize()
            && cascade.shape.entries() == header.entries()
            && cascade.shape.capacity() == header.capacity()
            && Double.compare(cascade.shape.expectedRate(), header.expectedRate()) == 0);
    return cascade;
  }

  private static FilterShape shape(MemorySegment row, Lines lines) {
    return new FilterShape(
        FilterKind.SPLIT_BLOCK,
        row.get(WordBody.WORD, Long.BYTES),
        row.get(WordBody.WORD, 2 * Long.BYTES),
        lines.bits(),
        lines.hashes(),
        Double.longBitsToDouble(row.get(WordBody.WORD, 3 * Long.BYTES)),
        Double.longBitsToDouble(row.get(WordBody.WORD, 4 * Long.BYTES)),
        lines.used() / (double) lines.bits());
  }
}
