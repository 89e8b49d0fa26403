package io.bloomgate.blocklists.campaign;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The counters against a map of exact counts. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
final class CopySketchTest {

  private static final long SEED = 20_261_126;

  private final SplittableRandom random = new SplittableRandom(SEED);

  private CopySketch sketch(long keys) {
    return new CopySketch(keys, random.nextLong());
  }

  /** Keys of which few are frequent; the same number is the same key. */
  private static long key(long number) {
    return new SplittableRandom(number).nextLong();
  }

  /** Exact counts of the last slices. */
  private static final class Oracle {
    private final Deque<Map<Long, Integer>> slices = new ArrayDeque<>(List.of(new HashMap<>()));

    void add(long key) {
      slices.getLast().merge(key, 1, Integer::sum);
    }

    void turn() {
      slices.addLast(new HashMap<>());
      if (slices.size() > CopySketch.SLICES) {
        slices.removeFirst();
      }
    }

    int count(long key) {
      return slices.stream()
          .mapToInt(slice -> Math.min(CopySketch.MOST, slice.getOrDefault(key, 0)))
          .sum();
    }
  }

  @Test
  void isNeverBelowTheTruthAndSeldomFarAbove() {
    int keys = 150_000;
    CopySketch sketch = sketch(keys);
    Oracle oracle = new Oracle();
    int wrong = 0;
    int far = 0;
    int asked = 0;
    for (int turn = 0; turn < 3 * CopySketch.SLICES; turn++) {
      for (int i = 0; i < keys / CopySketch.SLICES; i++) {
        // Most keys are new, some come again and again.
        long key = key(random.nextInt(10) == 0 ? random.nextInt(1_000) : random.nextLong());
        oracle.add(key);
        sketch.add(key);
        if (i % 10 == 0) {
          long some = random.nextBoolean() ? key : key(random.nextInt(2_000));
          int truth = oracle.count(some);
          int count = sketch.count(some);
          wrong += count < truth ? 1 : 0;
          // The bound of count-min is e * keys / width = 65 for one row; three rows and
          // conservative update stay far below.
          far += count > truth + 25 ? 1 : 0;
          asked++;
        }
      }
      sketch.turn();
      oracle.turn();
    }
    assertEquals(0, wrong, "seed " + SEED);
    assertTrue(far < asked / 1_000, "seed " + SEED + ": " + far + " of " + asked);
  }

  @Test
  void staysAtTheHighestValue() {
    CopySketch sketch = sketch(1_000);
    for (int i = 1; i <= 1_000; i++) {
      assertEquals(Math.min(i, CopySketch.MOST), sketch.add(key(1)));
    }
    sketch.turn();
    for (int i = 1; i <= 1_000; i++) {
      assertEquals(Math.min(i, CopySketch.MOST) + CopySketch.MOST, sketch.add(key(1)));
    }
    assertEquals(0, sketch.count(key(2)));
  }
}
