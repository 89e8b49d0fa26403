package io.bloomgate.blocklists.filter.kinds;

import io.bloomgate.blocklists.file.FileHeader;
import io.bloomgate.blocklists.file.Longs;
import io.bloomgate.blocklists.file.PagedFile;
import io.bloomgate.blocklists.file.PagedFileWriter;
import io.bloomgate.blocklists.filter.FilterBuildException;
import io.bloomgate.blocklists.filter.FilterFile;
import io.bloomgate.blocklists.filter.FilterKind;
import io.bloomgate.blocklists.filter.FilterShape;
import io.bloomgate.blocklists.filter.FilterSizing;
import io.bloomgate.blocklists.filter.FilterSizing.Size;
import io.bloomgate.blocklists.filter.HashSource;
import io.bloomgate.blocklists.filter.MembershipFilter;
import io.bloomgate.blocklists.filter.SplitBlockFilter;
import io.bloomgate.blocklists.filter.SplitBlockFilterBuilder;
import io.bloomgate.blocklists.filter.SplitMix;
import io.bloomgate.blocklists.filter.WordBody;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.LongPredicate;

/**
 * A split-block filter with an exception for a known-good set: the first level holds what is
 * listed, the second the known-good hashes that hit the first, the third the listed ones that hit
 * the second, and so on until a level hits nothing of the other side. So every listed hash hits and
 * no known-good one does. As in Larisch and others, "CRLite" (2017). Asked on any thread;
 * immutable.
 *
 * <p>Levels are split-block filters: they reach any rate, take tiny sets in one line of 64 octets,
 * answer with one memory access, and cannot fail to be built. A fuse level would have 1/256 or
 * nothing, and three accesses. Both sides are walked several times by a build; only the hashes that
 * hit a level of the other side are held in memory, so that of N known-good hashes about N times
 * the rate are.
 *
 * <p>In a file: for each level a row of six words (span, entries, capacity, asked rate, expected
 * rate, set bits), then the words of the levels in their order. Measures: the number of levels, the
 * known-good hashes, and 0.
 */
public final class CascadeFilter implements MembershipFilter {

  private static final int MEASURE_LEVELS = 0;
  private static final int MEASURE_PROVEN = 1;
  private static final int ROW_OCTETS = 6 * Long.BYTES;

  /**
   * More levels are never needed by random hashes: each holds less than half of the last but one.
   */
  static final int MAX_LEVELS = 32;

  /** The lowest ratio of false positives that it is sensible to ask of a cascade. */
  static final double LOWEST_RATE = 1e-6;

  /** The bits that a hash costs in the level after the next, about, whatever that one's rate. */
  private static final double BITS_LATER = 10;

  /** Rates that are tried: each half of the one before. */
  private static final int RATES = 21;

  /** A level must halve what the next one has to hold, or the cascade would not end soon. */
  private static final double HIGHEST_LATER_RATE = 0.5;

  /** Sets the levels' hashes apart: 2 to the 64 divided by the golden ratio. */
  private static final long GOLDEN = 0x9e3779b97f4a7c15L;

  private final List<Lines> levels;
  private final long proven;
  private final FilterShape shape;

  /**
   * Called by {@link #build} and {@link #read}.
   *
   * @param levels at least one
   * @param askedRate ratio of false positives that was asked for
   */
  CascadeFilter(List<Lines> levels, double askedRate, long proven) {
    this.levels = List.copyOf(levels);
    this.proven = proven;
    this.shape = shape(levels, askedRate);
  }

  /**
   * Builds the smallest cascade whose first level keeps the rate.
   *
   * @param capacity distinct hashes for which the rate holds
   * @throws FilterBuildException when it is too large
   */
  static CascadeFilter build(long capacity, double rate, HashSource listed, HashSource knownGood)
      throws FilterBuildException {
    Size size = size(capacity, knownGood.count(), rate);
    return build(new Size(size.span(), capacity, rate, size.plannedRate()), listed, knownGood);
  }

  /**
   * Builds a cascade.
   *
   * @param first size of the first level
   * @param listed hashes that must hit
   * @param knownGood hashes that must not hit; none of them is listed
   * @throws FilterBuildException when it is too large, or a hash is on both sides
   */
  static CascadeFilter build(Size first, HashSource listed, HashSource knownGood)
      throws FilterBuildException {
    List<Lines> levels = new ArrayList<>();
    HashSource holds = listed;
    HashSource others = knownGood;
    Size size = first;
    while (true) {
      int level = levels.size();
      if (level == MAX_LEVELS) {
        throw new FilterBuildException(
            "a cascade of "
                + MAX_LEVELS
                + " levels does not keep the known-good keys apart, which random hashes never"
                + " need; build it again with another seed");
      }
      SplitBlockFilter filter = level(size, holds, level);
      levels.add(Lines.of(filter));
      long[] hitting = distinct(others, hash -> filter.mightContain(levelHash(hash, level)));
      if (hitting.length == 0) {
        return new CascadeFilter(levels, first.askedRate(), knownGood.count());
      }
      size = size(hitting.length, filter.shape().entries(), HIGHEST_LATER_RATE);
      others = holds;
      holds = sink -> Arrays.stream(hitting).forEach(sink);
    }
  }

