package io.bloomgate.blocklists.refresh;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.guard.FeedDiff.Sample;
import io.bloomgate.blocklists.guard.ProtectedSet;
import io.bloomgate.blocklists.refresh.FeedCommands.ActResult;
import io.bloomgate.blocklists.refresh.FeedCommands.HeldChanges;
import io.bloomgate.blocklists.refresh.FeedCommands.RefreshResult;
import io.bloomgate.config.name.IpPrefix;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Stories of a version that waits for the operator while the hours pass. */
class HeldVersionsTest extends RefreshStories {

  private final String bad = "bad";

  private RefreshStage held(Duration patience) throws Exception {
    server.serve("/list", ips(0, 100));
    RefreshStage s = new RefreshStage(stateDir, START, patience, url(bad, "/list", ""));
    s.refresh(List.of(bad), false, false);
    server.serve("/list", ips(0, 10));
    assertEquals(1, s.refresh(List.of(bad), false, false).exitCode());
    s.pass(Duration.ofMinutes(1));
    assertEquals("held", s.state(bad));
    s.assertProblem(bad, "shrink: 10 entries, 100 are live");
    assertTrue(s.listsIp("203.0.113.99"));
    return s;
  }

  private RefreshStage held() throws Exception {
    return held(Duration.ofMinutes(1));
  }

  private static void later(RefreshStage s) throws Exception {
    s.tickAfter(HOUR.multipliedBy(2));
  }

  @Test
  void itIsComparedWithWhatIsLive() throws Exception {
    try (RefreshStage s = held()) {
      assertEquals(
          new HeldChanges.NotCompared(
              "the two versions have 110 entries, and the page compares 109 at most"),
          s.loop.heldChanges(bad, 3, 109));
      HeldChanges.Compared found =
          assertInstanceOf(HeldChanges.Compared.class, s.loop.heldChanges(bad, 3, 110));
      assertEquals(2, found.held());
      assertEquals(1, found.live());
      assertEquals(10, found.same());
      assertEquals(0, found.added().total());
      assertEquals(90, found.removed().total());
      assertEquals(
          List.of(
              new Sample("203.0.113.10", 11),
              new Sample("203.0.113.11", 12),
              new Sample("203.0.113.12", 13)),
          found.removed().samples());
      s.accept(bad);
      assertEquals(
          new HeldChanges.NotCompared("no version of feed bad is held"),
          s.loop.heldChanges(bad, 3, 110));
      assertEquals(
          new HeldChanges.NotCompared("there is no feed other"),
          s.loop.heldChanges("other", 3, 110));
    }
  }

  @Test
  void itIsNotDownloadedAgain() throws Exception {
    try (RefreshStage s = held()) {
      for (int i = 0; i < 5; i++) {
        later(s);
        assertEquals("held", s.state(bad));
        assertEquals(List.of("2 held", "1 live"), s.versions(bad));
      }
      assertEquals(7, server.requests().size());
      assertTrue(server.requests().stream().skip(1).allMatch(r -> r.containsKey("If-none-match")));
      assertEquals(
          1,
          server.requests().stream().skip(2).map(r -> r.get("If-none-match")).distinct().count());
      s.assertProblem(bad, "shrink");
      assertEquals(s.now, s.loop.reports().lastSuccess().get(bad), "the source was asked");
      assertEquals(START, s.show(bad).status().changed(), "what is live is as old as before");
      server.serve("/list", ips(0, 98));
      later(s);
      assertEquals("fresh", s.state(bad));
      assertEquals(List.of("3 live", "1 kept"), s.versions(bad));
    }
  }

  @Test
  void theSameOctetsInFullStayTheSameVersion() throws Exception {
    try (RefreshStage s = held()) {
      s.force(bad);
      assertEquals(List.of("2 held", "1 live"), s.versions(bad));
      assertFalse(Files.exists(stateDir.resolve("feeds/bad/new/3.entries")));
      server.serve("/list", ips(0, 100));
      later(s);
      assertEquals("unchanged", s.state(bad));
      assertEquals(List.of("1 live"), s.versions(bad));
      assertEquals(List.of(), s.show(bad).reasons());
    }
  }

