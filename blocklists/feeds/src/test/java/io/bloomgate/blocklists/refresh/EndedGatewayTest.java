package io.bloomgate.blocklists.refresh;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.file.DurableFiles;
import io.bloomgate.config.json.JsonValue.JsonObject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Stories of a text that ends the process which reads it: it must not do so again and again. */
class EndedGatewayTest extends RefreshStories {

  /** Like an OutOfMemoryError, which would end the tests too. */
  private static final class Ended extends Error {
    private static final long serialVersionUID = 1L;
  }

  /** What ends the process when it is read. */
  private static <T> List<T> fatal() {
    return whenRead(() -> {
      throw new Ended();
    });
  }

  private RefreshStage at(Duration time, String... sources) throws Exception {
    return new RefreshStage(stateDir, START.plus(time), sources);
  }

  /** A gateway has fetched this feed, and was stopped. */
  private String fetchedOnce() throws Exception {
    server.serve("/list", ips(0, 20));
    String bad = url("bad", "/list", "");
    try (RefreshStage s = stage(bad)) {
      s.loop.tick();
    }
    return bad;
  }

  @Test
  void aVersionThatEndsItWhileItIsReadIsTriedLater() throws Exception {
    server.serve("/list", ips(0, 20));
    String bad = url("bad", "/list", "");
    try (RefreshStage s = stage(bad)) {
      s.loop.tick();
      server.serve("/list", ips(0, 21));
      s.protectedSets = fatal();
      assertThrows(Ended.class, () -> s.force("bad"));
    }
    int asked = server.requests().size();
    try (RefreshStage s = at(Duration.ofMinutes(1), bad)) {
      s.loop.tick();
      assertEquals(asked, server.requests().size(), "not again at once");
      assertEquals("cached", s.state("bad"));
      s.assertProblem("bad", "the gateway ended while");
      assertTrue(s.listsIp("203.0.113.19"));
      assertFalse(Files.exists(stateDir.resolve("feeds/bad/incoming")), "up to 1 GiB");
      s.tickAfter(Duration.ofMinutes(6));
      assertEquals("fresh", s.state("bad"));
    }
    try (RefreshStage s = at(Duration.ofMinutes(10), bad)) {
      assertEquals("fresh", s.state("bad"), "success took it back");
    }
  }

  @Test
  void theSameOfAFile() throws Exception {
    Path file = Files.writeString(stateDir.resolve("own.txt"), ips(0, 20));
    String own = "own: {file: \"" + file + "\", every: 1h}";
    try (RefreshStage s = stage(own)) {
      s.loop.tick();
      Files.writeString(file, ips(0, 22));
      s.protectedSets = fatal();
      assertThrows(Ended.class, () -> s.force("own"));
    }
    try (RefreshStage s = at(Duration.ofSeconds(2), own)) {
      s.loop.tick();
      s.tickAfter(Duration.ofSeconds(2));
      assertEquals("cached", s.state("own"));
      assertFalse(s.listsIp("203.0.113.21"), "not again at once");
      s.tickAfter(Duration.ofMinutes(6));
      assertTrue(s.listsIp("203.0.113.21"));
    }
  }

  /** What may end the process does not begin before it is written that it failed. */
  @Test
  void whatCannotBeWrittenFirstIsNotRead() throws Exception {
    String bad = fetchedOnce();
    try (RefreshStage s = stage(bad)) {
      server.serve("/list", ips(0, 21));
      failWrites();
      s.force("bad");
      assertEquals("cached", s.state("bad"));
      s.assertProblem("bad", "could not be read or stored");
      assertTrue(s.listsIp("203.0.113.19"), "the live list stays");
      assertEquals(List.of("1 live"), s.versions("bad"));
      allowWrites();
      s.force("bad");
      assertEquals("fresh", s.state("bad"));
      assertTrue(s.listsIp("203.0.113.20"));
    }
  }

