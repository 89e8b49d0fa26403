package io.bloomgate.blocklists.refresh;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.database.FeedStates;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The file with the state of all feeds is damaged or cannot be opened: the lists stay live. */
class DamagedStatesTest extends RefreshStories {

  private Path file = Path.of("");

  @BeforeEach
  void nameTheFile() {
    file = stateDir.resolve(FeedStates.FILE_NAME);
  }

  private RefreshStage begin() throws IOException {
    server.serve("/list", ips(0, 20));
    server.serve("/other", "other.example\n");
    return stage(url("bad", "/list", ""), url("other", "/other", ""));
  }

  private StoredFeeds stored() throws IOException {
    return StoredFeeds.read(stateDir, List.of("bad", "other"), START);
  }

  private void disableOther() throws Exception {
    try (RefreshStage s = begin()) {
      s.loop.tick();
      assertTrue(s.loop.disable("other", null));
    }
  }

  @Test
  void aDamagedFileIsKeptAndReplaced() throws Exception {
    disableOther();
    Files.writeString(file, "This was a text file. ".repeat(1000));
    assertEquals(
        List.of(
            file
                + " is damaged, so nobody knows which feeds are disabled, stale or promoted; all"
                + " are taken for none of it"),
        stored().problems());
    try (RefreshStage s = begin()) {
      assertEquals(1, s.alarms.size(), s.alarms.toString());
      assertTrue(s.alarms.getFirst().contains(file + ".damaged"), s.alarms.toString());
      assertTrue(s.alarms.getFirst().contains("feeds disable NAME"), s.alarms.toString());
      s.loop.tick();
      assertTrue(s.listsIp("203.0.113.7"));
      assertEquals(List.of("1 live"), s.versions("bad"));
      assertTrue(s.loop.disable("bad", null));
    }
    assertTrue(Files.readString(Path.of(file + ".damaged")).startsWith("This was"));
    assertEquals(Set.of("bad"), stored().disabled());
  }

  /** What is in memory is written again: a damaged page forgets no feed. */
  @Test
  void damageWhileTheGatewayRunsForgetsNothing() throws Exception {
    disableOther();
    try (RefreshStage s = begin()) {
      // After a change by another connection, pages are read from the file again.
      changeStates("CREATE TABLE another (a)");
      changeStates("PRAGMA wal_checkpoint(TRUNCATE)");
      byte[] octets = Files.readAllBytes(file);
      Arrays.fill(octets, 4096, octets.length, (byte) 0x5a);
      Files.write(file, octets);
      s.force("bad");
      assertTrue(s.listsIp("203.0.113.7"));
      assertEquals(1, s.alarms.size(), s.alarms.toString());
      assertTrue(s.alarms.getFirst().contains("is written again"), s.alarms.toString());
    }
    assertEquals(Set.of("other"), stored().disabled());
    assertEquals(Set.of("bad", "other"), stored().lastSuccess().keySet());
    assertEquals(List.of(), stored().problems());
  }

  /** Watched files are looked at each second: the same trouble would fill the log. */
  @Test
  void aFileThatCannotBeOpenedIsNamedOnceAndUsedAsSoonAsItCan() throws Exception {
    disableOther();
    Path away = stateDir.resolve("away");
    Files.move(file, away);
    Files.createDirectory(file);
    try (RefreshStage s = begin()) {
      for (int i = 0; i < 3; i++) {
        s.force("bad");
      }
      assertTrue(s.listsIp("203.0.113.7"));
      Files.delete(file);
      Files.move(away, file);
      s.force("bad");
      assertEquals("unchanged", s.state("bad"));
      assertEquals(1, s.alarms.stream().filter(a -> a.contains(file.toString())).count());
      assertTrue(s.alarms.getFirst().contains("disabled"), s.alarms.toString());
    }
    assertEquals(Set.of("other"), stored().disabled());
  }

  @Test
  void theFileOfAnotherReleaseIsLeftAsItIs() throws Exception {
    disableOther();
    changeStates("PRAGMA user_version = 99");
    try (RefreshStage s = begin()) {
      assertTrue(
          s.alarms.stream()
              .anyMatch(
                  a -> a.contains("has format 99 of another release; this one reads format 1;")),
          s.alarms.toString());
      s.loop.tick();
      assertTrue(s.listsIp("203.0.113.7"));
      assertEquals(1, s.alarms.size(), s.alarms.toString());
    }
    changeStates("PRAGMA user_version = 1");
    assertEquals(Set.of("other"), stored().disabled());
  }
}