  @Test
  void aWiderGuardLetsItThrough() throws Exception {
    try (RefreshStage s = held()) {
      int asked = server.requests().size();
      s.change(url(bad, "/list", ", guard: {max_shrink: 95%, max_turnover: none}"));
      assertEquals(asked, server.requests().size());
      assertEquals("fresh", s.state(bad));
      assertFalse(s.listsIp("203.0.113.99"));
      assertEquals(List.of("2 live", "1 kept"), s.versions(bad));
      later(s);
      assertEquals("unchanged", s.state(bad));
    }
  }

  @Test
  void aBuildThatFailsLeavesItWhereItWaits() throws Exception {
    try (RefreshStage s = held()) {
      s.allowed =
          whenRead(() -> {
            throw new IllegalStateException("made to fail");
          });
      s.change(url(bad, "/list", ", guard: {max_shrink: 100%, max_turnover: none}"));
      assertTrue(s.alarms.getLast().contains("could not be built"), s.alarms.toString());
      assertEquals(List.of("2 held", "1 live"), s.versions(bad));
      s.allowed = List.of();
      assertTrue(s.accept(bad) instanceof ActResult.Done);
      assertFalse(s.listsIp("203.0.113.99"));
    }
  }

  @Test
  void anotherGuardThatHoldsItTooSaysItsOwnReasons() throws Exception {
    try (RefreshStage s = held()) {
      s.change(url(bad, "/list", ", guard: {max_shrink: 85%}"));
      assertEquals("held", s.state(bad));
      s.assertProblem(bad, "85");
      assertEquals(List.of("2 held", "1 live"), s.versions(bad));
    }
  }

  /** The answer is about the version that was asked about, whatever became of it meanwhile. */
  @Test
  void anAcceptanceWhileTheSourceIsAskedIsRecognised() throws Exception {
    CountDownLatch latch = new CountDownLatch(1);
    try (RefreshStage s = held(Duration.ofMillis(50))) {
      server.on(
          "/list",
          exchange -> {
            try {
              latch.await();
            } catch (InterruptedException e) {
              Thread.currentThread().interrupt();
            }
            exchange.sendResponseHeaders(304, -1);
          });
      later(s);
      assertTrue(s.accept(bad) instanceof ActResult.Done);
      latch.countDown();
      RefreshResult result = s.refresh(List.of(bad), false, false);
      assertEquals(0, result.exitCode(), result.message());
      assertEquals("unchanged", s.state(bad));
      assertEquals(List.of("2 live", "1 kept"), s.versions(bad));
    }
  }

  /** This machine got an address that a live list names: the entry goes, and that is said. */
  @Test
  void whatIsProtectedLaterIsHeldBackAndSaid() throws Exception {
    server.serve("/list", "203.0.113.7\n198.51.100.0/24\n2001:db8:1:2::1\n");
    try (RefreshStage s = new RefreshStage(stateDir, START, url(bad, "/list", ""))) {
      s.loop.tick();
      assertEquals(0, s.show(bad).heldEntries());
      s.protectedSets = List.of(ownAddresses("203.0.113.7", "198.51.100.9"));
      s.loop.settingsChanged();
      s.loop.tick();
      assertFalse(s.listsIp("203.0.113.7"));
      assertTrue(s.listsIp("198.51.100.8"), "a network around it stays");
      assertEquals(1, server.requests().size(), "without network");
      assertEquals(1, s.show(bad).heldEntries());
      assertEquals(
          List.of(
              "1 held back: the gateway's own address or host name",
              "1 live, but not for a protected host inside"),
          s.show(bad).reasons());
      s.assertProblem(bad, "1 held back");
      s.protectedSets = List.of();
      s.loop.settingsChanged();
      s.loop.tick();
      assertTrue(s.listsIp("203.0.113.7"));
      assertEquals(0, s.show(bad).heldEntries());
      assertEquals("", s.problem(bad));
    }
  }

  private static ProtectedSet ownAddresses(String... addresses) {
    List<IpPrefix> hosts =
        Stream.of(addresses).map(a -> IpPrefix.parse(a).toOptional().orElseThrow()).toList();
    return new ProtectedSet(ProtectedSet.OWN, hosts, Set.of(), List.of(), false);
  }
}
