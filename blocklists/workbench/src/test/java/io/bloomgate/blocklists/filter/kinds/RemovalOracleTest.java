package io.bloomgate.blocklists.filter.kinds;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.file.Keying;
import io.bloomgate.blocklists.filter.FilterBuildException;
import io.bloomgate.blocklists.filter.FilterFile;
import io.bloomgate.blocklists.filter.FilterKind;
import io.bloomgate.blocklists.filter.HashSource;
import io.bloomgate.blocklists.filter.RemovableFilter;
import io.bloomgate.blocklists.filter.RemovableFilter.Removal;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Long random sequences of additions and removals beside an exact multiset: what the multiset holds
 * is never missed. Half of the sequence runs on the filter as it was read back from a file.
 */
@Tag("filters")
class RemovalOracleTest {

  private static final int STEPS = 30_000;
  private static final int SEEDS = 2;
  private static final int CAPACITY = 3_000;

  @TempDir Path dir;

  @ParameterizedTest
  @EnumSource(
      value = FilterKind.class,
      names = {"COUNTING", "SCALABLE_COUNTING", "CUCKOO"})
  void whatIsInsideIsNeverMissed(FilterKind kind) throws Exception {
    for (long seed = 1; seed <= SEEDS; seed++) {
      Run run = new Run(kind, seed, 0.1);
      run.steps(STEPS / 2);
      Path file = dir.resolve(kind.word() + seed);
      FilterFile.write(file, run.filter, new Keying(1, 1, 2, 3));
      RemovableFilter read = (RemovableFilter) FilterKinds.read(file).filter();
      assertEquals(run.filter.shape(), read.shape(), run.what());
      run.filter = read;
      run.steps(STEPS / 2);
      run.emptyAll();
    }
  }

  /** One sequence. */
  private static final class Run {
    private final long seed;
    private final SplittableRandom random;
    private final Map<Long, Integer> oracle = new HashMap<>();

    /** The hashes inside, each as often as it is; removals draw from it. */
    private final List<Long> inside = new ArrayList<>();

    private RemovableFilter filter;
    private long kept;
    private int step;

    Run(FilterKind kind, long seed, double rate) throws FilterBuildException {
      this.seed = seed;
      this.random = new SplittableRandom(seed);
      // The counting kind that grows starts small, so that it comes to several slices.
      int capacity = kind == FilterKind.SCALABLE_COUNTING ? 1 : CAPACITY;
      this.filter =
          (RemovableFilter)
              FilterKinds.build(kind, new FilterRequest(capacity, rate), HashSource.NONE);
    }

    void steps(int count) {
      for (int i = 0; i < count; i++) {
        step++;
        boolean remove = !inside.isEmpty() && random.nextInt(CAPACITY) < inside.size();
        if (remove) {
          remove(random.nextInt(inside.size()));
        } else {
          add();
        }
        if (step % 5_000 == 0) {
          checkAll();
        }
      }
    }

    private void add() {
      boolean again = !inside.isEmpty() && random.nextInt(8) == 0;
      long hash = again ? inside.get(random.nextInt(inside.size())) : random.nextLong();
      // Eight copies of one hash fill a cuckoo filter's buckets: then it must say so.
      if (!filter.add(hash)) {
        assertTrue(oracle.getOrDefault(hash, 0) >= 4, what());
        return;
      }
      inside.add(hash);
      oracle.merge(hash, 1, Integer::sum);
    }

    private void remove(int index) {
      long hash = inside.get(index);
      inside.set(index, inside.getLast());
      inside.removeLast();
      Removal removal = filter.remove(hash);
      assertTrue(removal != Removal.ABSENT, what());
      kept += removal == Removal.KEPT ? 1 : 0;
      int left = oracle.merge(hash, -1, Integer::sum);
      if (left == 0) {
        oracle.remove(hash);
      } else {
        assertTrue(filter.mightContain(hash), what());
      }
    }

    private void checkAll() {
      oracle.keySet().forEach(hash -> assertTrue(filter.mightContain(hash), what()));
      assertEquals(inside.size() + kept, filter.shape().entries(), what());
    }

    /** Takes all out; what was not kept leaves nothing behind. */
    void emptyAll() {
      while (!inside.isEmpty()) {
        remove(inside.size() - 1);
      }
      checkAll();
      if (kept == 0) {
        assertEquals(0, filter.expectedRate(), what());
      } else {
        assertTrue(filter.expectedRate() > 0, what());
      }
    }

    String what() {
      return filter.shape().kind().word() + ", seed " + seed + ", step " + step;
    }
  }
}
