package io.bloomgate.blocklists.filter;

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
 */
public final class CascadeFilter implements MembershipFilter {

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
   * Called by {@link CascadeFilterBuilder} and {@link CascadeCodec}.
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

  /** What the later levels say of a hash that hits the first. */
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

  /** Known-good hashes that were proven not to hit, as often as they were told. */
  public long proven() {
    return proven;
  }

  /** Known-good hashes that are listed and so hit, as often as they were told. */
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
}
