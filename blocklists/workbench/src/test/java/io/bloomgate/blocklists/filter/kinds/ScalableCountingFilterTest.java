package io.bloomgate.blocklists.filter.kinds;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.filter.AddableFilter;
import io.bloomgate.blocklists.filter.CounterArray;
import io.bloomgate.blocklists.filter.FilterShape;
import io.bloomgate.blocklists.filter.RandomHashes;
import io.bloomgate.blocklists.filter.RemovableFilter.Removal;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Growth and removal together: no removal harms a hash of another slice. */
@Tag("filters")
class ScalableCountingFilterTest {

  @ParameterizedTest
  @CsvSource({"1000,0.01", "1000,0.1", "2000,0.001", "10000,0.01"})
  void theRateHoldsAtEverySizeAndIsUsed(int capacity, double asked) throws Exception {
    ScalableCountingFilter filter = new ScalableCountingFilter(capacity, asked);
    SplittableRandom random = new SplittableRandom(capacity);
    int target = capacity * 20;
    for (int i = 1; i <= target; i++) {
      assertTrue(filter.add(random.nextLong()));
      if (Integer.bitCount(i) == 1 || i == target) {
        assertTrue(filter.expectedRate() <= asked, i + ": " + filter.expectedRate());
        RandomHashes.assertRate(filter, filter.expectedRate(), 50_000);
      }
    }
    assertEquals(target, filter.shape().entries());
    assertTrue(filter.slices() >= 4 && filter.slices() <= 5, "slices " + filter.slices());
    assertTrue(filter.expectedRate() >= asked * 0.6, "expected " + filter.expectedRate());
  }

  @Test
  void itsCapacityFitsTheFirstSlice() throws Exception {
    for (int entries : new int[] {1, 64, 100, 1_000, 20_000}) {
      for (long seed = 1; seed <= 20; seed++) {
        ScalableCountingFilter filter =
            AddableFilter.fill(
                new ScalableCountingFilter(entries, 0.01), RandomHashes.of(seed, entries));
        assertEquals(1, filter.slices(), entries + " entries, seed " + seed);
      }
    }
  }

  @Test
  void whatSeveralSlicesClaimIsKeptAndCounted() throws Exception {
    ScalableCountingFilter filter = new ScalableCountingFilter(1_024, 0.3);
    List<Long> inside = new ArrayList<>();
    SplittableRandom random = new SplittableRandom(21);
    for (int i = 0; i < 20_000; i++) {
      inside.add(random.nextLong());
      assertTrue(filter.add(inside.getLast()));
    }
    long kept = 0;
    long removed = 0;
    for (int i = 0; i < inside.size(); i += 2) {
      switch (filter.remove(inside.get(i))) {
        case REMOVED -> removed++;
        case KEPT -> {
          kept++;
          assertTrue(filter.mightContain(inside.get(i)), "entry " + i);
        }
        case ABSENT -> throw new AssertionError("entry " + i + " was never missing");
      }
    }
    assertTrue(kept > 100 && removed > 5_000, kept + " kept, " + removed + " removed");
    assertEquals(kept, filter.kept());
    assertEquals(20_000 - removed, filter.shape().entries());
    for (int i = 1; i < inside.size(); i += 2) {
      assertTrue(filter.mightContain(inside.get(i)), "entry " + i);
    }
  }

  @Test
  void equalAdditionsStayTogetherWhateverGrowsBetween() throws Exception {
    ScalableCountingFilter filter = new ScalableCountingFilter(1_024, 0.0001);
    long twice = 4711;
    assertTrue(filter.add(twice));
    AddableFilter.fill(filter, RandomHashes.of(2, 5_000));
    assertTrue(filter.slices() > 1);
    assertTrue(filter.add(twice));
    assertEquals(Removal.REMOVED, filter.remove(twice));
    assertTrue(filter.mightContain(twice));
    assertEquals(Removal.REMOVED, filter.remove(twice));
    assertFalse(filter.mightContain(twice));
    assertEquals(Removal.ABSENT, filter.remove(twice));
  }

  @Test
  void roomThatRemovalsMakeIsUsedAgain() throws Exception {
    ScalableCountingFilter filter = new ScalableCountingFilter(2_000, 0.01);
    for (long seed = 1; seed <= 10; seed++) {
      AddableFilter.fill(filter, RandomHashes.of(seed, 2_000));
      RandomHashes.of(seed, 2_000)
          .forEach(hash -> assertEquals(Removal.REMOVED, filter.remove(hash)));
    }
    assertEquals(1, filter.slices());
    assertEquals(0, filter.shape().entries());
    assertEquals(0, filter.expectedRate());
  }

  @Test
  void beyondTheLastSliceNothingIsTakenAndNothingChanges() throws Exception {
    // All slices are as small as the first one, so that the last one is full soon.
    SlicedFilter.Plan plan = new SlicedFilter.Plan(20, 0.3);
    List<CounterArray> slices = new ArrayList<>();
    for (int i = 0; i < SlicedFilter.Plan.MAX_SLICES; i++) {
      slices.add(ScalableCountingFilter.slice(plan, 0));
    }
    ScalableCountingFilter filter = new ScalableCountingFilter(plan, slices, 0, 0);
    SplittableRandom random = new SplittableRandom(3);
    long hash = random.nextLong();
    while (filter.add(hash)) {
      hash = random.nextLong();
    }
    assertTrue(filter.shape().entries() >= 5 * plan.first());
    FilterShape full = filter.shape();
    assertFalse(filter.add(hash));
    assertEquals(full, filter.shape());
  }
}
