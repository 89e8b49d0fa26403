package io.bloomgate.blocklists.history;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.entry.ListEntry;
import io.bloomgate.blocklists.generation.ListAnswer;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.name.IpPrefix;
import io.bloomgate.config.name.ListKey;
import io.bloomgate.config.name.Parsed;
import io.bloomgate.config.settings.Settings.Feeds.History;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the history answers about the past, against every version that was live. */
class FeedHistoryTest {

  private static final long SEED = 20261123;
  private static final Duration STEP = Duration.ofMinutes(15);

  @TempDir private Path directory;
  private SplittableRandom random = new SplittableRandom(SEED);
  private HistoryUniverse universe = new HistoryUniverse(random);
  private final Map<String, Set<ListEntry>> feeds = new LinkedHashMap<>();
  private final Map<String, Long> numbers = new LinkedHashMap<>();
  private HistoryStage stage;

  @BeforeEach
  void begin() throws Exception {
    stage = new HistoryStage(directory);
    for (String name : List.of("drop", "spam", "names")) {
      feeds.put(name, some(40));
      numbers.put(name, 1L);
    }
  }

  private static ListKey ip(String text) {
    return IpAddress.parse(text).toOptional().orElseThrow();
  }

  private static ListEntry host(String text) {
    return new ListEntry.Network(IpPrefix.parse(text).toOptional().orElseThrow(), false, 1);
  }

  private Set<ListEntry> some(int count) {
    Set<ListEntry> entries = new LinkedHashSet<>();
    for (int i = 0; i < count; i++) {
      entries.add(universe.entry());
    }
    return entries;
  }

  private Set<ListEntry> entries(String feed) {
    return Objects.requireNonNull(feeds.get(feed));
  }

  private void flip(String name) {
    Set<ListEntry> entries = entries(name);
    for (ListEntry entry : some(6)) {
      if (!entries.remove(entry)) {
        entries.add(entry);
      }
    }
    numbers.merge(name, 1L, Long::sum);
  }

  private void build() throws Exception {
    stage.build(feeds, numbers, "rules");
    stage.now = stage.now.plus(STEP);
  }

  private void buildVersions(int count) throws Exception {
    for (int i = 0; i < count; i++) {
      flip(List.copyOf(feeds.keySet()).get(random.nextInt(feeds.size())));
      build();
      stage.follow();
    }
  }

  private Instant someTime() {
    long span = Duration.between(HistoryStage.START, stage.now).toMillis();
    return HistoryStage.START.plusMillis(random.nextLong(span));
  }

  private void assertAsEveryVersionSays(int questions) {
    for (int i = 0; i < questions; i++) {
      Instant time = someTime();
      PastSnapshot past = stage.known(time);
      for (int j = 0; j < 4; j++) {
        ListKey key = universe.key();
        assertEquals(
            stage.expected(time, key),
            HistoryStage.answer(past, key),
            () -> key + " at " + time + ", seed " + SEED);
      }
    }
  }

  @Test
  void everyTimeIsAnsweredAsTheVersionsOfThenSay() throws Exception {
    String inputs = "rules";
    for (int i = 0; i < 200; i++) {
      switch (random.nextInt(12)) {
        case 0 -> feeds.remove("spam");
        case 1 -> {
          feeds.put("spam", some(30));
          numbers.merge("spam", 1L, Long::sum);
        }
        case 2 -> numbers.merge("drop", 1L, Long::sum);
        case 3 -> {
          // Held entries are let through: the same version lists more.
          entries("drop").addAll(some(5));
          inputs = "rules " + i;
        }
        default -> flip(List.copyOf(feeds.keySet()).get(random.nextInt(feeds.size())));
      }
      stage.build(feeds, numbers, inputs);
      if (random.nextInt(10) == 0) {
        stage.restart(); // killed behind the step to the generation
      }
      stage.follow();
      stage.now = stage.now.plus(STEP);
    }
    assertAsEveryVersionSays(300);
    assertEquals(List.of(), stage.alarms);
  }

  @Test
  void theDecisionOfThenLeavesOutWhatAnExceptionOfThenVoids() throws Exception {
    feeds.clear();
    feeds.put("drop", new LinkedHashSet<>());
    entries("drop").add(host("198.51.100.0/24"));
    build();
    stage.follow();
    Instant listed = stage.now.minusSeconds(1);
    feeds
        .get("drop")
        .add(
            new ListEntry.Network(
                IpPrefix.parse("198.51.100.7").toOptional().orElseThrow(), true, 2));
    numbers.put("drop", 2L);
    build();
    stage.follow();
    ListKey key = ip("198.51.100.7");
    var then = (ListAnswer.Listed) stage.known(listed).ask(key);
    var now = (ListAnswer.Listed) stage.known(stage.now).ask(key);
    assertEquals("198.51.100.0/24", then.listings().getFirst().entry().text());
    assertEquals(0, then.listings().getFirst().entry().line(), "the line of then was not kept");
    assertEquals(List.of(), now.listings());
    assertEquals(1, stage.known(listed).generation());
  }

