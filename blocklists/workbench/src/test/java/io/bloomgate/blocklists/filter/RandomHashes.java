package io.bloomgate.blocklists.filter;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.SplittableRandom;

/** Seeded hashes for the tests of filters, and the measured rate of one. */
public final class RandomHashes {

  /** Deviations that chance is allowed: one run of about 10^9 goes beyond. */
  private static final double DEVIATIONS = 6;

  private RandomHashes() {}

  /** The same hashes at every call. */
  public static HashSource of(long seed, int count) {
    return hashes -> {
      SplittableRandom random = new SplittableRandom(seed);
      for (int i = 0; i < count; i++) {
        hashes.accept(random.nextLong());
      }
    };
  }

  /** Compares the hits of other random hashes with an expected rate, within what chance allows. */
  public static void assertRate(MembershipFilter filter, double rate, int probes) {
    SplittableRandom random = new SplittableRandom(-1);
    long hits = 0;
    for (int i = 0; i < probes; i++) {
      hits += filter.probe(random.nextLong());
    }
    // The hits are binomial; 3 for the skew of the Poisson limit when they are few.
    double noise = DEVIATIONS * Math.sqrt(rate * (1 - rate) * probes) + 3;
    assertTrue(
        Math.abs(hits - rate * probes) <= noise,
        filter.shape() + ": " + hits + " hits of " + probes + ", expected " + rate * probes);
  }
}
