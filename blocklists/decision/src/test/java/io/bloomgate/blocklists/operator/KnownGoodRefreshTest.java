package io.bloomgate.blocklists.operator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.generation.KnownGood;
import io.bloomgate.blocklists.generation.KnownGoodCounts;
import io.bloomgate.blocklists.generation.KnownGoodHits;
import io.bloomgate.blocklists.generation.KnownGoodHits.Hit;
import io.bloomgate.blocklists.generation.SnapshotManifest;
import io.bloomgate.blocklists.refresh.FeedStatus;
import io.bloomgate.blocklists.refresh.KnownGoodLog;
import io.bloomgate.blocklists.refresh.RefreshStage;
import io.bloomgate.config.name.DomainName;
import io.bloomgate.config.name.Subject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The known-good files of the settings on their way into generations. */
class KnownGoodRefreshTest {

  private static final Instant START = Instant.parse("2026-11-21T07:00:00Z");

  @TempDir Path dir;
  private String feed = "";
  private Path goodFile = Path.of("");

  @BeforeEach
  void files() throws IOException {
    Path list = dir.resolve("bad.txt");
    Files.writeString(list, lines("bad", 300));
    feed = "bad: {file: " + list + ", format: domains, match: suffix}";
    goodFile = dir.resolve("good.list");
    Files.createDirectory(dir.resolve("state"));
  }

  private static String lines(String prefix, int count) {
    StringBuilder lines = new StringBuilder();
    IntStream.range(0, count).forEach(i -> lines.append(prefix).append(i).append(".example\n"));
    return lines.toString();
  }

  private RefreshStage stage() throws IOException {
    RefreshStage stage = new RefreshStage(dir.resolve("state"), START);
    stage.goodFiles = new KnownGood.Reader(KnownGoodFiles::read, KnownGoodFiles::stamp);
    stage.settings = RefreshStage.settingsWith("allow: {known_good: [" + dir + "/*.list]}\n", feed);
    return stage;
  }

  private static Subject name(String text) {
    return DomainName.parse(text).toOptional().orElseThrow();
  }

  private static KnownGoodCounts counts(RefreshStage stage) {
    return stage.live.current().manifest().knownGood();
  }

  /** 200 that no list names, and line 201 of the file, which line 8 of the feed lists. */
  private KnownGoodCounts oneListed() {
    Hit hit = new Hit("bad7.example", 8, "bad7.example", goodFile + ":201");
    return new KnownGoodCounts(200, 1, Map.of("bad", new KnownGoodHits(1, 1, List.of(hit))));
  }

  @Test
  void anEditedFileCountsAfterAReload() throws Exception {
    try (RefreshStage stage = stage()) {
      stage.loop.tick();
      assertEquals(KnownGoodCounts.NONE, counts(stage));
      SnapshotManifest before = stage.live.current().manifest();
      Files.writeString(goodFile, lines("good", 200) + "bad7.example\nno name\n");
      stage.loop.settingsChanged();
      stage.loop.tick();
      assertEquals(2, stage.live.current().generation());
      assertEquals(oneListed(), counts(stage));
      SnapshotManifest live = stage.live.current().manifest();
      assertEquals(1, KnownGoodLog.log(before, live), "logged before it goes live");
      assertEquals(0, KnownGoodLog.log(live, live), "and once");
      assertEquals(oneListed().of("bad"), stage.show("bad").knownGood());
      assertTrue(stage.listsName("bad7.example"), "known to be good is not allowed");
      stage.loop.settingsChanged();
      stage.loop.tick();
      assertEquals(2, stage.live.current().generation(), "nothing changed");
    }
    try (RefreshStage again = stage()) {
      again.loop.tick();
      assertEquals(2, again.live.current().generation(), "a restart builds nothing");
      assertEquals(oneListed(), counts(again));
      Files.delete(goodFile);
      again.loop.settingsChanged();
      again.loop.tick();
      assertEquals(KnownGoodCounts.NONE, counts(again));
    }
  }

  /** Before anybody accepts it, and for what is allowed too: that is named and not held back. */
  @Test
  void knownGoodEntriesOfAHeldVersionAreReportedWhileItWaits() throws Exception {
    try (RefreshStage stage = stage()) {
      stage.loop.tick();
      Files.writeString(goodFile, "bad7.example\npartner.example\n");
      stage.allowed = List.of(name("friend.example"));
      Files.writeString(
          dir.resolve("bad.txt"), "partner.example\nwww.partner.example\nfriend.example\n");
      stage.refresh(List.of("bad"), false, true);
      assertEquals("held", stage.state("bad"));
      KnownGoodHits hits = stage.show("bad").heldKnownGood();
      assertEquals(2, hits.subjects());
      assertEquals(1, hits.allowed());
      assertTrue(hits.toString().contains(goodFile + ":2"), hits.toString());
      stage.accept("bad");
      FeedStatus.Details shown = stage.show("bad");
      assertEquals(0, shown.heldKnownGood().subjects());
      assertEquals(2, shown.knownGood().subjects());
      assertTrue(
          shown.reasons().toString().contains("your allow entries win"),
          shown.reasons().toString());
    }
  }

  @Test
  void knownGoodEntriesAmongHeldOnesAreReportedWhileTheyWait() throws Exception {
    try (RefreshStage stage = stage()) {
      Files.writeString(goodFile, "2.2.2.2\nbad7.example\n");
      feed = "bad: {file: " + dir.resolve("nets.txt") + ", format: ips}";
      Files.writeString(dir.resolve("nets.txt"), "192.0.2.0/24\n2.0.0.0/7\n");
      stage.settings = RefreshStage.settingsWith("allow: {known_good: [" + goodFile + "]}\n", feed);
      stage.loop.settingsChanged();
      stage.loop.tick();
      KnownGoodHits hits = stage.show("bad").heldKnownGood();
      assertEquals(1, hits.subjects());
      assertTrue(hits.toString().contains("2.0.0.0/7"), hits.toString());
      assertTrue(
          stage.problem("bad").contains("1 held back: wider than min_prefix"),
          stage.problem("bad"));
    }
  }

  @Test
  void whatTheOperatorAllowsIsKnownToBeGoodAsOfTheBuild() throws Exception {
    try (RefreshStage stage = stage()) {
      stage.allowed = IntStream.range(0, 200).mapToObj(i -> name("good" + i + ".example")).toList();
      stage.loop.tick();
      assertEquals(new KnownGoodCounts(200, 0), counts(stage));
      stage.allowed = List.of();
      stage.loop.settingsChanged();
      stage.loop.tick();
      assertEquals(1, stage.live.current().generation());
    }
  }
}
