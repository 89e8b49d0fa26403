package io.bloomgate.blocklists.refresh;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.generation.OldLayout;
import io.bloomgate.config.json.JsonValue.JsonObject;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** Stories of what a gateway finds on its disk when it starts again. */
class StoredVersionsTest extends RefreshStories {

  @Test
  void startsFromTheLastGenerationWithoutNetwork() throws Exception {
    server.serve("/list", ips(0, 10));
    try (RefreshStage s = stage(url("bad", "/list", ""))) {
      s.loop.tick();
    }
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
    server.serve("/list", ips(0, 10));
    try (RefreshStage s = stage(url("bad", "/list", ""))) {
      s.loop.tick();
    }
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
    server.serve("/list", ips(0, 10));
    try (RefreshStage s = stage(url("bad", "/list", ""))) {
      s.loop.tick();
    }
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
