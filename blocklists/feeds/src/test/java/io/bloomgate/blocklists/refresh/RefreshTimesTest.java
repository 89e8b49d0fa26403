package io.bloomgate.blocklists.refresh;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.refresh.FeedCommands.RefreshResult;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;

/**
 * Stories of feeds that come late, of clocks that jump, of feeds that age and of files that change.
 */
class RefreshTimesTest extends RefreshStories {

  /** Serves a list that does not come before the latch falls. */
  private void serveLate(String path, String list, CountDownLatch latch) {
    server.on(
        path,
        exchange -> {
          try {
            latch.await();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
          byte[] body = list.getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(200, body.length);
          exchange.getResponseBody().write(body);
        });
  }

  @Test
  void aSlowFeedKeepsNoOtherFromGoingLive() throws Exception {
    CountDownLatch latch = new CountDownLatch(1);
    server.serve("/quick", ips(0, 10));
    serveLate("/slow", "slow.example\n", latch);
    try (RefreshStage s =
        new RefreshStage(
            stateDir,
            START,
            Duration.ofSeconds(2),
            url("slow", "/slow", ""),
            url("quick", "/quick", ""))) {
      s.loop.tick();
      assertTrue(s.listsIp("203.0.113.1"));
      assertEquals("fresh", s.state("quick"));
      assertEquals("failed", s.state("slow"));
      s.tickAfter(Duration.ofMinutes(20));
      assertEquals(2, server.requests().size(), "what is under way is not begun again");
      FutureTask<RefreshResult> asked =
          new FutureTask<>(() -> s.loop.refresh(List.of("slow"), false, true, p -> {}));
      Thread loop = Thread.ofPlatform().start(s.loop);
      Thread.ofVirtual().start(asked);
      assertEquals(
          0, s.loop.refresh(List.of("quick"), false, true, p -> {}).exitCode(), "not behind it");
      assertFalse(asked.isDone(), "whoever asks for the slow one waits for it");
      latch.countDown();
      assertEquals(0, asked.get().exitCode());
      assertTrue(s.listsName("slow.example") && s.listsIp("203.0.113.1"));
      s.loop.close();
      loop.join();
    }
  }

  @Test
  void aFeedThatLeftTheSettingsWhileItCameIsNotTaken() throws Exception {
    CountDownLatch latch = new CountDownLatch(1);
    server.serve("/quick", ips(0, 10));
    serveLate("/slow", "slow.example\n", latch);
    String quick = url("quick", "/quick", "");
    try (RefreshStage s =
        new RefreshStage(
            stateDir, START, Duration.ofMillis(100), url("slow", "/slow", ""), quick)) {
      s.loop.tick();
      s.settings = RefreshStage.settings(quick);
      s.loop.settingsChanged();
      latch.countDown();
      s.pass(HOUR.multipliedBy(2));
      s.force("quick");
      s.loop.tick();
      assertEquals(List.of("quick"), s.loop.list().stream().map(FeedStatus::feed).toList());
      assertFalse(s.listsName("slow.example"));
    }
  }

  /** Forward by years, a refresh then, and back: nothing waits for years, no age is below zero. */
  @Test
  void aClockThatJumpsForwardAndBackPutsNothingOff() throws Exception {
    try (RefreshStage s = begun(ips(0, 10))) {
      Duration years = Duration.ofDays(3000);
      s.tickAfter(years);
      assertEquals("unchanged", s.state("bad"));
      int before = server.requests().size();
      server.status("/list", 500, Map.of());
      s.tickAfter(years.negated());
      assertFalse(
          Objects.requireNonNull(s.loop.reports().lastSuccess().get("bad")).isAfter(s.now),
          "an age below zero");
      assertEquals(before + 1, server.requests().size(), "at once");
      s.tickAfter(Duration.ofMinutes(67));
      assertEquals(before + 2, server.requests().size(), "on its schedule again");
    }
  }

  @Test
  void aServersWishDoesNotOutliveAClockThatWasWrong() throws Exception {
    server.status("/list", 503, Map.of("Retry-After", "7200"));
    Duration years = Duration.ofDays(3000);
    try (RefreshStage s = new RefreshStage(stateDir, START.plus(years), url("bad", "/list", ""))) {
      s.loop.tick();
    }
    try (RefreshStage s = begun(ips(0, 10))) {
      assertEquals(2, server.requests().size());
      assertEquals("fresh", s.state("bad"));
    }
  }

  /** A source that brings a version lives: that the operator has to decide ages nothing. */
  @Test
  void whatIsHeldDoesNotAgeTheLiveVersion() throws Exception {
    try (RefreshStage s = begun(ips(0, 100), ", stale_after: 1d, expire_after: 3d")) {
      Set<String> seen = new HashSet<>();
      for (int half = 0; half < 5; half++) {
        server.serve("/list", ips(0, 10 + half));
        s.tickAfter(HOUR.multipliedBy(20));
        seen.add(s.state("bad") + " " + s.line("bad").age().key());
      }
      assertEquals(Set.of("held current"), seen);
      assertEquals(s.now, s.line("bad").success(), "the source was asked and answered");
      assertEquals(START, s.line("bad").changed(), "what is live is as old as before");
      s.assertProblem("bad", "held: shrink");
      Instant first = START.plus(HOUR.multipliedBy(20));
      assertEquals(Map.of("bad", first), s.loop.reports().heldSince());
      assertTrue(
          s.problem("bad")
              .contains(
                  "the live version is of "
                      + START
                      + ": versions are held since "
                      + first
                      + "; look first with `bloomgate feeds diff bad --held`, then `bloomgate feeds"
                      + " accept bad` takes the newest"),
          s.problem("bad"));
      s.accept("bad");
      assertEquals(Map.of(), s.loop.reports().heldSince());
      server.serve("/list", ips(0, 2));
      s.tickAfter(HOUR.multipliedBy(2));
      assertEquals(
          Map.of("bad", s.now), s.loop.reports().heldSince(), "counted from the start again");
    }
  }

  /** One state hides the other: an administrator who sees a held version must also see its age. */
  @Test
  void aSourceThatIsGoneAgesWhatIsHeldToo() throws Exception {
    try (RefreshStage s = begun(ips(0, 100), ", stale_after: 1d, expire_after: 3d")) {
      server.serve("/list", ips(0, 10));
      List<String> seen = new ArrayList<>();
      for (int half = 0; half < 5; half++) {
        s.tickAfter(HOUR.multipliedBy(20));
        seen.add(s.state("bad") + " " + s.line("bad").age().key());
        server.status("/list", 500, Map.of());
      }
      assertEquals(
          List.of("held current", "held current", "held stale", "held stale", "held expired"),
          seen);
      s.assertProblem("bad", "expired, its listings");
    }
  }

  /** It had no refusals that could become tags. */
  @Test
  void aStaleFeedThatRefusesNothingIsSaidToBeStaleOnly() throws Exception {
    server.serve("/list", ips(0, 10));
    String more = ", action: observe, stale_after: 1d, expire_after: 3d";
    try (RefreshStage s = stage(url("bad", "/list", more))) {
      s.loop.tick();
      server.status("/list", 500, Map.of());
      s.tickAfter(HOUR.multipliedBy(30));
      assertTrue(s.problem("bad").endsWith(": stale, it can refuse no mail"), s.problem("bad"));
    }
  }

  @Test
  void ageingIsReportedOnceAStep() throws Exception {
    server.serve("/list", ips(0, 10));
    String more = ", action: reject, stale_after: 1d, expire_after: 3d";
    try (RefreshStage s = stage(url("bad", "/list", more))) {
      s.loop.tick();
      server.status("/list", 500, Map.of());
      for (int hour = 0; hour < 100; hour++) {
        s.tickAfter(HOUR);
      }
      List<String> ageing = s.alarms.stream().filter(a -> a.startsWith("feed bad: not")).toList();
      assertEquals(2, ageing.size(), ageing.toString());
      assertTrue(
          ageing.getFirst().contains("stale, its refusals have become tags"), ageing.toString());
      assertTrue(ageing.getFirst().matches(".* since [0-9T:-]{19}Z: .*"), ageing.toString());
      assertTrue(ageing.getLast().contains("expired, its listings are ignored"), ageing.toString());
      assertEquals(FeedAge.EXPIRED, s.show("bad").status().age());
      assertEquals("stale", s.state("bad"));
      s.assertProblem("bad", "its listings are ignored");
      server.serve("/list", ips(0, 10));
      s.tickAfter(HOUR.multipliedBy(2));
      assertEquals(FeedAge.CURRENT, s.show("bad").status().age());
      assertEquals("", s.problem("bad"));
    }
  }

  /** Two looks, a second apart. */
  private static void rest(RefreshStage s) throws InterruptedException {
    s.loop.tick();
    s.tickAfter(Duration.ofSeconds(1));
  }

  @Test
  void halfOfAFileThatIsBeingWrittenIsNotRead() throws Exception {
    Path file = Files.writeString(stateDir.resolve("own.txt"), "a.example\n");
    try (RefreshStage s = stage("own: {file: \"" + file + "\", every: 30d}")) {
      s.loop.tick();
      assertTrue(s.listsName("a.example"), "what nobody has read yet does not wait");
      Files.writeString(file, "a.example\n");
      s.loop.tick();
      s.pass(Duration.ofSeconds(1));
      Files.writeString(file, "a.example\nb.example\n");
      s.loop.tick();
      s.tickAfter(Duration.ofMillis(500));
      assertFalse(s.listsName("b.example"));
      s.tickAfter(Duration.ofMillis(500));
      assertTrue(s.listsName("b.example"));
      Files.writeString(file, "a.example\nb.example\nc.example\n");
      s.refresh(List.of("own"), false, false);
      assertTrue(s.listsName("c.example"), "an operator who asks is not kept waiting");
    }
  }

  @Test
  void aFileThatNeverRestsIsReadAfterAMinute() throws Exception {
    Path file = Files.writeString(stateDir.resolve("own.txt"), "a.example\n");
    try (RefreshStage s = stage("own: {file: \"" + file + "\", every: 30d}")) {
      s.loop.tick();
      Files.writeString(file, "b.example\n", StandardOpenOption.APPEND);
      for (int second = 0; second < 60; second++) {
        s.loop.tick();
        assertFalse(s.listsName("b.example"), "second " + second);
        s.pass(Duration.ofSeconds(1));
        Files.writeString(file, "#\n", StandardOpenOption.APPEND);
      }
      s.loop.tick();
      assertTrue(s.listsName("b.example"));
    }
  }

  @Test
  void filesAreReadAgainWhenTheyChange() throws Exception {
    Path file = Files.writeString(stateDir.resolve("own.txt"), "a.example\n");
    try (RefreshStage s = stage("own: {file: \"" + file + "\", every: 30d}")) {
      s.loop.tick();
      assertTrue(s.listsName("a.example"));
      Files.writeString(file, "a.example\nlater.example\n");
      rest(s);
      assertTrue(s.listsName("later.example"));
      Files.delete(file);
      rest(s);
      assertEquals("cached", s.state("own"));
      assertTrue(s.listsName("later.example"));
      s.pass(Duration.ofDays(20));
      assertEquals("cached", s.state("own"), "files do not age");
      int alarms = s.alarms.size();
      s.loop.tick();
      assertEquals(alarms, s.alarms.size());
    }
  }
}
