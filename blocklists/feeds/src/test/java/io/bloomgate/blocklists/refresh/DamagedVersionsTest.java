package io.bloomgate.blocklists.refresh;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.file.DamagedFileException;
import io.bloomgate.blocklists.file.DurableFiles;
import io.bloomgate.blocklists.generation.OldLayout;
import io.bloomgate.blocklists.refresh.FeedCommands.ActResult;
import io.bloomgate.config.json.JsonValue.JsonObject;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Stories of stored versions: a start from them, and those that a disk has lost or changed. */
class DamagedVersionsTest extends RefreshStories {

  /** What may happen to a stored version. */
  enum Damage {
    FLIPPED {
      @Override
      void strike(Path version) throws IOException {
        String text = Files.readString(version.resolve("part-0000"));
        Files.writeString(version.resolve("part-0000"), text.replace("203.0.113.7", "203.0.112.7"));
      }
    },
    CUT {
      @Override
      void strike(Path version) throws IOException {
        Files.writeString(version.resolve("part-0000"), "203.0.113.1\n");
      }
    },
    LOST {
      @Override
      void strike(Path version) throws IOException {
        Files.delete(version.resolve("part-0000"));
      }
    },
    UNKNOWN {
      @Override
      void strike(Path version) throws IOException {
        Files.writeString(version.resolve("version.json"), "{\"vers");
      }
    },
    OVERGROWN {
      @Override
      void strike(Path version) throws IOException {
        String file = version.resolve("version.json").toString();
        try (RandomAccessFile damaged = new RandomAccessFile(file, "rw")) {
          damaged.setLength(3L << 30);
        }
      }
    },
    GONE {
      @Override
      void strike(Path version) throws IOException {
        DurableFiles.deleteTree(version);
      }
    };

    abstract void strike(Path version) throws IOException;
  }

  private void strike(Damage damage, int version) throws IOException {
    damage.strike(stateDir.resolve("feeds/bad/versions/" + version));
  }

  private RefreshStage begin() throws IOException {
    server.serve("/list", ips(0, 20));
    server.serve("/other", "other.example\n");
    return stage(url("bad", "/list", ""), url("other", "/other", ""));
  }

  private void other(RefreshStage s) throws Exception {
    server.serve("/other", "other.example\nlater.example\n");
    assertEquals(0, s.force("other").exitCode());
    assertTrue(s.listsName("later.example"), "another feed goes live");
  }

  @ParameterizedTest
  @EnumSource
  void theOlderVersionIsLiveUntilTheFeedIsFetchedAgain(Damage damage) throws Exception {
    try (RefreshStage s = begin()) {
      s.loop.tick();
      publish(s, ips(0, 22));
      strike(damage, 2);
      other(s);
      assertTrue(s.listsIp("203.0.113.19") && !s.listsIp("203.0.113.21"));
      assertFalse(s.listsIp("203.0.112.7"));
      assertEquals("cached", s.state("bad"));
      assertTrue(s.alarms.getLast().contains("version 1 is live"), s.alarms.toString());
      s.assertProblem("bad", "version 2");
      int alarms = s.alarms.size();
      s.loop.tick();
      assertEquals("fresh", s.state("bad"), "fetched at once");
      assertTrue(s.listsIp("203.0.113.21"));
      assertEquals(alarms, s.alarms.size());
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"FLIPPED", "UNKNOWN", "GONE"})
  void withoutAnOlderOneTheFeedIsLeftOutAndFetchedAgain(Damage damage) throws Exception {
    try (RefreshStage s = begin()) {
      s.loop.tick();
      strike(damage, 1);
      other(s);
      assertFalse(s.listsIp("203.0.113.19"));
      assertEquals("failed", s.state("bad"));
      assertTrue(s.alarms.getLast().contains("nothing of it is live"), s.alarms.toString());
      s.loop.tick();
      assertEquals("fresh", s.state("bad"));
      assertTrue(s.listsIp("203.0.113.19"));
    }
  }

