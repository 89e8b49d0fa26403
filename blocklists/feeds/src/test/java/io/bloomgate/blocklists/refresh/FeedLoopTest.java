package io.bloomgate.blocklists.refresh;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.guard.ProtectedSet;
import io.bloomgate.blocklists.refresh.FeedCommands.ActResult;
import io.bloomgate.blocklists.refresh.FeedCommands.RefreshResult;
import io.bloomgate.config.settings.Action;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;

/** Stories of feeds that come, change, break and recover. */
class FeedLoopTest extends RefreshStories {

  private static byte[] gzip(String text) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
      gzip.write(text.getBytes(UTF_8));
    }
    return out.toByteArray();
  }

  @Test
  void aFeedGoesLiveAndStaysUntilItChanges() throws Exception {
    server.serve("/list", ips(0, 10));
    try (RefreshStage s = stage(url("bad", "/list", ""))) {
      assertEquals("failed", s.state("bad"));
      assertEquals("waiting for the first fetch", s.problem("bad"));
      s.loop.tick();
      assertEquals("fresh", s.state("bad"));
      assertTrue(s.listsIp("203.0.113.9"));
      assertEquals(1, s.live.current().generation());
      s.loop.tick();
      assertEquals(1, server.requests().size(), "not due yet");
      s.tickAfter(Duration.ofMinutes(67));
      assertEquals("unchanged", s.state("bad"));
      assertEquals(1, s.live.current().generation(), "304 builds nothing");
      assertEquals(Map.of("bad", s.now), s.loop.reports().lastSuccess());
      assertEquals(START, s.show("bad").status().changed());
      server.serve("/list", ips(5, 15));
      s.tickAfter(Duration.ofMinutes(67));
      assertEquals("fresh", s.state("bad"));
      assertTrue(s.listsIp("203.0.113.14"));
      assertFalse(s.listsIp("203.0.113.0"), "removal is routine");
    }
  }

  /** What no code expects, in the words of a fault that is none of a feed's. */
  private static final List<ProtectedSet> FAULTY =
      whenRead(() -> {
        throw new IllegalStateException("unexpected");
      });

  @Test
  void anUnexpectedFaultIsAFailureOfItsFeedAndKeepsItsDistance() throws Exception {
    server.serve("/list", ips(0, 10));
    try (RefreshStage s = stage(url("bad", "/list", ""))) {
      s.protectedSets = FAULTY;
      s.loop.tick();
      assertEquals("failed", s.state("bad"));
      s.assertProblem("bad", "unexpected fault");
      s.loop.tick();
      assertEquals(1, server.requests().size(), "the server is not asked again at once");
      s.protectedSets = List.of();
      s.tickAfter(Duration.ofMinutes(10));
      assertEquals("fresh", s.state("bad"));
    }
  }

  @Test
  void everyKindOfBrokenAnswerLeavesTheLastGoodVersion() throws Exception {
    try (RefreshStage s = begun(ips(0, 100))) {
      byte[] packed = gzip(ips(0, 100));
      Map<String, Runnable> faults =
          Map.of(
              "404", () -> server.status("/list", 404, Map.of()),
              "503", () -> server.status("/list", 503, Map.of()),
              "broke off", () -> server.serveCutOff("/list", ips(0, 50).getBytes(UTF_8)),
              "cut off", () -> server.serve("/list", Arrays.copyOf(packed, packed.length - 9)),
              "web page", () -> server.serve("/list", "<!DOCTYPE html><p>moved</p>\n"),
              "empty", () -> server.serve("/list", ""),
              "prose", () -> server.serve("/list", "This list has ended.\nGo away.\n"),
              "invalid", () -> server.serve("/list", ips(0, 100) + "1..2\n".repeat(11)));
      for (Map.Entry<String, Runnable> fault : faults.entrySet()) {
        fault.getValue().run();
        RefreshResult result = s.force("bad");
        assertEquals(1, result.exitCode(), fault.getKey());
        assertEquals("cached", s.state("bad"), fault.getKey());
        s.assertProblem("bad", fault.getKey());
        assertEquals(
            Set.of("503", "broke off").contains(fault.getKey())
                ? FeedStatus.Health.NOTE
                : FeedStatus.Health.ALARM,
            s.show("bad").status().health(),
            fault.getKey());
        assertTrue(s.listsIp("203.0.113.99"), fault.getKey());
        assertEquals(1, s.live.current().generation());
        assertEquals(Map.of("bad", START), s.loop.reports().lastSuccess());
      }
      s.pass(Duration.ofDays(4));
      assertEquals("stale", s.state("bad"));
      server.serve("/list", ips(0, 99));
      assertEquals(0, s.refresh(List.of("bad"), false, false).exitCode());
      assertEquals("fresh", s.state("bad"));
    }
  }

  /** A list that ended says so in a comment; nobody looks into an empty file for it. */
  @Test
  void aListThatEndedIsAnAlarmWithItsOwnWords() throws Exception {
    server.serve("/list", ips(0, 100));
    try (RefreshStage s = stage(url("bad", "/list", ""))) {
      assertEquals(FeedStatus.Health.NOTE, s.show("bad").status().health(), "not tried yet");
      s.loop.tick();
      assertEquals(FeedStatus.Health.GOOD, s.show("bad").status().health());
      server.serve("/list", "; this list was merged \u001b[2J into another\n;\n; use that\n");
      s.force("bad");
      assertEquals(FeedStatus.Health.ALARM, s.show("bad").status().health());
      s.assertProblem("bad", "the list says: this list was merged \\x1B[2J into another use that");
      String next =
          "its entries of before stay in force until the list can be used again, the settings"
              + " give another address, or `bloomgate feeds remove bad`";
      assertEquals(List.of(next), s.show("bad").reasons());
      assertEquals(
          next, assertInstanceOf(ActResult.Refused.class, s.accept("bad")).hint(), "no circle");
      server.status("/list", 503, Map.of());
      s.force("bad");
      assertEquals(FeedStatus.Health.NOTE, s.show("bad").status().health());
      s.pass(Duration.ofHours(25));
      assertEquals(FeedStatus.Health.ALARM, s.show("bad").status().health(), "for long");
    }
  }

  /** What the former address answered says nothing of the one that the settings name now. */
  @Test
  void theErrorOfAFormerAddressIsNotThatOfANewOne() throws Exception {
    server.status("/gone", 404, Map.of());
    server.serve("/list", ips(0, 100));
    try (RefreshStage s = stage(url("bad", "/gone", ""), url("good", "/list", ""))) {
      s.loop.tick();
      assertEquals(LastCheck.GONE, s.line("bad").lastCheck());
      assertEquals(FeedStatus.Health.ALARM, s.line("bad").health());
      server.status("/list", 404, Map.of());
      s.force("good");
      assertEquals(FeedStatus.Health.ALARM, s.line("good").health());
      assertEquals(1, s.loop.reports().failures().get("good"));
      s.settings = RefreshStage.settings(url("bad", "/new", ""), url("good", "/new", ""));
      assertEquals("waiting for the first fetch", s.problem("bad"));
      assertEquals(
          "waiting for the first fetch from its address; what is live came before",
          s.problem("good"));
      for (String feed : List.of("bad", "good")) {
        assertEquals(LastCheck.UNTRIED, s.line(feed).lastCheck());
        assertEquals(FeedStatus.Health.NOTE, s.line(feed).health());
        assertNull(s.line(feed).attempt());
        assertEquals(List.of(), s.show(feed).reasons());
        assertEquals(0, s.loop.reports().failures().get(feed));
      }
      server.serve("/new", ips(0, 99));
      s.loop.tick();
      assertEquals("", s.problem("bad") + s.problem("good"));
      assertEquals(LastCheck.FRESH, s.line("good").lastCheck());
    }
  }

  @Test
  void oneGenerationForAllFeedsOfARefresh() throws Exception {
    server.serve("/a", ips(0, 10));
    server.serve("/b", "b.example\n");
    try (RefreshStage s =
        stage(url("a", "/a", ""), url("b", "/b", ", match: suffix"), url("c", "/c", ""))) {
      s.loop.tick();
      assertEquals(1, s.live.current().generation());
      assertTrue(s.listsIp("203.0.113.1"));
      assertTrue(s.listsName("x.b.example"));
      assertEquals(
          Map.of("a", FeedState.FRESH, "b", FeedState.FRESH, "c", FeedState.FAILED),
          s.loop.list().stream().collect(Collectors.toMap(FeedStatus::feed, FeedStatus::state)));
      assertEquals(4, s.refresh(List.of(), true, true).exitCode());
      s.change(url("b", "/b", ", match: suffix"));
      assertFalse(s.listsIp("203.0.113.1"), "a feed that left the settings leaves the lists");
      assertTrue(s.listsName("x.b.example"));
      s.change();
      assertFalse(s.listsName("x.b.example"));
    }
  }

  @Test
  void failuresBackOffAndServersWishesAreHeeded() throws Exception {
    server.status("/list", 503, Map.of("Retry-After", "7200"));
    try (RefreshStage s = stage(url("bad", "/list", ""))) {
      s.loop.tick();
      assertEquals(1, server.requests().size());
      s.tickAfter(HOUR);
      s.refresh(List.of("bad"), false, false);
      assertEquals(1, server.requests().size(), "asked to stay away for two hours");
      s.force("bad");
      assertEquals(2, server.requests().size(), "--force asks anyway");
      server.status("/list", 500, Map.of());
      s.pass(HOUR.multipliedBy(3));
      List<Integer> asked = new ArrayList<>();
      for (int minute = 0; minute < 120; minute++) {
        int before = server.requests().size();
        s.loop.tick();
        if (server.requests().size() > before) {
          asked.add(minute);
        }
        s.pass(Duration.ofMinutes(1));
      }
      // The third failure in a row waits 20 minutes, the fourth 40, then an hour; jitter adds.
      assertEquals(0, asked.getFirst());
      assertTrue(asked.get(1) >= 20 && asked.get(1) <= 23, asked.toString());
      assertTrue(asked.get(2) - asked.get(1) >= 40, asked.toString());
      assertEquals(3, asked.size(), asked.toString());
    }
  }

  @Test
  void disabledFeedsRestAndComeBack() throws Exception {
    try (RefreshStage s = begun(ips(0, 10))) {
      assertFalse(s.loop.disable("other", null));
      assertTrue(s.loop.disable("bad", HOUR.multipliedBy(2)));
      assertEquals("disabled", s.state("bad"));
      assertEquals(Set.of("bad"), s.loop.disabledFeeds());
      assertEquals(1, s.disabledChanges);
      s.tickAfter(Duration.ofMinutes(90));
      assertEquals(1, s.force("bad").exitCode());
      assertEquals(1, server.requests().size());
    }
    try (RefreshStage s =
        new RefreshStage(stateDir, START.plus(Duration.ofMinutes(91)), url("bad", "/list", ""))) {
      assertEquals("disabled", s.state("bad"), "kept across a restart");
      s.tickAfter(HOUR);
      assertEquals("unchanged", s.state("bad"));
      s.loop.disable("bad", null);
      s.tickAfter(Duration.ofDays(400));
      assertEquals("disabled", s.state("bad"));
      assertTrue(s.loop.enable("bad"));
      assertEquals("stale", s.state("bad").replace("unchanged", "stale"));
    }
  }

  @Test
  void listCountsEntriesInvalidLinesAndHits() throws Exception {
    try (RefreshStage s = begun(ips(0, 10) + "1..2\n", ", action: reject")) {
      FeedStatus line = s.line("bad");
      assertEquals(10, line.entries());
      assertEquals(1, line.invalid());
      assertEquals(7, line.hitsLastDay());
      assertEquals(Action.REJECT, line.action());
    }
  }
}
