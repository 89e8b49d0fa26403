package io.bloomgate.blocklists.index;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.file.Longs;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Wide networks against reading every one of them. */
class WideRangesTest {

  private static final int KEYS = 4000;
  private static final long LAST = -1L >>> (Long.SIZE - WideRanges.BITS);

  @ParameterizedTest
  @CsvSource({"1, 1", "2, 3", "3, 40", "4, 700", "5, 3000"})
  void aKeyIsInsideWhenANetworkHoldsIt(long seed, int count) {
    SplittableRandom random = new SplittableRandom(seed);
    long[] starts = new long[count];
    long[] ends = new long[count];
    Longs packed = new Longs();
    for (int i = 0; i < count; i++) {
      // Most of them near one another, as published networks are.
      long first = random.nextInt(5) == 0 ? random.nextLong() : random.nextLong() >>> 3;
      int length = random.nextInt(12, 48);
      first &= Words.leading(length);
      starts[i] = WideRanges.key(first);
      ends[i] = starts[i] | LAST >>> length;
      packed.add(WideRanges.packed(first, length));
    }
    WideRanges ranges = WideRanges.merge(packed);
    for (int i = 0; i < KEYS; i++) {
      int near = random.nextInt(count);
      long key =
          switch (i % 4) {
            case 0 -> random.nextLong() & LAST;
            case 1 -> starts[near] - random.nextInt(2) & LAST;
            case 2 -> ends[near] + random.nextInt(2) & LAST;
            default -> random.nextLong(starts[near], ends[near] + 1);
          };
      boolean held = false;
      for (int j = 0; j < count && !held; j++) {
        held = starts[j] <= key && key <= ends[j];
      }
      assertEquals(held, ranges.contains(key), "seed " + seed + " key " + Long.toHexString(key));
    }
  }

  @Test
  void theEndsOfTheSpaceAreInside() {
    Longs packed = new Longs();
    assertFalse(WideRanges.merge(packed).contains(0));
    packed.add(WideRanges.packed(0, 0));
    WideRanges all = WideRanges.merge(packed);
    assertTrue(all.contains(0));
    assertTrue(all.contains(LAST));
  }
}
