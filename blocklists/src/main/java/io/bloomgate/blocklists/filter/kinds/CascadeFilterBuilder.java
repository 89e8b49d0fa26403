package io.bloomgate.blocklists.filter.kinds;

import io.bloomgate.blocklists.file.Longs;
import io.bloomgate.blocklists.filter.FilterBuildException;
import io.bloomgate.blocklists.filter.FilterSizing;
import io.bloomgate.blocklists.filter.FilterSizing.Size;
import io.bloomgate.blocklists.filter.HashSource;
import io.bloomgate.blocklists.filter.SplitBlockFilter;
import io.bloomgate.blocklists.filter.SplitBlockFilterBuilder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.LongPredicate;

/**
 * Builds a cascade from two sources of hashes and proves it. Both sources are walked several times;
 * only the hashes that hit a level of the other side are held in memory, so that of N known-good
 * hashes about N times the rate are, and those that are listed. Called by {@link FilterKinds}; used
 * once, by one thread.
 *
 * <p>Levels are split-block filters: they reach any rate, take tiny sets in one line of 64 octets,
 * answer with one memory access, and cannot fail to be built. A fuse level would have 1/256 or
 * nothing, and three accesses.
 */
final class CascadeFilterBuilder {

  /** Rate of the filter that finds the known-good hashes that are listed; see {@link #both}. */
  private static final double SIEVE_RATE = 0.01;

  /** The lowest ratio of false positives that it is sensible to ask of a cascade. */
  static final double LOWEST_RATE = 1e-6;

  /** The bits that a hash costs in the level after the next, about, whatever that one's rate. */
  private static final double BITS_LATER = 10;

  /** Rates that are tried: each half of the one before. */
  private static final int RATES = 21;

  /** A level must halve what the next one has to hold, or the cascade would not end soon. */
  private static final double HIGHEST_LATER_RATE = 0.5;

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
   * @param capacity distinct hashes for which the rate holds
   * @throws FilterBuildException when it is too large or its proof fails
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
   * @param knownGood hashes that must not hit unless they are listed
   * @throws FilterBuildException when it is too large or its proof fails
   */
  static CascadeFilter build(Size first, HashSource listed, HashSource knownGood)
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
      Size size = size(own.length, others, HIGHEST_LATER_RATE);
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
    FilterSizing.checkMemory(size.octets());
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
    List<CascadeFilter.Level> done = levels.stream().map(CascadeFilter.Level::of).toList();
    CascadeFilter cascade = new CascadeFilter(done, askedRate, 0, 0);
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
          "the cascade answers wrongly for " + wrong[0] + " of its hashes; it is not used");
    }
    return new CascadeFilter(done, askedRate, spared[0], inBoth[0]);
  }

  private static HashSource of(long[] hashes) {
    return sink -> Arrays.stream(hashes).forEach(sink);
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
    double least = cost(best, others);
    double rate = highestRate;
    for (int i = 1; i < RATES && others > 0; i++) {
      rate /= 2;
      if (rate < LOWEST_RATE) {
        break;
      }
      Size size = FilterSizing.splitBlock(own, rate);
      double cost = cost(size, others);
      if (cost < least) {
        least = cost;
        best = size;
      }
    }
    return best;
  }

  private static double cost(Size size, long others) {
    return size.octets() * 8.0 + others * size.plannedRate() * BITS_LATER;
  }
}
