package io.bloomgate.blocklists.filter;

import io.bloomgate.blocklists.filter.FilterSizing.Size;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.LongPredicate;

/**
 * Builds a cascade from two sources of hashes and proves it. Both sources are walked several times;
 * only the hashes that hit a level of the other side are held in memory, so that of N known-good
 * hashes about N times the rate are, and those that are listed. Called by {@link FilterFactory} and
 * by the snapshot builder; used once, by one thread.
 */
public final class CascadeFilterBuilder {

  /** Rate of the filter that finds the known-good hashes that are listed; see {@link #both}. */
  private static final double SIEVE_RATE = 0.01;

  private final double askedRate;
  private final HashSource listed;
  private final HashSource knownGood;
  private final List<SplitBlockFilter> levels = new ArrayList<>();

  private CascadeFilterBuilder(double askedRate, HashSource listed, HashSource knownGood) {
    this.askedRate = askedRate;
    this.listed = listed;
    this.knownGood = knownGood;
  }

  /**
   * Builds the smallest cascade whose first level keeps the rate.
   *
   * @throws FilterBuildException when it is too large or does not stand its proof
   */
  static CascadeFilter build(FilterRequest request, HashSource listed) throws FilterBuildException {
    HashSource knownGood = request.knownGood();
    Size size = CascadeSizing.level(request.capacity(), count(knownGood), request.rate());
    return build(
        new Size(size.span(), request.capacity(), request.rate(), size.plannedRate()),
        listed,
        knownGood);
  }

  /**
   * Builds a cascade.
   *
   * @param first size of the first level
   * @param listed hashes that must hit
   * @param knownGood hashes that must not hit unless they are listed
   * @throws FilterBuildException when it is too large or does not stand its proof
   */
  public static CascadeFilter build(Size first, HashSource listed, HashSource knownGood)
      throws FilterBuildException {
    return new CascadeFilterBuilder(first.askedRate(), listed, knownGood).build(first);
  }

  private CascadeFilter build(Size first) throws FilterBuildException {
    SplitBlockFilter filter = hold(first, listed, 0);
    long[] own = distinct(knownGood, filter::mightContain);
    long[] both = both(own);
    own = Arrays.stream(own).filter(hash -> Arrays.binarySearch(both, hash) < 0).toArray();
    long others = filter.shape().entries();
    HashSource otherSide = listed;
    while (own.length > 0) {
      int level = levels.size();
      if (level == CascadeFilter.MAX_LEVELS) {
        throw new FilterBuildException(
            "a cascade of "
                + CascadeFilter.MAX_LEVELS
                + " levels does not keep the known-good keys apart, which random hashes never"
                + " need; build it again with another seed");
      }
      Size size = CascadeSizing.level(own.length, others, CascadeSizing.HIGHEST_LATER_RATE);
      SplitBlockFilter next = hold(size, of(own), level);
      long[] survivors =
          distinct(otherSide, hash -> next.mightContain(CascadeFilter.levelHash(hash, level)));
      otherSide = of(own);
      others = own.length;
      own = survivors;
    }
    return proven(both);
  }

  /** Fills and appends a level. */
  private SplitBlockFilter hold(Size size, HashSource hashes, int level)
      throws FilterBuildException {
    FilterFactory.checkMemory(size.octets());
    SplitBlockFilterBuilder builder = new SplitBlockFilterBuilder(size);
    long[] count = {0};
    hashes.forEach(hash -> {
      builder.add(CascadeFilter.levelHash(hash, level));
      count[0]++;
    });
    SplitBlockFilter filter = builder.build(count[0]);
    levels.add(filter);
    return filter;
  }

  /**
   * The known-good hashes that are really listed. A small filter of the candidates answers for most
   * of the listed ones, which may be many, that they are none of them.
   *
   * @param candidates known-good hashes that hit the first level, sorted
   */
  private long[] both(long[] candidates) throws FilterBuildException {
    if (candidates.length == 0) {
      return candidates;
    }
    SplitBlockFilterBuilder builder =
        new SplitBlockFilterBuilder(FilterSizing.splitBlock(candidates.length, SIEVE_RATE));
    of(candidates).forEach(builder::add);
    SplitBlockFilter sieve = builder.build(candidates.length);
    return distinct(
        listed, hash -> sieve.mightContain(hash) && Arrays.binarySearch(candidates, hash) >= 0);
  }

  /** Asks the finished cascade for every hash of both sides. */
  private CascadeFilter proven(long[] both) throws FilterBuildException {
    CascadeFilter cascade = new CascadeFilter(levels, askedRate, 0, 0);
    long[] wrong = {0};
    listed.forEach(hash -> wrong[0] += 1 - cascade.probe(hash));
    long[] spared = {0};
    long[] inBoth = {0};
    knownGood.forEach(hash -> {
      if (cascade.probe(hash) == 0) {
        spared[0]++;
      } else if (Arrays.binarySearch(both, hash) >= 0) {
        inBoth[0]++;
      } else {
        wrong[0]++;
      }
    });
    if (wrong[0] > 0) {
      throw new FilterBuildException(
          "the cascade answers wrongly for " + wrong[0] + " of its own hashes; it is not used");
    }
    return new CascadeFilter(levels, askedRate, spared[0], inBoth[0]);
  }

  private static HashSource of(long[] hashes) {
    return sink -> Arrays.stream(hashes).forEach(sink);
  }

  private static long count(HashSource hashes) {
    long[] count = {0};
    hashes.forEach(_ -> count[0]++);
    return count[0];
  }

  /** The hashes of a source that are wanted, each once, sorted. */
  private static long[] distinct(HashSource source, LongPredicate wanted) {
    HashList found = new HashList();
    source.forEach(hash -> {
      if (wanted.test(hash)) {
        found.add(hash);
      }
    });
    return found.sortedDistinct();
  }
}
