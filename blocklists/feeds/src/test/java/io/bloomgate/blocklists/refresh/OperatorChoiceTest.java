package io.bloomgate.blocklists.refresh;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.guard.ProtectedSet;
import io.bloomgate.blocklists.refresh.FeedCommands.ActResult;
import io.bloomgate.config.settings.Settings.Feeds.Source;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Stories of an operator who chooses which version of a feed is live. */
class OperatorChoiceTest extends RefreshStories {

  private RefreshStage reopened(RefreshStage before) throws Exception {
    return new RefreshStage(stateDir, before.now, url("bad", "/list", ""));
  }

  private void next(RefreshStage s, String list) throws Exception {
    server.serve("/list", list);
    s.tickAfter(HOUR.multipliedBy(2));
  }

  private static ActResult.Done done(ActResult result) {
    return assertInstanceOf(ActResult.Done.class, result, String.valueOf(result));
  }

  private static ActResult.Refused refused(ActResult result) {
    return assertInstanceOf(ActResult.Refused.class, result, String.valueOf(result));
  }

  @Test
  void anAcceptedVersionIsLiveAndStaysAcrossARestart() throws Exception {
    try (RefreshStage s = begun(ips(0, 100))) {
      assertEquals(1, refused(s.accept("bad")).exitCode(), "nothing is held");
      assertEquals(2, refused(s.accept("other")).exitCode());
      next(s, ips(0, 10));
      assertEquals("held", s.state("bad"));
      ActResult.Done done = done(s.accept("bad"));
      assertEquals(2, done.version());
      assertTrue(
          ((ActResult.Accepted) done).reasons().toString().contains("shrink"), done.toString());
      assertEquals("fresh", s.state("bad"));
      assertFalse(s.listsIp("203.0.113.99"), "live when the answer is given");
      assertEquals(List.of("2 live", "1 kept"), s.versions("bad"));
      assertEquals(1, refused(s.accept("bad")).exitCode(), "accepted once");
      long generation = s.live.current().generation();
      s.loop.settingsChanged();
      s.loop.tick();
      assertEquals(generation, s.live.current().generation(), "nothing is left to build");
      // What was accepted is that version: the next oddity is held again.
      next(s, ips(0, 1));
      assertEquals("held", s.state("bad"));
      try (RefreshStage again = reopened(s)) {
        assertFalse(again.listsIp("203.0.113.99"));
        assertTrue(again.listsIp("203.0.113.9"));
        again.loop.tick();
        assertEquals("held", again.state("bad"));
        assertEquals("root", again.show("bad").versions().get(1).acceptedBy());
      }
    }
  }

  @Test
  void heldEntriesAreAcceptedForTheirVersionOnly() throws Exception {
    try (RefreshStage s = begun(ips(0, 50) + "198.51.0.0/16\n100.64.0.9\n2.0.0.0/7\n")) {
      assertFalse(s.listsIp("2.2.2.2"));
      ActResult.Done done = done(s.accept("bad"));
      assertEquals(1, done.version());
      assertTrue(s.listsIp("2.2.2.2"));
      assertTrue(s.listsIp("100.64.0.9"));
      assertEquals(1, refused(s.accept("bad")).exitCode());
      try (RefreshStage again = reopened(s)) {
        again.loop.settingsChanged();
        again.loop.tick();
        assertTrue(again.listsIp("2.2.2.2"), "kept across a restart and a rebuild");
      }
      next(s, ips(0, 51) + "198.51.0.0/16\n100.64.0.9\n2.0.0.0/7\n");
      assertEquals("fresh", s.state("bad"));
      assertFalse(s.listsIp("2.2.2.2"), "the next version is judged again");
    }
  }

  /** Accepting that a feed has shrunk is no word on the network that is too wide. */
  @Test
  void aHeldVersionGoesLiveWithoutItsHeldEntriesAndTheyWithASecondWord() throws Exception {
    try (RefreshStage s = begun(ips(0, 100))) {
      next(s, ips(0, 10) + "2.0.0.0/7\n100.64.0.9\n");
      assertEquals("held", s.state("bad"));
      ActResult.Done first = done(s.accept("bad"));
      assertFalse(s.listsIp("203.0.113.99"), "the version is live");
      assertFalse(s.listsIp("2.2.2.2"), "its held entries are not");
      String notes = String.join("\n", first.notes());
      assertTrue(notes.contains("of it 1 held back: wider than min_prefix"), notes);
      assertTrue(notes.contains("1 held back: wider than min_prefix"), notes);
      assertTrue(notes.contains("`bloomgate feeds accept bad`"), notes);
      String through = ((ActResult.Accepted) first).reasons().toString();
      assertTrue(through.contains("shrink") && !through.contains("held back"), through);
      FeedStatus.Details shown = s.show("bad");
      assertEquals(2, shown.heldEntries(), "named until they are accepted");
      assertEquals(2, shown.reasons().size(), "no more of the version itself");
      try (RefreshStage again = reopened(s)) {
        again.loop.settingsChanged();
        again.loop.tick();
        assertFalse(again.listsIp("2.2.2.2"), "nor after a restart and a rebuild");
      }
      ActResult.Done second = done(s.accept("bad"));
      assertEquals(2, second.version());
      assertTrue(s.listsIp("2.2.2.2") && s.listsIp("100.64.0.9"));
      assertEquals(0, s.show("bad").heldEntries());
      assertEquals(1, refused(s.accept("bad")).exitCode());
    }
  }

