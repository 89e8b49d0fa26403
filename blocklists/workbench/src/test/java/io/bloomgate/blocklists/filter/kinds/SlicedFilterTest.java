package io.bloomgate.blocklists.filter.kinds;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.file.Keying;
import io.bloomgate.blocklists.filter.AddableFilter;
import io.bloomgate.blocklists.filter.CounterArray;
import io.bloomgate.blocklists.filter.FilterFile;
import io.bloomgate.blocklists.filter.FilterKind;
import io.bloomgate.blocklists.filter.FilterShape;
import io.bloomgate.blocklists.filter.HashSource;
import io.bloomgate.blocklists.filter.RandomHashes;
import io.bloomgate.blocklists.filter.RemovableFilter.Removal;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Growth in slices, with removal and without: the asked rate holds whatever it grows to, and is not
 * far from it; no removal harms a hash of another slice.
 */
@Tag("filters")
class SlicedFilterTest {

  @TempDir Path dir;

  private static SlicedFilter<?> empty(FilterKind kind, int capacity, double rate)
      throws Exception {
    return (SlicedFilter<?>)
        FilterKinds.build(kind, new FilterRequest(capacity, rate), HashSource.NONE);
  }

  @ParameterizedTest
  @CsvSource({
    "SCALABLE,1000,0.01",
    "SCALABLE,2000,0.001",
    "SCALABLE_COUNTING,1000,0.01",
    "SCALABLE_COUNTING,2000,0.001"
  })
  void theRateHoldsAtEverySizeAndIsUsed(FilterKind kind, int capacity, double asked)
      throws Exception {
    SlicedFilter<?> filter = empty(kind, capacity, asked);
    SplittableRandom random = new SplittableRandom(capacity);
    int target = capacity * 20;
    for (int i = 1; i <= target; i++) {
      assertTrue(filter.add(random.nextLong()));
      if (Integer.bitCount(i) == 1 || i == target) {
        assertTrue(filter.expectedRate() <= asked, i + ": " + filter.expectedRate());
        RandomHashes.assertRate(filter, filter.expectedRate(), 30_000);
      }
    }
    assertEquals(target, filter.shape().entries());
    assertTrue(filter.slices() >= 4 && filter.slices() <= 5, "slices " + filter.slices());
    assertTrue(filter.expectedRate() >= asked * 0.6, "expected " + filter.expectedRate());
    random = new SplittableRandom(capacity);
    for (int i = 0; i < target; i++) {
      assertTrue(filter.mightContain(random.nextLong()), "entry " + i);
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"SCALABLE", "SCALABLE_COUNTING"})
  void itsCapacityFitsTheFirstSlice(FilterKind kind) throws Exception {
    for (int entries : new int[] {1, 64, 100, 1_000, 20_000}) {
      for (long seed = 1; seed <= 20; seed++) {
        SlicedFilter<?> filter =
            AddableFilter.fill(empty(kind, entries, 0.01), RandomHashes.of(seed, entries));
        assertEquals(1, filter.slices(), entries + " entries, seed " + seed);
      }
    }
  }

  /** All slices are as small as the first one, so that the last one is full soon. */
  @ParameterizedTest
  @EnumSource(names = {"SCALABLE", "SCALABLE_COUNTING"})
  void beyondTheLastSliceNothingIsTakenAndNothingChanges(FilterKind kind) throws Exception {
    SlicedFilter.Plan plan = new SlicedFilter.Plan(20, 0.3);
    List<Lines> lines = new ArrayList<>();
    List<CounterArray> counters = new ArrayList<>();
    for (int i = 0; i < SlicedFilter.Plan.MAX_SLICES; i++) {
      lines.add(ScalableFilter.slice(plan, 0));
      counters.add(ScalableCountingFilter.slice(plan, 0));
    }
    SlicedFilter<?> filter =
        kind == FilterKind.SCALABLE
            ? new ScalableFilter(plan, lines, 0)
            : new ScalableCountingFilter(plan, counters, 0, 0);
    SplittableRandom random = new SplittableRandom(3);
    long hash = random.nextLong();
    while (filter.add(hash)) {
      hash = random.nextLong();
    }
    assertTrue(filter.shape().entries() >= (kind == FilterKind.SCALABLE ? 1 : 5 * plan.first()));
    FilterShape full = filter.shape();
    assertFalse(filter.add(hash));
    assertEquals(full, filter.shape());
    assertFalse(filter.mightContain(hash));
  }

  @Test
  void aSliceIsKeptToItsShareByItsBits() throws Exception {
    ScalableFilter filter =
        AddableFilter.fill(new ScalableFilter(1024, 0.01), RandomHashes.of(4, 30_000));
    SlicedFilter.Plan plan = filter.plan;
    for (int i = 0; i < filter.slices(); i++) {
      FillEstimate.Part slice = filter.parts().get(i);
      assertTrue(slice.rate() <= plan.share(i), "slice " + i);
      if (i < filter.slices() - 1) {
        assertTrue(slice.rate() >= plan.share(i) * 0.95, "slice " + i + " closed too early");
      }
      Path file = dir.resolve("f");
      FilterFile.write(file, filter, new Keying(1, 1, 11, 12));
      FillEstimate.Part recomputed = FillEstimate.Part.of(FilterKinds.read(file).filter()).get(i);
      assertEquals(recomputed.rate(), slice.rate(), 0, "slice " + i);
    }
  }

  @Test
  void equalHashesTakeNoRoom() throws Exception {
    ScalableFilter filter =
        AddableFilter.fill(new ScalableFilter(2_000, 0.01), RandomHashes.of(8, 2_000));
    long bits = filter.shape().bits();
    double rate = filter.expectedRate();
    for (int i = 0; i < 10; i++) {
      AddableFilter.fill(filter, RandomHashes.of(8, 2_000));
    }
    assertEquals(bits, filter.shape().bits());
    assertEquals(rate, filter.expectedRate());
    assertEquals(22_000, filter.shape().entries(), "all that were added");
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
}
