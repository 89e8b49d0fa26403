package io.bloomgate.bench;

import io.bloomgate.blocklists.filter.FilterBuildException;
import io.bloomgate.blocklists.filter.FilterKind;
import io.bloomgate.blocklists.filter.HashSource;
import io.bloomgate.blocklists.filter.MembershipFilter;
import io.bloomgate.blocklists.filter.kinds.FilterKinds;
import io.bloomgate.blocklists.filter.kinds.FilterRequest;
import java.io.IOException;
import java.util.List;

/**
 * Measured false positives beside what was asked for and what the filter itself expects. Arguments:
 * the largest number of entries, the kind as commands spell it.
 */
public final class RateRun {

  private static final int MISSES = 10_000_000;

  /** For rates so low that {@link #MISSES} would hit a hundred times only. */
  static final int MISSES_OF_LOW_RATES = 100_000_000;

  private static final double LOW_RATE = 1e-4;
  private static final int SEEDS = 200;
  private static final int SEEDED_ENTRIES = 1000;
  private static final int MISSES_A_SEED = 500_000;

  /** Kinds whose rate is held from below too: a filter that is better than asked wastes memory. */
  private static final List<FilterKind> EXACT = List.of(FilterKind.SPLIT_BLOCK, FilterKind.CLASSIC);

  private static final int LARGEST_OF_OTHERS = 10_000_000;

  /** Each build has its own hashes: the distance between the numbers of two seeds. */
  private static final long STRIDE = 1L << 32;

  private static final long FIRST_MISS = 1L << 62;

  private RateRun() {}

  /** Entry point. */
  public static void main(String[] args) throws IOException, FilterBuildException {
    int largest = Integer.parseInt(args[0]);
    FilterKind kind = HashPeers.kind(args[1]);
    if (EXACT.contains(kind)) {
      Figures.add("rate/" + kind.word() + "/1k-200-seeds/asked", seeded(kind));
    }
    int limit = EXACT.contains(kind) ? largest : Math.min(largest, LARGEST_OF_OTHERS);
    for (long entries = 10_000; entries <= limit; entries *= 10) {
      single(kind, (int) entries);
    }
  }

  /** Mean of measured over asked rate of many small filters. */
  private static double seeded(FilterKind kind) throws FilterBuildException {
    long hits = 0;
    for (int seed = 0; seed < SEEDS; seed++) {
      hits += hits(build(kind, SEEDED_ENTRIES, seed), MISSES_A_SEED);
    }
    return hits / (LookupRun.RATE * SEEDS * MISSES_A_SEED);
  }

  private static void single(FilterKind kind, int entries)
      throws IOException, FilterBuildException {
    MembershipFilter filter = build(kind, entries, SEEDS);
    int misses = filter.expectedRate() < LOW_RATE ? MISSES_OF_LOW_RATES : MISSES;
    double measured = hits(filter, misses) / (double) misses;
    String name = "rate/" + kind.word() + "/" + Figures.size(entries) + "/";
    Figures.add(name + "asked", measured / LookupRun.RATE);
    Figures.add(name + "expected", measured / filter.expectedRate());
    Figures.add(name + "bits", filter.shape().bitsPerEntry());
  }

  private static MembershipFilter build(FilterKind kind, int entries, int seed)
      throws FilterBuildException {
    HashSource knownGood =
        kind == FilterKind.CASCADE ? hashes(entries / 10, seed + SEEDS + 1) : HashSource.NONE;
    return FilterKinds.build(
        kind, new FilterRequest(entries, LookupRun.RATE, knownGood), hashes(entries, seed));
  }

  /** Hashes that are computed one by one, so that they take no memory. */
  private static HashSource hashes(int count, int seed) {
    return consumer -> {
      for (int i = 0; i < count; i++) {
        consumer.accept(Keys.mix(seed * STRIDE + i));
      }
    };
  }

  private static long hits(MembershipFilter filter, int misses) {
    long hits = 0;
    for (int i = 0; i < misses; i++) {
      hits += filter.probe(Keys.mix(FIRST_MISS + i));
    }
    return hits;
  }
}
