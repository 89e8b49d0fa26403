package io.bloomgate.blocklists.generation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.entry.ListEntry;
import io.bloomgate.config.name.ListKey;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Answers of built generations against an oracle that reads every entry. */
class SnapshotPropertyTest {

  private static final int KEYS = 1500;

  @TempDir Path state;

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6})
  void everyAnswerIsThatOfReadingEveryEntry(long seed) throws Exception {
    RandomFeeds random = new RandomFeeds(seed);
    Map<String, List<ListEntry>> feeds = new LinkedHashMap<>();
    for (String name : List.of("zeta", "alpha", "mid")) {
      feeds.put(name, random.feed((int) (40 * seed)));
    }
    NaiveLists oracle = new NaiveLists(feeds);
    try (SnapshotStore store = new Generations(state.resolve("snapshots")).open()) {
      ListSnapshot snapshot = store.build(Generations.feeds(feeds), Generations.OPTIONS);
      int listed = 0;
      for (int i = 0; i < KEYS; i++) {
        listed += compare(seed, random.key(), oracle, snapshot) ? 1 : 0;
      }
      assertTrue(listed > KEYS / 20 && listed < KEYS, "seed " + seed + " listed " + listed);
      assertCounts(seed, feeds, oracle, snapshot);
    }
  }

  private static boolean compare(long seed, ListKey key, NaiveLists oracle, ListSnapshot snapshot) {
    ListAnswer answer = snapshot.ask(key);
    String what = "seed " + seed + " key " + key;
    if (!oracle.lists(key)) {
      assertFalse(answer instanceof ListAnswer.Listed, what);
      return false;
    }
    assertInstanceOf(ListAnswer.Listed.class, answer, what);
    assertEquals(oracle.standing(key), Generations.listings(answer), what);
    return true;
  }

  private static void assertCounts(
      long seed, Map<String, List<ListEntry>> feeds, NaiveLists oracle, ListSnapshot snapshot) {
    long kept = 0;
    for (FeedCounts counts : snapshot.manifest().feeds()) {
      long own = counts.entries() + counts.exceptions();
      assertEquals(
          feeds.getOrDefault(counts.name(), List.of()).size(),
          own + counts.duplicates(),
          "seed " + seed + counts);
      kept += own;
    }
    assertEquals(oracle.distinctEntries(), kept, "seed " + seed);
  }

  @ParameterizedTest
  @ValueSource(longs = {11, 12, 13})
  void aCrowdedFilterCostsConfirmationsAndNothingElse(long seed) throws Exception {
    RandomFeeds random = new RandomFeeds(seed);
    Map<String, List<ListEntry>> feeds = new LinkedHashMap<>();
    feeds.put("one", random.feed(300));
    feeds.put("two", random.feed(300));
    NaiveLists oracle = new NaiveLists(feeds);
    Generations generations = new Generations(state.resolve("snapshots"));
    try (SnapshotStore store = generations.open()) {
      // Two lines for all entries: nearly every probe hits.
      ListSnapshot snapshot =
          store.build(Generations.feeds(feeds), new BuildOptions(0.001, 128, 1));
      assertEquals(1, snapshot.manifest().warnings().size());
      int falsePositives = 0;
      for (int i = 0; i < KEYS; i++) {
        ListKey key = random.key();
        compare(seed, key, oracle, snapshot);
        if (snapshot.ask(key) instanceof ListAnswer.FalsePositive hit) {
          falsePositives++;
          assertEquals(Partition.of(key).word(), hit.filter(), "seed " + seed);
        }
      }
      assertTrue(falsePositives > 0, "seed " + seed);
    }
  }

  @Test
  void anEmptyGenerationListsNothing() throws Exception {
    try (SnapshotStore store = new Generations(state.resolve("snapshots")).open()) {
      ListSnapshot snapshot = store.build(List.of(), Generations.OPTIONS);
      RandomFeeds random = new RandomFeeds(9);
      for (int i = 0; i < 100; i++) {
        assertEquals(ListAnswer.NotListed.INSTANCE, snapshot.ask(random.key()));
      }
    }
  }

  @Test
  void everyBuildDrawsANewSeed() throws Exception {
    List<FeedInput> feeds =
        List.of(Generations.feed("f", List.of(Generations.network("203.0.113.7", 1))));
    try (SnapshotStore store = new Generations(state.resolve("snapshots")).open()) {
      Map<String, String> first = store.build(feeds, Generations.OPTIONS).manifest().files();
      Map<String, String> second = store.build(feeds, Generations.OPTIONS).manifest().files();
      first.forEach((file, digest) -> assertNotEquals(digest, second.get(file), file));
    }
  }
}
