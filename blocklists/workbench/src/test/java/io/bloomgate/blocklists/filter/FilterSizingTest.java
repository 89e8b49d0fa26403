package io.bloomgate.blocklists.filter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Sizes from entries, rates and memory. */
@Tag("filters")
class FilterSizingTest {

  @Test
  void oneWordLessWouldMissTheRate() throws Exception {
    for (long entries : new long[] {1, 10, 100, 12_345, 1_000_000}) {
      for (double rate : new double[] {0.3, 0.01, 0.0001}) {
        FilterSizing.Size size = FilterSizing.splitBlock(entries, rate);
        assertTrue(size.plannedRate() <= rate);
        assertFalse(size.capped());
        assertTrue(
            size.lines() == 1 || FilterSizing.splitBlockRate(entries, size.span() - 1) > rate,
            entries + " at " + rate);
      }
    }
  }

  @Test
  void oneLineFollowsTheExactFormula() {
    assertEquals(Math.pow(1.0 / 64, 8), FilterSizing.splitBlockRate(1, 8), 1e-20);
    assertEquals(0, FilterSizing.splitBlockRate(0, 8));
    assertEquals(1, FilterSizing.splitBlockRate(1L << 40, 8), 1e-12);
    assertEquals(1, FilterSizing.splitBlockRate(1L << 40, 8000), 1e-9);
  }

  @Test
  void memoryIsSharedAtOneRateAndKept() {
    List<FilterSizing.Size> free =
        FilterSizing.splitBlocks(List.of(1_000_000L, 500_000L), 0.001, Long.MAX_VALUE);
    long wanted = free.getFirst().octets() + free.getLast().octets();
    List<FilterSizing.Size> bound =
        FilterSizing.splitBlocks(List.of(1_000_000L, 500_000L), 0.001, wanted / 2);
    long used = bound.getFirst().octets() + bound.getLast().octets();
    assertTrue(used <= wanted / 2 && used > wanted * 0.495, used + " of " + wanted / 2);
    assertTrue(bound.getFirst().capped() && bound.getLast().capped());
    assertEquals(
        1, bound.getFirst().plannedRate() / bound.getLast().plannedRate(), 0.01, "one rate");
    assertEquals(1_000_000, bound.getFirst().capacity());
  }

  @Test
  void whatFitsIsNotTouched() throws Exception {
    List<FilterSizing.Size> sizes = FilterSizing.splitBlocks(List.of(1000L, 0L), 0.01, 1 << 20);
    assertEquals(FilterSizing.splitBlock(1000, 0.01), sizes.getFirst());
    assertEquals(1, sizes.getLast().lines());
  }

  @Test
  void noMemoryAtAllStillHoldsEveryEntry() {
    List<FilterSizing.Size> sizes = FilterSizing.splitBlocks(List.of(1_000_000L, 5L), 0.01, 1);
    assertEquals(1, sizes.getFirst().lines());
    assertEquals(1_000_000, sizes.getFirst().capacity());
  }

  @Test
  void ratesOutsideTheOpenIntervalAreRefused() {
    for (double rate : new double[] {0, 1, -1, Double.NaN}) {
      assertThrows(
          IllegalArgumentException.class, () -> FilterSizing.splitBlock(10, rate), "" + rate);
    }
  }
}
