package io.bloomgate.blocklists.operator;

import static io.bloomgate.blocklists.operator.Entries.NOW;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.config.name.ListKind;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** List files that are missing: those of patterns, of folders that are away, of other settings. */
class MissingListFilesTest extends ListFileStories {

  @Test
  void patternsFollowTheirDirectory() throws Exception {
    Path parts = Files.createDirectory(directory.resolve("allow.d"));
    write(parts.resolve("b.list"), NOW, "198.51.100.2");
    write(parts.resolve("a.list"), NOW, "198.51.100.1");
    write(parts.resolve("ignored.txt"), NOW, "198.51.100.9");
    lists.useFiles(files(parts.resolve("*.list"), blockFile));
    assertEquals(List.of("198.51.100.1", "198.51.100.2"), subjects(ListKind.ALLOW));
    write(parts.resolve("c.list"), NOW, "198.51.100.3");
    Files.delete(parts.resolve("a.list"));
    lists.poll();
    assertEquals(
        List.of("198.51.100.1", "198.51.100.2", "198.51.100.3"),
        subjects(ListKind.ALLOW),
        "a gap while an editor saves is no removal");
    lookUntil("a.list is gone");
    assertEquals(List.of("198.51.100.2", "198.51.100.3"), subjects(ListKind.ALLOW));
    assertEquals(List.of(), lists.alarms());
  }

  /** Looks, a second apart, until a line of the log has the text; answers with that line. */
  private String lookUntil(String text) {
    for (int look = 0; look < 100; look++) {
      for (String line : lists.poll()) {
        if (line.contains(text)) {
          return line;
        }
      }
    }
    throw new AssertionError("no line with " + text + "; alarms " + lists.alarms());
  }

  /** An alarm that says that they stay would be false: they end later. */
  @Test
  void aFileOfAPatternThatVanishesEndsWithAWordAndARecord() throws Exception {
    Path parts = Files.createDirectory(directory.resolve("allow.d"));
    Path file = parts.resolve("w.list");
    write(file, NOW, "198.51.100.1", "198.51.100.2");
    lists.useFiles(files(parts.resolve("*.list"), blockFile));
    Files.delete(file);
    String soon =
        file + " does not exist; its 2 entries end in a minute if the file does not come back";
    assertEquals(List.of(soon), lists.poll());
    assertEquals(List.of(soon), lists.alarms());
    for (int look = 0; look < 30; look++) {
      assertEquals(List.of(), lists.poll(), "reported once");
    }
    assertEquals(2, subjects(ListKind.ALLOW).size(), "a folder that is copied again has time");
    assertEquals(
        file + " is gone: its 2 entries of the allow list ended", lookUntil("w.list is gone"));
    assertEquals(List.of(), subjects(ListKind.ALLOW));
    assertEquals(List.of(), lists.alarms());
    AuditRecord record = lists.audit(Instant.EPOCH, Long.MAX_VALUE).items().getFirst();
    assertEquals("gateway", record.author());
    assertEquals("allow file gone", record.command());
    assertEquals(file + ", 2 entries", record.subject());
  }

  /** A full disk, or a program that is killed while it writes, leaves nothing of a file. */
  @Test
  void aFileThatIsCutToNothingCountsAsMissing() throws Exception {
    write(blockFile, NOW.plusSeconds(1));
    String stays = blockFile + " is empty; its last good entry stays";
    for (int look = 0; look < 100; look++) {
      assertEquals(look == 1 ? List.of(stays) : List.of(), lists.poll());
    }
    assertEquals(List.of("spam.example"), subjects(ListKind.BLOCK));
    assertEquals(List.of(stays), lists.alarms());
    write(blockFile, NOW.plusSeconds(2), "# none is left on purpose");
    lookUntil("0 entries read");
    assertEquals(List.of(), subjects(ListKind.BLOCK));
    assertEquals(List.of(), lists.alarms());
    Path parts = Files.createDirectory(directory.resolve("allow.d"));
    Path file = parts.resolve("w.list");
    write(file, NOW, "198.51.100.1", "198.51.100.2");
    lists.useFiles(files(parts.resolve("*.list"), blockFile));
    write(file, NOW.plusSeconds(1));
    String soon = file + " is empty; its 2 entries end in a minute if the file does not come back";
    assertEquals(soon, lookUntil("w.list"));
    for (int look = 0; look < 30; look++) {
      lists.poll();
    }
    assertEquals(2, subjects(ListKind.ALLOW).size());
    lookUntil("w.list: 0 entries read");
    assertEquals(List.of(), subjects(ListKind.ALLOW));
    assertEquals(List.of(), lists.alarms());
  }

