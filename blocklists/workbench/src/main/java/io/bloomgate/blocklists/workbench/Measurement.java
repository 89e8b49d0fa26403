package io.bloomgate.blocklists.workbench;

import io.bloomgate.blocklists.filter.MembershipFilter;
import io.bloomgate.blocklists.filter.SplitMix;
import java.util.Arrays;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

/**
 * Asks filters for random hashes. The hashes are those of keys that nobody listed: that one of them
 * is a listed key's happens once in 2^64 / entries. Used on one thread.
 */
public final class Measurement {

  /** Parts of a timing; the median of them forgives the first ones, which warm up. */
  private static final int ROUNDS = 11;

  /** The step of SplitMix64, which makes many numbers of one. */
  private static final long GAMMA = 0x9e3779b97f4a7c15L;

  private final long[] hashes;

  /**
   * Fresh hashes; randomness that is costly is asked once only.
   *
   * @param probes hashes that are asked
   */
  Measurement(RandomGenerator random, int probes) {
    hashes = new long[probes];
    long state = random.nextLong();
    for (int i = 0; i < probes; i++) {
      state += GAMMA;
      hashes[i] = SplitMix.mix(state);
    }
  }

  /**
   * The result of random lookups in a filter.
   *
   * @param rate ratio of false positives
   * @param nanos median time of a lookup, in nanoseconds
   */
  public record Lookups(double rate, double nanos) {}

  /** Ratio of false positives. */
  double rate(MembershipFilter filter) {
    return Arrays.stream(hashes).parallel().map(filter::probe).sum() / (double) hashes.length;
  }

  private long hits(MembershipFilter filter, int from, int to) {
    long hits = 0;
    for (int i = from; i < to; i++) {
      hits += filter.probe(hashes[i]);
    }
    return hits;
  }

  /** Share of the hashes for which both answer alike. */
  double agreement(MembershipFilter a, MembershipFilter b) {
    long alike = 0;
    for (long hash : hashes) {
      alike += 1 ^ a.probe(hash) ^ b.probe(hash);
    }
    return alike / (double) hashes.length;
  }

  /**
   * Asks all filters in turns, so that whatever else the machine does hits all of them. No hash is
   * asked twice of one filter, since its second lookup would find the memory in a cache.
   */
  List<Lookups> lookups(List<MembershipFilter> filters, LongSupplier nanoTime) {
    double[][] nanos = new double[filters.size()][ROUNDS];
    long[] hits = new long[filters.size()];
    for (int round = 0; round < ROUNDS; round++) {
      int from = (int) ((long) hashes.length * round / ROUNDS);
      int to = (int) ((long) hashes.length * (round + 1) / ROUNDS);
      for (int i = 0; i < filters.size(); i++) {
        long start = nanoTime.getAsLong();
        hits[i] += hits(filters.get(i), from, to);
        nanos[i][round] = (nanoTime.getAsLong() - start) / (double) (to - from);
      }
    }
    return IntStream.range(0, filters.size())
        .mapToObj(i -> new Lookups(hits[i] / (double) hashes.length, median(nanos[i])))
        .toList();
  }

  private static double median(double[] values) {
    Arrays.sort(values);
    return values[values.length / 2];
  }
}