  @Test
  void whatIsProtectedIsNotThereToBeAccepted() throws Exception {
    server.serve("/list", ips(0, 10) + "own.example\n0.0.0.0/0\n");
    try (RefreshStage s = stage(url("bad", "/list", ""))) {
      s.protectedSets =
          ProtectedSet.of(
              s.settings.allow().neverBlock(), List.of(), List.of(), s.settings.domains());
      s.loop.tick();
      long generation = s.live.current().generation();
      ActResult.Refused refused = refused(s.accept("bad"));
      assertEquals(1, refused.exitCode());
      assertTrue(refused.message().contains("holds back (2)"), refused.message());
      assertEquals(generation, s.live.current().generation());
    }
  }

  @Test
  void anAcceptedVersionPromisesOnlyWhatASecondWordLetsThrough() throws Exception {
    server.serve("/list", ips(0, 100));
    try (RefreshStage s = stage(url("bad", "/list", ""))) {
      s.protectedSets =
          ProtectedSet.of(
              s.settings.allow().neverBlock(), List.of(), List.of(), s.settings.domains());
      s.loop.tick();
      next(s, ips(0, 10) + "2.0.0.0/7\nown.example\n");
      String notes = String.join("\n", done(s.accept("bad")).notes());
      assertTrue(
          notes.contains(
              "a second `bloomgate feeds accept bad` lets them through, but for default routes and"
                  + " what never_block protects"),
          notes);
      assertTrue(s.accept("bad") instanceof ActResult.Done);
    }
  }

  /** All entries of the accepted version are protected: that its feed lists nothing is said. */
  @Test
  void anAcceptedVersionWithoutEntriesThatCountSaysSo() throws Exception {
    server.serve("/list", ips(0, 10));
    try (RefreshStage s = stage(url("bad", "/list", ""))) {
      s.protectedSets =
          ProtectedSet.of(
              s.settings.allow().neverBlock(), List.of(), List.of(), s.settings.domains());
      s.loop.tick();
      next(s, "own.example\n");
      ActResult.Done done = done(s.accept("bad"));
      assertEquals("none of its entries counts, so bad lists nothing now", done.notes().getFirst());
      assertEquals(
          "no feed is due now; name the feeds to fetch, or take all of them with --all",
          s.refresh(List.of(), false, false).message());
      next(s, ips(0, 9) + "own.example\n");
      assertTrue(s.problem("bad").contains("`bloomgate feeds show bad` names them"));
      next(s, "<html>\n");
      assertTrue(s.problem("bad").contains("; of the live version 1 held back"), s.problem("bad"));
    }
  }

  @Test
  void whatWasRolledBackFromStaysAwayUntilAnotherVersionComes() throws Exception {
    try (RefreshStage s = begun(ips(0, 20))) {
      assertEquals(1, refused(s.rollback("bad", 0)).exitCode(), "there is no older version");
      next(s, ips(1, 21));
      ActResult.Done done = done(s.rollback("bad", 0));
      assertEquals(1, done.version());
      assertTrue(done.notes().getFirst().contains("until bad publishes another version"));
      assertTrue(s.listsIp("203.0.113.0") && !s.listsIp("203.0.113.20"));
      assertEquals(List.of("2 rolled-back", "1 live"), s.versions("bad"));
      // The same octets, in full and as 304, and after a restart.
      s.force("bad");
      assertEquals("unchanged", s.state("bad"));
      s.assertProblem("bad", "rolled back by root");
      s.tickAfter(HOUR.multipliedBy(2));
      assertTrue(s.listsIp("203.0.113.0"));
      try (RefreshStage again = reopened(s)) {
        again.refresh(List.of("bad"), false, true);
        assertTrue(again.listsIp("203.0.113.0") && !again.listsIp("203.0.113.20"));
      }
      assertEquals(1, refused(s.rollback("bad", 1)).exitCode(), "live already");
      assertEquals(1, refused(s.rollback("bad", 9)).exitCode(), "not kept");
      next(s, ips(2, 22));
      assertEquals("fresh", s.state("bad"));
      assertEquals("", s.problem("bad"));
      assertTrue(s.listsIp("203.0.113.21"));
      assertEquals(List.of("3 live", "2 rolled-back", "1 kept"), s.versions("bad"));
      assertEquals(1, done(s.rollback("bad", 0)).version(), "not to the one that was left before");
      done(s.rollback("bad", 3));
      assertEquals(List.of("3 live", "2 rolled-back", "1 kept"), s.versions("bad"));
      s.force("bad");
      assertTrue(s.listsIp("203.0.113.21"));
    }
  }

