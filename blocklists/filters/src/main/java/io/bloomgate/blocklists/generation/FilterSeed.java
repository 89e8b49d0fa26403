package io.bloomgate.blocklists.generation;

import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/**
 * The seed of the hashes of a generation. Secret, because anybody who knows it can find false
 * positives offline. Immutable.
 */
public record FilterSeed(long high, long low) {

  /** Another one for each build. */
  static Supplier<FilterSeed> random(RandomGenerator random) {
    return () -> new FilterSeed(random.nextLong(), random.nextLong());
  }

  /** A text without the seed. */
  @Override
  public String toString() {
    return "FilterSeed[secret]";
  }
}
