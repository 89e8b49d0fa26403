package io.bloomgate.blocklists.generation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.entry.ListEntry;
import io.bloomgate.blocklists.entry.ListEntry.NameMatch;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Keys asked together are answered as keys asked one by one. */
class BatchAskTest {

  private static final int BATCHES = 400;

  @TempDir Path state;

  private final KeyBatch batch = new KeyBatch();

  @ParameterizedTest
  @ValueSource(longs = {21, 22, 23, 24})
  void aBatchSaysOfEachKeyWhatAskingForItAloneSays(long seed) throws Exception {
    RandomFeeds feeds = new RandomFeeds(seed);
    Map<String, List<ListEntry>> entries = new LinkedHashMap<>();
    entries.put("one", feeds.feed(150));
    entries.put("two", feeds.feed(150));
    SplittableRandom random = new SplittableRandom(seed);
    try (SnapshotStore store = new Generations(state.resolve("snapshots")).open()) {
      // Crowded filters, so that false positives are among the answers.
      ListSnapshot snapshot =
          store.build(Generations.feeds(entries), new BuildOptions(0.3, 1 << 20, 1));
      int[] seen = new int[3];
      for (int i = 0; i < BATCHES; i++) {
        fill(feeds, random.nextInt(KeyBatch.MAX_KEYS + 1));
        compare(snapshot, "seed " + seed + " batch " + i, seen);
      }
      for (int count : seen) {
        assertTrue(count > BATCHES / 4, "seed " + seed + ": too few answers of a kind " + count);
      }
    }
  }

  private void fill(RandomFeeds feeds, int size) {
    batch.clear();
    for (int i = 0; i < size; i++) {
      batch.add(feeds.key());
    }
  }

  private void compare(ListSnapshot snapshot, String what, int[] seen) {
    long hits = snapshot.mayList(batch);
    assertEquals(0, hits & ~batch.everyKey(), what);
    for (int i = 0; i < batch.size(); i++) {
      ListAnswer answer = snapshot.ask(batch.key(i));
      boolean hit = (hits >>> i & 1) != 0;
      assertEquals(!(answer instanceof ListAnswer.NotListed), hit, what + " " + batch.key(i));
      seen[
          switch (answer) {
            case ListAnswer.NotListed ignored -> 0;
            case ListAnswer.FalsePositive ignored -> 1;
            case ListAnswer.OutOfReach ignored -> 1;
            case ListAnswer.Listed ignored -> 2;
          }]++;
    }
  }

  @Test
  void aNameWithMoreParentsThanAreReadAtOnceIsFoundByAnyOfThem() throws Exception {
    List<ListEntry> listed = List.of(Generations.domain("spam.example", NameMatch.SUFFIX, 1));
    try (SnapshotStore store = new Generations(state.resolve("snapshots")).open()) {
      ListSnapshot snapshot =
          store.build(List.of(Generations.feed("f", listed)), new BuildOptions(1e-9, 1 << 20, 1));
      batch.clear();
      batch.add(Generations.ip("192.0.2.1"));
      batch.add(Generations.name("a.".repeat(100) + "clean.example"));
      batch.add(Generations.name("a.".repeat(100) + "spam.example"));
      batch.add(Generations.name("a." + "b.".repeat(50) + "clean.example"));
      assertEquals(0b0100, snapshot.mayList(batch));
    }
  }

  @Test
  void listsWithoutFiltersLeaveEveryKeyToBeAsked() {
    assertEquals(0, ListSnapshot.EMPTY.mayList(batch));
    batch.add(Generations.ip("192.0.2.1"));
    batch.add(Generations.ip("192.0.2.2"));
    assertEquals(0b11, ListSnapshot.EMPTY.mayList(batch));
  }

  @Test
  void aFullBatchTakesNoMore() {
    fill(new RandomFeeds(1), KeyBatch.MAX_KEYS);
    assertEquals(-1L, batch.everyKey());
    assertThrows(IllegalStateException.class, () -> batch.add(Generations.ip("192.0.2.1")));
  }
}
