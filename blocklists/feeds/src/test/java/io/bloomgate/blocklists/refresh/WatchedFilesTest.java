package io.bloomgate.blocklists.refresh;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Feeds that are files: read when they changed and rest. */
class WatchedFilesTest extends RefreshStories {

  /** Two looks, a second apart. */
  private static void rest(RefreshStage s) throws InterruptedException {
    s.loop.tick();
    s.pass(Duration.ofSeconds(1));
    s.loop.tick();
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
      s.pass(Duration.ofMillis(500));
      s.loop.tick();
      assertFalse(s.listsName("b.example"));
      s.pass(Duration.ofMillis(500));
      s.loop.tick();
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