  /** The operator's command does not take back that the try counts as failed. */
  @Test
  void theSameWhenTheFeedWasSwitchedOffMeanwhile() throws Exception {
    String bad = fetchedOnce();
    try (RefreshStage s = stage(bad)) {
      server.serve("/list", ips(0, 21));
      s.protectedSets =
          whenRead(() -> {
            try {
              s.loop.disable("bad", null);
            } catch (IOException e) {
              throw new UncheckedIOException(e);
            }
            throw new Ended();
          });
      assertThrows(Ended.class, () -> s.force("bad"));
    }
    int asked = server.requests().size();
    try (RefreshStage s = at(Duration.ofMinutes(1), bad)) {
      assertEquals(Set.of("bad"), s.loop.disabledFeeds());
      s.loop.enable("bad");
      s.loop.tick();
      assertEquals(asked, server.requests().size(), "not again at once");
      s.assertProblem("bad", "the gateway ended while");
    }
  }

  @Test
  void aVersionThatEndsItInTheBuildLeavesNoCopies() throws Exception {
    String bad = fetchedOnce();
    server.serve("/list", ips(0, 21));
    Duration time = Duration.ZERO;
    for (int round = 0; round < 5; round++) {
      time = time.plus(HOUR.multipliedBy(3));
      try (RefreshStage s = at(time, bad)) {
        s.allowed = fatal();
        assertThrows(Ended.class, s.loop::tick);
      }
      try (RefreshStage s = at(time, bad)) {
        s.allowed = fatal();
        s.loop.tick();
        assertEquals(List.of("1 live"), s.versions("bad"));
        s.assertProblem("bad", "the gateway ended while");
      }
    }
    try (RefreshStage s = at(time.plus(HOUR.multipliedBy(3)), bad)) {
      s.loop.tick();
      assertEquals("fresh", s.state("bad"));
    }
  }

  @Test
  void aBuildOfNothingNewRestsToo() throws Exception {
    String bad = fetchedOnce();
    DurableFiles.deleteTree(stateDir.resolve("snapshots"));
    try (RefreshStage s = stage(bad)) {
      s.allowed = fatal();
      assertThrows(Ended.class, s.loop::tick);
    }
    try (RefreshStage s = stage(bad)) {
      s.allowed = fatal();
      s.loop.tick();
      s.allowed = List.of();
      s.tickAfter(Duration.ofMinutes(6));
      assertTrue(s.listsIp("203.0.113.19"));
    }
  }

  @Test
  void whatNeverWasLiveIsClearedAndNoAimOfARollback() throws Exception {
    server.serve("/list", ips(0, 100));
    String bad = url("bad", "/list", "");
    Path versions = stateDir.resolve("feeds/bad/versions");
    try (RefreshStage s = stage(bad)) {
      s.loop.tick();
      JsonObject before = storedState();
      publish(s, ips(0, 10));
      assertEquals(List.of("2 held", "1 live"), s.versions("bad"));
      // Killed before the record was written.
      restoreState(before);
    }
    try (RefreshStage s = stage(bad)) {
      assertEquals(List.of("1 live"), s.versions("bad"));
      assertFalse(Files.exists(versions.resolve("2")));
      publish(s, ips(0, 99));
      assertEquals(List.of("2 live", "1 kept"), s.versions("bad"), "was live, so it is kept");
    }
    try (RefreshStage s = stage(bad)) {
      assertEquals(List.of("2 live", "1 kept"), s.versions("bad"));
    }
  }

  /** Where the process goes on, so does the thread: without it every list would age unseen. */
  @Test
  void anErrorDoesNotEndTheLoop() throws Exception {
    String feed = fetchedOnce();
    try (RefreshStage s = stage(feed)) {
      server.serve("/list", ips(0, 21));
      s.protectedSets = fatal();
      Thread loop = Thread.ofPlatform().start(s.loop);
      assertEquals(4, s.loop.refresh(List.of("bad"), false, true, p -> {}).exitCode());
      s.protectedSets = List.of();
      assertEquals(0, s.loop.refresh(List.of("bad"), false, true, p -> {}).exitCode());
      assertTrue(loop.isAlive());
      s.loop.close();
      loop.join();
    }
  }
}