  /** Readers beside the gateway take from the manifest what is live. */
  @Test
  void readersBesideTheGatewaySeeWhatIsLive() throws Exception {
    try (RefreshStage s = begun(ips(0, 20))) {
      next(s, ips(1, 21));
      Source source = Objects.requireNonNull(s.settings.feeds().sources().get("bad"));
      assertEquals(2, live(source));
      done(s.rollback("bad", 0));
      assertEquals(1, live(source));
      Files.writeString(stateDir.resolve("snapshots/0000000003/manifest.json"), "{");
      assertEquals(1, live(source), "without a manifest: what the next build takes");
    }
  }

  private long live(Source source) throws IOException {
    return KeptVersions.of(stateDir, source, List.of()).live().orElseThrow().id();
  }

  @Test
  void aHeldVersionIsNoAimOfARollbackAndGoesWhenItIsOvertaken() throws Exception {
    try (RefreshStage s = begun(ips(0, 100))) {
      next(s, ips(0, 10));
      assertEquals(List.of("2 held", "1 live"), s.versions("bad"));
      assertTrue(refused(s.rollback("bad", 2)).hint().contains("feeds accept bad"));
      next(s, ips(0, 99));
      assertEquals(List.of("3 live", "1 kept"), s.versions("bad"));
    }
  }

  /** The choice is on disk before its version is live: what cannot be written changes nothing. */
  @Test
  void aChoiceThatCannotBeWrittenChangesNothing() throws Exception {
    try (RefreshStage s = begun(ips(0, 20))) {
      next(s, ips(0, 21));
      long generation = s.live.current().generation();
      failWrites();
      ActResult.Refused refused = refused(s.rollback("bad", 0));
      assertEquals(1, refused.exitCode());
      assertTrue(refused.message().contains("nothing was changed"), refused.message());
      assertEquals(generation, s.live.current().generation());
      assertEquals(List.of("2 live", "1 kept"), s.versions("bad"));
      IOException failure = assertThrows(IOException.class, () -> s.loop.disable("bad", null));
      assertTrue(String.valueOf(failure.getMessage()).contains("restart"), failure::toString);
      allowWrites();
      assertTrue(s.loop.enable("bad"));
      assertEquals(1, done(s.rollback("bad", 0)).version());
    }
  }

  @Test
  void onlyTheSetNumberOfVersionsIsKept() throws Exception {
    try (RefreshStage s = begun(ips(0, 100))) {
      for (int i = 1; i < 8; i++) {
        next(s, ips(i, 100 + i));
      }
      assertEquals(
          List.of("8 live", "7 kept", "6 kept", "5 kept", "1 kept"),
          s.versions("bad"),
          "keep_generations: 3, and what a day is judged by");
      try (var versions = Files.list(stateDir.resolve("feeds/bad/versions"))) {
        assertEquals(5, versions.count());
      }
      try (var generations = Files.list(stateDir.resolve("snapshots"))) {
        assertEquals(
            8,
            generations.map(Path::getFileName).filter(n -> n.toString().matches("\\d+")).count(),
            "one of each hour of the last day");
      }
    }
  }

  @Test
  void actsAndRefreshesOfManyCallersFollowEachOther() throws Exception {
    try (RefreshStage s = begun(ips(0, 100))) {
      next(s, ips(1, 101));
      Thread loop = Thread.ofPlatform().start(s.loop);
      List<Thread> callers =
          List.of(
              Thread.ofVirtual()
                  .start(() -> call(() -> s.loop.rollback("bad", null, "a", p -> {}))),
              Thread.ofVirtual()
                  .start(() -> call(() -> s.loop.refresh(List.of("bad"), false, true, p -> {}))),
              Thread.ofVirtual().start(() -> call(() -> s.loop.accept("bad", "b", p -> {}))),
              Thread.ofVirtual()
                  .start(() -> call(() -> s.loop.refresh(List.of("bad"), false, true, p -> {}))));
      for (Thread caller : callers) {
        caller.join(Duration.ofMinutes(1));
      }
      assertTrue(s.listsIp("203.0.113.0") && !s.listsIp("203.0.113.100"), "rolled back");
      assertEquals(2, s.loop.refresh(List.of("none"), false, false, p -> {}).exitCode());
      s.loop.close();
      loop.join();
      assertEquals(1, s.loop.refresh(List.of("bad"), false, false, p -> {}).exitCode());
      assertEquals(1, refused(s.loop.accept("bad", "b", p -> {})).exitCode());
    }
  }

  @FunctionalInterface
  private interface Asking {
    Object ask() throws InterruptedException;
  }

  private static void call(Asking asking) {
    try {
      asking.ask();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
