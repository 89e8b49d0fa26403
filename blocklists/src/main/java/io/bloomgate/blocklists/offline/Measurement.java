package io.bloomgate.blocklists.offline;

import io.bloomgate.blocklists.filter.MembershipFilter;
import java.util.Arrays;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;

/**
 * Asks filters for random hashes. The hashes are those of keys that nobody listed: that one of them
 * is a listed key's happens once in 2^64 / entries. Used on one thread.
 */
final class Measurement {

  /** Hashes that are asked; a rate of 0.001 then shows with an error of some 3 %. */
  static final int PROBES = 1_000_000;

  /** Rounds of a timing; the median forgives the first ones, which warm up. */
  private static final int ROUNDS = 11;

  /** Steps of SplitMix64 (Steele, Lea and Flood, 2014), which makes many numbers of one. */
  private static final long GAMMA = 0x9e3779b97f4a7c15L;

  private final long[] hashes = new long[PROBES];

  /** Fresh hashes; randomness that is costly is asked once only. */
  Measurement(RandomGenerator random) {
    long state = random.nextLong();
    for (int i = 0; i < PROBES; i++) {
      state += GAMMA;
      hashes[i] = mixed(state);
    }
  }

  private static long mixed(long state) {
    long z = (state ^ (state >>> 30)) * 0xbf58476d1ce4e5b9L;
    z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
    return z ^ (z >>> 31);
  }

  /** Ratio of false positives. */
  double rate(MembershipFilter filter) {
    return count(filter) / (double) PROBES;
  }

  private long count(MembershipFilter filter) {
    long hits = 0;
    for (long hash : hashes) {
      hits += filter.probe(hash);
    }
    return hits;
  }

  /** Share of the hashes for which both answer alike. */
  double agreement(MembershipFilter a, MembershipFilter b) {
    long alike = 0;
    for (long hash : hashes) {
      alike += 1 ^ a.probe(hash) ^ b.probe(hash);
    }
    return alike / (double) PROBES;
  }

  /**
   * Median time of a lookup of each filter, in nanoseconds; they take turns, so that whatever else
   * the machine does hits all of them.
   */
  double[] lookupNanos(List<MembershipFilter> filters, LongSupplier nanoTime) {
    double[][] rounds = new double[filters.size()][ROUNDS];
    long hits = 0;
    for (int round = 0; round < ROUNDS; round++) {
      for (int i = 0; i < filters.size(); i++) {
        long start = nanoTime.getAsLong();
        hits += count(filters.get(i));
        rounds[i][round] = (nanoTime.getAsLong() - start) / (double) PROBES;
      }
    }
    if (hits < 0) {
      throw new IllegalStateException("hits are counted, so that the lookups are made");
    }
    return Arrays.stream(rounds).mapToDouble(Measurement::median).toArray();
  }

  private static double median(double[] values) {
    Arrays.sort(values);
    return values[values.length / 2];
  }
}
