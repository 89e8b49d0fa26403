package io.bloomgate.blocklists.generation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.entry.ListEntry;
import io.bloomgate.blocklists.index.Listing;
import io.bloomgate.config.name.ListKey;
import io.bloomgate.config.name.Parsed;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which generations stay on disk while new ones come, and what they say of the past. */
class KeptGenerationsTest {

  private static final Duration QUARTER = Duration.ofMinutes(15);

  @TempDir private Path directory;

  private static SnapshotManifest made(long generation, Instant created) {
    return new SnapshotManifest(
        generation, created, "", List.of(), Map.of(), Map.of(), KnownGoodCounts.NONE, List.of());
  }

  /** What is left of generations that come each quarter of an hour, each of one octet. */
  private static List<SnapshotManifest> after(int count, int keep, long room) {
    List<SnapshotManifest> kept = new ArrayList<>();
    for (int i = 1; i <= count; i++) {
      kept.addFirst(made(i, Generations.START.plus(QUARTER.multipliedBy(i))));
      Set<Long> staying = KeptGenerations.staying(kept, keep, room, one -> 1);
      kept.removeIf(one -> !staying.contains(one.generation()));
    }
    return kept;
  }

  @Test
  void theNewestStayAndOneOfEachHourOfADayAndOneOfEachDayOfAMonth() {
    int days = 40;
    List<SnapshotManifest> kept = after(days * 96, 5, 1000);
    Instant now = kept.getFirst().created();
    for (int i = 0; i < 5; i++) {
      assertEquals(days * 96 - i, kept.get(i).generation());
    }
    for (int minutes = 60; minutes < 29 * 24 * 60; minutes += 15) {
      Instant time = now.minus(Duration.ofMinutes(minutes));
      Duration step = Duration.ofHours(minutes < 23 * 60 ? 1 : 24);
      assertTrue(
          kept.stream()
              .anyMatch(one ->
                  !one.created().isAfter(time)
                      && one.created().isAfter(time.minus(step.plus(QUARTER)))),
          "before " + time);
    }
    assertTrue(kept.size() < 5 + 25 + 31, "kept " + kept.size());
  }

  @Test
  void theOldestGoFirstWhereThereIsNoRoom() {
    List<SnapshotManifest> all = after(10 * 96, 5, 1000);
    List<SnapshotManifest> kept = after(10 * 96, 5, 7);
    assertEquals(12, kept.size());
    assertEquals(all.subList(0, 12), kept);
    assertEquals(5, after(10 * 96, 5, 0).size());
  }

  /** Generations of a feed of which some entries change each time, the first one last. */
  private List<ListSnapshot> build(Generations generations, SplittableRandom random)
      throws Exception {
    RandomFeeds feeds = new RandomFeeds(random.nextLong());
    List<ListEntry> entries = new ArrayList<>(feeds.feed(60));
    List<ListSnapshot> built = new ArrayList<>();
    try (SnapshotStore store = generations.open()) {
      for (int i = 0; i < 60; i++) {
        for (ListEntry entry : feeds.feed(8)) {
          entries.set(random.nextInt(entries.size()), entry);
        }
        generations.now = Generations.START.plus(QUARTER.multipliedBy(3L * i));
        built.add(
            store.build(
                List.of(Generations.feed("drop", List.copyOf(entries))), Generations.OPTIONS));
      }
    }
    return built;
  }

  private static boolean lists(ListSnapshot snapshot, Listing listing) {
    return snapshot.line(0, listing.entry()).isPresent();
  }

  @Test
  void aTimeIsAnsweredByTheNewestKeptGenerationBeforeIt() throws Exception {
    long seed = Long.getLong("seed", System.nanoTime());
    SplittableRandom random = new SplittableRandom(seed);
    Generations generations = new Generations(directory);
    assertEquals(
        Parsed.bad("no generation of the lists is kept yet"),
        KeptGenerations.of(directory).at(Generations.START, ListSnapshot.EMPTY));
    List<ListSnapshot> built = build(generations, random);
    List<ListSnapshot> there =
        built.stream()
            .filter(one ->
                Files.exists(directory.resolve(GenerationDirectory.digits(one.generation()))))
            .toList();
    assertTrue(there.size() > 20 && there.size() < 40, "seed " + seed + ": " + there.size());
    KeptGenerations kept = KeptGenerations.of(directory);
    RandomFeeds asked = new RandomFeeds(random.nextLong());
    for (int i = 0; i < 40; i++) {
      int at = random.nextInt(there.size());
      ListSnapshot then = there.get(at);
      @Nullable ListSnapshot next = at + 1 < there.size() ? there.get(at + 1) : null;
      Instant created = then.manifest().created();
      Instant time =
          next == null
              ? created
              : created.plusSeconds(
                  random.nextLong(
                      Duration.between(created, next.manifest().created()).toSeconds()));
      KeptGenerations.Past past = kept.at(time, built.getLast()).toOptional().orElseThrow();
      String what = "seed " + seed + " at " + time;
      assertEquals(then.generation(), past.lists().generation(), what);
      assertEquals(
          next != null && next.generation() != then.generation() + 1, past.isBetween(), what);
      for (int j = 0; j < 20; j++) {
        ListAnswer answer = then.ask(asked.key());
        if (answer instanceof ListAnswer.Listed(var _, var listings)) {
          listings.forEach(
              one -> assertSpan(there, at, kept.span(then.manifest(), one), one, what));
        }
        ListKey key = asked.key();
        assertEquals(
            Generations.listings(then.ask(key)), Generations.listings(past.lists().ask(key)), what);
      }
    }
    Instant before = there.getFirst().manifest().created().minusSeconds(1);
    assertEquals(
        Parsed.bad(
            "the lists of %s are not known: kept versions go back to %s only"
                .formatted(before, before.plusSeconds(1))),
        kept.at(before, built.getLast()));
  }

  private static void assertSpan(
      List<ListSnapshot> there, int at, KeptGenerations.Span span, Listing listing, String what) {
    int first = at;
    while (first > 0 && lists(there.get(first - 1), listing)) {
      first--;
    }
    int until = at;
    while (until < there.size() && lists(there.get(until), listing)) {
      until++;
    }
    ListSnapshot begin = there.get(first);
    assertEquals(begin.generation(), span.first().generation(), what);
    assertEquals(
        first == 0 || there.get(first - 1).generation() + 1 != begin.generation(),
        span.atLeast(),
        what);
    assertEquals(
        until == there.size() ? null : there.get(until).manifest().created(), span.until(), what);
  }
}
