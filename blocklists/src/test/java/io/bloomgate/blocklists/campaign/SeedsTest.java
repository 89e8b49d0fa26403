package io.bloomgate.blocklists.campaign;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Seeds are the numbers of the same generator in the JDK. */
@Timeout(value = 20, unit = TimeUnit.SECONDS)
final class SeedsTest {

  @Test
  void seedsAreTheNumbersOfSplitMix64() {
    for (long seed : new long[] {0, 1, -1, 20_261_124, Long.MIN_VALUE}) {
      SplittableRandom random = new SplittableRandom(seed);
      for (int number = 1; number <= 1_000; number++) {
        assertEquals(random.nextLong(), Seeds.of(seed, number), "seed " + seed + ", " + number);
      }
    }
  }
}