  /** Found by the feed's own refresh: it heals in that. */
  @ParameterizedTest
  @EnumSource(names = {"FLIPPED", "UNKNOWN", "GONE"})
  void theFeedsOwnRefreshHealsIt(Damage damage) throws Exception {
    for (String list : List.of(ips(0, 20), ips(0, 21))) {
      try (RefreshStage s = begin()) {
        s.refresh(List.of(), true, true);
        assertEquals(List.of("1 live"), s.versions("bad"));
        strike(damage, 1);
        publish(s, list);
        assertEquals("fresh", s.state("bad"), s.problem("bad"));
        other(s);
        assertTrue(s.listsIp("203.0.113.7") && !s.listsIp("203.0.112.7"));
      }
      DurableFiles.deleteTree(stateDir.resolve("feeds"));
      DurableFiles.deleteTree(stateDir.resolve("snapshots"));
    }
  }

  @Test
  void aStartThatMustBuildDoesSoWithoutTheDamagedFeed() throws Exception {
    try (RefreshStage s = begin()) {
      s.loop.tick();
    }
    strike(Damage.CUT, 1);
    DurableFiles.deleteTree(stateDir.resolve("snapshots"));
    server.status("/list", 503, Map.of());
    try (RefreshStage s = begin()) {
      server.status("/list", 503, Map.of());
      s.loop.tick();
      assertTrue(s.listsName("other.example"));
      assertFalse(s.listsIp("203.0.113.1"), "not a part of a list");
    }
  }

  @Test
  void aRollbackToADamagedVersionChangesNothing() throws Exception {
    try (RefreshStage s = begin()) {
      s.loop.tick();
      publish(s, ips(0, 22));
      strike(Damage.FLIPPED, 1);
      assertTrue(s.rollback("bad", 0) instanceof ActResult.Refused);
      assertTrue(s.listsIp("203.0.113.21"));
      assertEquals(List.of("2 live", "1 kept"), s.versions("bad"));
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"FLIPPED", "UNKNOWN", "GONE"})
  void aHeldVersionIsAcceptedAlthoughTheLiveOneIsLost(Damage damage) throws Exception {
    try (RefreshStage s = begin()) {
      s.loop.tick();
      publish(s, ips(0, 5));
      assertEquals("held", s.state("bad"));
      strike(damage, 1);
      assertTrue(s.accept("bad") instanceof ActResult.Done, s.problem("bad"));
      assertTrue(s.listsIp("203.0.113.4") && !s.listsIp("203.0.113.19"));
      assertEquals("fresh", s.state("bad"));
    }
  }

  private void damageTheSecondGeneration() throws IOException {
    Path index = stateDir.resolve("snapshots/0000000002/network.index");
    byte[] octets = Files.readAllBytes(index);
    octets[513] ^= 4; // behind the header
    Files.write(index, octets);
  }

  @Test
  void aGenerationThatReplacesADamagedOneIsBuiltAgain() throws Exception {
    try (RefreshStage s = begin()) {
      s.loop.tick();
      publish(s, ips(0, 22));
      damageTheSecondGeneration();
      assertTrue(s.snapshots.verify(s.live));
      assertFalse(s.listsIp("203.0.113.21"), "the generation before");
      s.loop.listsReplaced();
      s.loop.tick();
      assertTrue(s.listsIp("203.0.113.21"));
      assertFalse(s.snapshots.verify(s.live));
    }
  }

  /** The versions are those of today; the rules that decided about the entries are not. */
  @Test
  void theSameWhenOnlyTheRulesHaveChangedSince() throws Exception {
    try (RefreshStage s = begin()) {
      server.serve("/list", ips(0, 20) + "203.0.112.0/24\n");
      s.loop.tick();
      s.change(
          url("bad", "/list", ", guard: {min_prefix: {ipv4: 25, ipv6: 19}}"),
          url("other", "/other", ""));
      assertFalse(s.listsIp("203.0.112.1"));
      damageTheSecondGeneration();
      s.snapshots.verify(s.live);
      s.loop.listsReplaced();
      s.loop.tick();
      assertFalse(s.listsIp("203.0.112.1"), "narrower than the generation before");
    }
  }

  @Test
  void aDamagedRecordIsReportedAndTheListStays() throws Exception {
    try (RefreshStage s = begin()) {
      s.loop.tick();
      s.loop.disable("bad", null);
    }
    damageState();
    try (RefreshStage s = begin()) {
      assertTrue(
          s.alarms.stream().anyMatch(a -> a.contains("feed bad") && a.contains("disable")),
          s.alarms.toString());
      s.loop.tick();
      assertTrue(s.listsIp("203.0.113.7"));
      assertEquals(List.of("1 live"), s.versions("bad"));
    }
  }