  private static SplitBlockFilter level(Size size, HashSource hashes, int level)
      throws FilterBuildException {
    FilterSizing.checkMemory(size.octets());
    SplitBlockFilterBuilder builder = new SplitBlockFilterBuilder(size);
    return builder.build(ClassicFilter.walk(hashes, hash -> builder.add(levelHash(hash, level))));
  }

  /** The hashes of a source that are wanted, each once, sorted. */
  private static long[] distinct(HashSource source, LongPredicate wanted) {
    Longs found = new Longs();
    source.forEach(hash -> {
      if (wanted.test(hash)) {
        found.add(hash);
      }
    });
    return found.sortedDistinct();
  }

  /**
   * The size of a level that makes it and those after it smallest together.
   *
   * @param own hashes that it holds
   * @param others hashes of the other side; those that hit must be held by the next level
   * @param highestRate that the level may have
   */
  private static Size size(long own, long others, double highestRate) throws FilterBuildException {
    Size best = FilterSizing.splitBlock(own, highestRate);
    double rate = highestRate / 2;
    for (int i = 1; i < RATES && others > 0 && rate >= LOWEST_RATE; i++) {
      Size size = FilterSizing.splitBlock(own, rate);
      if (cost(size, others) < cost(best, others)) {
        best = size;
      }
      rate /= 2;
    }
    return best;
  }

  private static double cost(Size size, long others) {
    return size.octets() * 8.0 + others * size.plannedRate() * BITS_LATER;
  }

  @Override
  public int probe(long hash) {
    int level = 0;
    while (level < levels.size() && levels.get(level).probe(levelHash(hash, level)) != 0) {
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

  /** Known-good hashes that do not hit. */
  public long proven() {
    return proven;
  }

  @Override
  public FilterShape shape() {
    return shape;
  }

  List<Lines> levels() {
    return levels;
  }

  private static FilterShape shape(List<Lines> levels, double askedRate) {
    List<FilterShape> shapes = levels.stream().map(Lines::shape).toList();
    FilterShape listed = shapes.getFirst();
    long bits = 0;
    double set = 0;
    double rate = 1;
    for (int i = levels.size() - 1; i >= 0; i--) {
      FilterShape level = shapes.get(i);
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
    for (Lines level : levels) {
      FilterShape row = level.shape();
      out.putLong(level.span());
      out.putLong(row.entries());
      out.putLong(row.capacity());
      out.putLong(Double.doubleToRawLongBits(row.askedRate()));
      out.putLong(Double.doubleToRawLongBits(row.expectedRate()));
      out.putLong(Math.round(row.fill() * row.bits()));
    }
    for (Lines level : levels) {
      level.write(out);
    }
    return List.of((long) levels.size(), proven, 0L);
  }

  /** Reads what {@link #write} wrote; every page is proven. */
  static CascadeFilter read(PagedFile file, boolean mapped) throws IOException {
    FileHeader header = file.header();
    long count = header.measure(MEASURE_LEVELS);
    long proven = header.measure(MEASURE_PROVEN);
    MemorySegment body = WordBody.body(file, mapped);
    FilterFile.check(
        file,
        count >= 1
            && count <= MAX_LEVELS
            && header.askedRate() > 0
            && header.askedRate() < 1
            && proven >= 0
            && body.byteSize() >= count * ROW_OCTETS);
    List<Lines> levels = new ArrayList<>();
    long at = count * ROW_OCTETS;
    for (int i = 0; i < count; i++) {
      MemorySegment row = body.asSlice((long) i * ROW_OCTETS, ROW_OCTETS);
      long span = row.get(WordBody.WORD, 0);
      FilterFile.check(
          file,
          span >= 1
              && span <= SplitBlockFilter.MAX_LINES * SplitBlockFilter.LANES
              && Lines.octets(span) <= body.byteSize() - at);
      FilterSizing.Size size =
          new FilterSizing.Size(
              span,
              row.get(WordBody.WORD, 2 * Long.BYTES),
              Double.longBitsToDouble(row.get(WordBody.WORD, 3 * Long.BYTES)),
              0);
      MemorySegment words = body.asSlice(at, size.octets());
      FilterFile.check(file, row.get(WordBody.WORD, 5 * Long.BYTES) == WordBody.setBits(words));
      levels.add(new Lines(words, size, row.get(WordBody.WORD, Long.BYTES)));
      at += size.octets();
    }
    CascadeFilter cascade = new CascadeFilter(levels, header.askedRate(), proven);
    FilterFile.check(
        file,
        at == body.byteSize()
            && cascade.shape.entries() == header.entries()
            && cascade.shape.capacity() == header.capacity()
            && Double.compare(cascade.shape.expectedRate(), header.expectedRate()) == 0);
    return cascade;
  }
}
