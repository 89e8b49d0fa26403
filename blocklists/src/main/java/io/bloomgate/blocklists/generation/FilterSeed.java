package io.bloomgate.blocklists.generation;

import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/**
 * What the hashes of a generation depend on. Secret, because anybody who knows it can find false
 * positives offline. Immutable.
 */
public record FilterSeed(long high, long low) {

  /** Another one for each build. */
  static Supplier<FilterSeed> random(RandomGenerator random) {
    return () -> new FilterSeed(random.nextLong(), random.nextLong());
  }

  /** Without the seed. */
  @Override
  public String toString() {
    return "FilterSeed[secret]";
  }
}