  /** An offline reader cannot fix the record, and must not treat it as empty. */
  @Test
  void aDamagedRecordIsReportedOfflineToo() throws Exception {
    try (RefreshStage s = begin()) {
      s.loop.tick();
      assertEquals(
          List.of(), StoredFeeds.read(stateDir, List.of("bad", "other"), s.now).problems());
    }
    damageState();
    StoredFeeds stored = StoredFeeds.read(stateDir, List.of("bad", "other"), START);
    assertEquals(1, stored.problems().size(), stored.problems().toString());
    assertTrue(stored.problems().getFirst().contains("feed bad"), stored.problems().toString());
    assertEquals(Set.of("other"), stored.lastSuccess().keySet());
    try (RefreshStage s = begin()) {
      var source = Objects.requireNonNull(s.settings.feeds().sources().get("bad"));
      damageState();
      assertThrows(DamagedFileException.class, () -> KeptVersions.of(stateDir, source, List.of()));
    }
  }

  @Test
  void startsFromTheLastGenerationWithoutNetwork() throws Exception {
    begun(ips(0, 10)).close();
    server.close();
    try (RefreshStage s =
        new RefreshStage(stateDir, START.plus(HOUR.multipliedBy(2)), url("bad", "/list", ""))) {
      assertEquals(1, s.live.current().generation());
      assertTrue(s.listsIp("203.0.113.9"));
      assertEquals(Map.of("bad", START), s.loop.reports().lastSuccess());
      s.loop.tick();
      assertEquals("cached", s.state("bad"));
      assertTrue(s.listsIp("203.0.113.9"));
    }
  }

  @Test
  void aLostGenerationIsBuiltAgainFromTheStoredVersions() throws Exception {
    begun(ips(0, 10)).close();
    server.close();
    io.bloomgate.blocklists.file.DurableFiles.deleteTree(stateDir.resolve("snapshots"));
    try (RefreshStage s = stage(url("bad", "/list", ""))) {
      assertFalse(s.listsIp("203.0.113.9"));
      s.loop.tick();
      assertTrue(s.listsIp("203.0.113.9"));
      assertEquals("fresh", s.state("bad"));
    }
  }

  @Test
  void aGenerationOfAnotherReleaseIsBuiltAgainBeforeAnyFetch() throws Exception {
    begun(ips(0, 10)).close();
    OldLayout.give(stateDir.resolve("snapshots/0000000001"));
    AtomicBoolean listedWhenAsked = new AtomicBoolean();
    try (RefreshStage s =
        new RefreshStage(stateDir, START.plus(HOUR.multipliedBy(2)), url("bad", "/list", ""))) {
      assertFalse(s.listsIp("203.0.113.9"));
      server.on(
          "/list",
          exchange -> {
            listedWhenAsked.set(s.listsIp("203.0.113.9"));
            exchange.sendResponseHeaders(503, -1);
          });
      s.loop.tick();
      assertTrue(listedWhenAsked.get());
      assertTrue(s.listsIp("203.0.113.9"));
    }
  }

  @Test
  void aVersionPublishedRightBeforeAKillIsAdopted() throws Exception {
    server.serve("/list", ips(0, 10));
    JsonObject before;
    try (RefreshStage s = stage(url("bad", "/list", ""))) {
      s.loop.tick();
      before = storedState();
      server.serve("/list", ips(0, 11));
      s.refresh(List.of("bad"), false, false);
    }
    restoreState(before);
    try (RefreshStage s = stage(url("bad", "/list", ""))) {
      assertEquals("fresh", s.state("bad"));
      long generation = s.live.current().generation();
      s.loop.tick();
      assertTrue(s.listsIp("203.0.113.10"));
      assertEquals(generation, s.live.current().generation());
    }
  }

  @Test
  void whatCannotBeKeptDoesNotFillTheDisk() throws Exception {
    server.serve("/list", ips(0, 10));
    Path feed = stateDir.resolve("feeds/bad");
    try (RefreshStage s = stage(url("bad", "/list", ""))) {
      Files.createFile(Files.createDirectories(feed).resolve("versions"));
      s.loop.tick();
      assertEquals("failed", s.state("bad"));
      assertFalse(Files.exists(feed.resolve("incoming")));
    }
  }
}