  @Test
  void aFileThatComesBackInTimeKeepsItsEntries() throws Exception {
    Path parts = Files.createDirectory(directory.resolve("allow.d"));
    Path file = parts.resolve("w.list");
    write(file, NOW, "198.51.100.1");
    lists.useFiles(files(parts.resolve("*.list"), blockFile));
    for (int round = 0; round < 3; round++) {
      Files.delete(file);
      for (int look = 0; look < 40; look++) {
        lists.poll();
      }
      write(file, NOW, "198.51.100.1");
      lists.poll();
    }
    assertEquals(List.of("198.51.100.1"), subjects(ListKind.ALLOW));
    assertEquals(List.of(), lists.alarms());
  }

  /** So it looks when the file system of the folder is not mounted. */
  @Test
  void anotherFolderWithoutFilesKeepsTheLastGoodContent() throws Exception {
    Path parts = Files.createDirectory(directory.resolve("allow.d"));
    write(parts.resolve("w.list"), NOW, "198.51.100.1");
    lists.useFiles(files(parts.resolve("*.list"), blockFile));
    Files.move(parts, directory.resolve("away"));
    Files.createDirectory(parts);
    keepsWhatTheFolderHeld(parts);
    write(parts.resolve("other.list"), NOW);
    lookUntil("w.list is gone");
    assertEquals(List.of(), subjects(ListKind.ALLOW), "now it is the folder of the lists");
    assertEquals(List.of(), lists.alarms());
  }

  @Test
  void aFolderThatIsEmptyAtTheStartKeepsTheLastGoodContent() throws Exception {
    Path parts = Files.createDirectory(directory.resolve("allow.d"));
    write(parts.resolve("w.list"), NOW, "198.51.100.1");
    lists.useFiles(files(parts.resolve("*.list"), blockFile));
    lists.close();
    Files.delete(parts.resolve("w.list"));
    lists = open(files(parts.resolve("*.list"), blockFile));
    keepsWhatTheFolderHeld(parts);
  }

  private void keepsWhatTheFolderHeld(Path folder) throws Exception {
    for (int look = 0; look < 100; look++) {
      lists.poll();
    }
    assertEquals(List.of("198.51.100.1"), subjects(ListKind.ALLOW));
    assertEquals(
        List.of(
            "no file of *.list is in "
                + folder
                + " any more, as if its file system were not mounted; the last good content stays;"
                + " put a file of that pattern there to end it",
            folder.resolve("w.list") + " does not exist; its last good entry stays"),
        lists.alarms());
  }

  @Test
  void filesThatTheSettingsNameNoMoreEndWithAWord() throws Exception {
    List<String> news =
        lists.useFiles(new ListFiles(List.of(), List.of(blockFile), Entries.NO_RULES, clock));
    assertEquals(
        List.of(allowFile + " is no list file any more: its 1 entry of the allow list ended"),
        news);
    assertEquals(List.of(), subjects(ListKind.ALLOW));
  }

  @Test
  void aDirectoryThatVanishesKeepsItsLastGoodContent() throws Exception {
    Path parts = Files.createDirectory(directory.resolve("allow.d"));
    write(parts.resolve("a.list"), NOW, "198.51.100.1");
    lists.useFiles(files(parts.resolve("*.list"), blockFile));
    Files.delete(parts.resolve("a.list"));
    Files.delete(parts);
    for (int look = 0; look < 10; look++) {
      lists.poll();
    }
    assertEquals(List.of("198.51.100.1"), subjects(ListKind.ALLOW));
    assertTrue(lists.alarms().getFirst().startsWith("cannot list"), lists.alarms().toString());
  }
}
