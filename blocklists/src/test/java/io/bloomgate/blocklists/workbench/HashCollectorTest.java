package io.bloomgate.blocklists.workbench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashSet;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Exact counting of hashes, with HashSet as the oracle. */
class HashCollectorTest {

  private static final long SEED = 314159;

  @Test
  void repeatsAreDroppedWhereverTheyFall() {
    SplittableRandom random = new SplittableRandom(SEED);
    HashCollector collector = new HashCollector(100_000);
    Set<Long> oracle = new HashSet<>();
    for (int i = 0; i < 300_000; i++) {
      // Few distinct hashes, so that the collector must make room several times.
      long hash = random.nextInt(50_000) * 0x9e3779b97f4a7c15L;
      collector.accept(hash);
      oracle.add(hash);
    }
    assertFalse(collector.overfull());
    HashCollector.DistinctHashes distinct = collector.distinct();
    assertEquals(oracle.size(), distinct.count(), "seed " + SEED);
    Set<Long> distinctHashes = new HashSet<>();
    distinct.forEach(hash -> assertTrue(distinctHashes.add(hash), "twice"));
    assertEquals(oracle, distinctHashes);
    for (int i = 0; i < 1000; i++) {
      long any = random.nextLong();
      assertEquals(oracle.contains(any), distinct.contains(any));
    }
    assertTrue(oracle.stream().allMatch(distinct::contains));
  }

  @Test
  void tooManyAreReportedAndNotHeld() {
    HashCollector collector = new HashCollector(1000);
    for (long i = 0; i < 5000; i++) {
      collector.accept(i * 0x9e3779b97f4a7c15L);
    }
    assertTrue(collector.overfull());
    assertTrue(collector.distinct().count() <= 1000);
  }

  @Test
  void extremeHashesAreHashes() {
    HashCollector collector = new HashCollector(1000);
    for (long hash : new long[] {0, -1, Long.MIN_VALUE, Long.MAX_VALUE, 0, -1}) {
      collector.accept(hash);
    }
    HashCollector.DistinctHashes all = collector.distinct();
    assertEquals(4, all.count());
    assertTrue(all.contains(-1));
    assertTrue(all.contains(Long.MIN_VALUE));
    assertFalse(all.contains(1));
  }
}