  @Test
  void aRecordThatWasNotFinishedIsWrittenAgain() throws Exception {
    buildVersions(20);
    for (int octets : new int[] {1, 5, 11, 12, 13, 60}) {
      Path file = stage.files().getLast();
      try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
        channel.truncate(channel.size() - octets);
      }
      stage.restart();
      stage.follow();
      assertAsEveryVersionSays(20);
      buildVersions(2);
      assertAsEveryVersionSays(20);
    }
  }

  @Test
  void flippedBitsNeverGiveAnotherAnswer() throws Exception {
    buildVersions(40);
    Path file = stage.files().getFirst();
    byte[] whole = Files.readAllBytes(file);
    int refused = 0;
    for (int i = 0; i < 300; i++) {
      int at = random.nextInt(whole.length);
      byte flipped = (byte) (whole[at] ^ 1 << random.nextInt(8));
      try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
        channel.write(ByteBuffer.wrap(new byte[] {flipped}), at);
      }
      Instant time = someTime();
      ListKey key = universe.key();
      switch (stage.at(time)) {
        case Parsed.Bad<PastSnapshot>(String why) -> {
          refused++;
          assertTrue(why.contains(file.toString()), why);
        }
        case Parsed.Ok<PastSnapshot>(PastSnapshot past, var _) -> {
          Set<String> expected = stage.expected(time, key);
          Set<String> answer = HistoryStage.answer(past, key);
          // What came before the damage has no beginning.
          answer.removeIf(line -> line.contains(" null ") || !expected.contains(line));
          assertTrue(expected.containsAll(answer), () -> key + " at " + time + ", seed " + SEED);
          assertEquals(expected.size(), HistoryStage.answer(past, key).size());
        }
      }
      Files.write(file, whole);
    }
    assertTrue(refused > 50, "damage was found: " + refused);
  }

  @Test
  void whatIsOlderThanRetainIsDeletedAndTheAnswerSaysSo() throws Exception {
    for (int day = 0; day < 10; day++) {
      flip("drop");
      stage.build(feeds, numbers, "rules");
      stage.history.follow(stage.live, new History(Duration.ofDays(3), 1L << 30));
      stage.now = stage.now.plus(Duration.ofDays(1));
    }
    Instant tooOld = stage.now.minus(Duration.ofDays(6));
    String why = stage.unknown(tooOld);
    assertTrue(why.contains("the history is whole from 2026-11-2"), why);
    Instant kept = stage.now.minus(Duration.ofDays(3));
    ListKey key = universe.key();
    assertEquals(
        stage.expected(kept, key).size(), HistoryStage.answer(stage.known(kept), key).size());
    assertEquals(4, stage.files().size(), "three days, and the one that holds their beginning");
  }

  @Test
  void whatIsBeyondMaxSizeIsDeletedOldestFirst() throws Exception {
    buildVersions(4);
    for (int day = 0; day < 5; day++) {
      flip("drop");
      stage.build(feeds, numbers, "rules");
      stage.history.follow(stage.live, new History(Duration.ofDays(30), 1));
      stage.now = stage.now.plus(Duration.ofDays(1));
    }
    assertEquals(1, stage.files().size());
    assertTrue(stage.unknown(HistoryStage.START).contains("are not known"));
  }

  @Test
  void aHistoryThatCannotBeWrittenStopsNothingAndIsWholeAgainLater() throws Exception {
    buildVersions(3);
    Path history = stage.stateDir.resolve("history");
    Path aside = stage.stateDir.resolve("aside");
    Files.move(history, aside);
    Files.writeString(history, "no folder");
    stage.restart();
    Instant missed = stage.now;
    buildVersions(1);
    assertEquals(1, stage.alarms.size(), () -> stage.alarms.toString());
    Instant whole = stage.now;
    Files.delete(history);
    Files.move(aside, history);
    buildVersions(1);
    String why = stage.unknown(missed.plusSeconds(1));
    assertTrue(why.contains("between " + missed) && why.contains(whole.toString()), why);
    ListKey key = universe.key();
    for (Instant time : List.of(missed.minusSeconds(1), stage.now)) {
      assertEquals(
          stage.expected(time, key).size(), HistoryStage.answer(stage.known(time), key).size());
    }
  }

  @Test
  void beforeTheFirstGenerationNothingIsKnown() throws Exception {
    assertTrue(stage.unknown(stage.now).contains("no history of the lists is kept yet"));
    buildVersions(1);
    assertTrue(
        stage.unknown(HistoryStage.START.minusSeconds(1)).contains("from 2026-11-21T07:00:00Z on"));
  }

  @Test
  void aFeedWithMoreChangesThanAreKeptIsNotKnownBefore() throws Exception {
    buildVersions(1);
    var before = stage.live;
    buildVersions(1);
    var changes = DeltaCollector.between(before, stage.live, 1);
    assertEquals(1, changes.size());
    assertEquals(Delta.Past.UNKNOWN, changes.getFirst().past());
    assertFalse(changes.getFirst().changes().size() > 1);
  }
}
