package io.bloomgate.blocklists.operator;

import static io.bloomgate.blocklists.operator.Entries.NOW;
import static io.bloomgate.blocklists.operator.Entries.allow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.operator.OperatorEntry.ListKind;
import io.bloomgate.blocklists.operator.OperatorLists.Origin;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The list files of the settings, on real files; the time of a change is set, not awaited. */
class ListFilesTest {

  private static final WidthRules WIDTHS = new WidthRules(List.of(), List.of(), ignored -> false);

  /** Long after every change, unless a test says otherwise. */
  private Instant now = NOW.plusSeconds(3_600);

  private final InstantSource clock = () -> now;

  @TempDir private Path directory;
  private Path allowFile = Path.of("");
  private Path blockFile = Path.of("");
  private OperatorLists lists;

  @BeforeEach
  void openWithBothFiles() throws Exception {
    allowFile = directory.resolve("allow.list");
    blockFile = directory.resolve("block.list");
    write(allowFile, NOW, "203.0.113.7 # partner");
    write(blockFile, NOW, "spam.example");
    lists =
        OperatorLists.open(
            directory.resolve(OperatorLists.FILE_NAME), files(allowFile, blockFile), clock);
  }

  @AfterEach
  void close() throws Exception {
    lists.close();
  }

  private ListFiles files(Path allow, Path block) {
    return new ListFiles(List.of(allow), List.of(block), WIDTHS, clock);
  }

  private static void write(Path file, Instant time, String... lines) throws IOException {
    Files.write(file, List.of(lines));
    Files.setLastModifiedTime(file, FileTime.from(time));
  }

  private List<String> subjects(ListKind list) throws OperatorListsException {
    return Entries.all(lists, list).stream().map(e -> e.subject().toString()).toList();
  }

  @Test
  void entriesNameTheirLine() throws Exception {
    OperatorEntry entry = Entries.all(lists, ListKind.ALLOW).getFirst();
    assertEquals("203.0.113.7", entry.subject().toString());
    assertEquals("file:" + allowFile + ":1", entry.author());
    assertEquals("allow.list:1", entry.id());
    assertEquals("partner", entry.reason());
    assertEquals(List.of("spam.example"), subjects(ListKind.BLOCK));
  }

  @Test
  void aChangeIsSeenAtTheNextLook() throws Exception {
    assertEquals(List.of(), lists.poll(), "nothing happened");
    write(allowFile, NOW.plusSeconds(5), "203.0.113.7 # partner", "", "198.51.100.0/24");
    List<String> news = lists.poll();
    assertEquals(List.of(allowFile + ": 2 entries read for the allow list"), news);
    assertEquals(List.of("203.0.113.7", "198.51.100.0/24"), subjects(ListKind.ALLOW));
    assertEquals("allow.list:3", Entries.all(lists, ListKind.ALLOW).getLast().id());
    assertEquals(List.of(), lists.poll());
  }

  /** Reading it would wait for a writer, and a reload for that. */
  @Test
  void aPipeIsNotReadAndTheLastContentStays() throws Exception {
    Files.delete(allowFile);
    assertEquals(0, new ProcessBuilder("mkfifo", allowFile.toString()).start().waitFor(), "mkfifo");
    String news = String.join("\n", lists.poll());
    assertTrue(news.contains("no regular file"), news);
    assertEquals(List.of("203.0.113.7"), subjects(ListKind.ALLOW));
  }

  /** Only what is different is written: the rest keeps the time of the change that brought it. */
  @Test
  void linesThatStayAreNotStoredAgain() throws Exception {
    List<String> lines =
        new ArrayList<>(
            List.of(
                "203.0.113.7 # partner",
                "198.51.100.0/24 expires=2099-12-31T00:00:00Z",
                "shop.example from=192.0.2.0/24",
                "user@shop.example scope=sender # a \u00fc b",
                "other.example scope=any from=2001:db8::/32 expires=2099-12-31T00:00:00Z # all of"
                    + " it"));
    write(allowFile, NOW.plusSeconds(5), lines.toArray(String[]::new));
    lists.poll();
    lines.set(1, "198.51.100.0/24 expires=2099-12-30T00:00:00Z");
    lines.addFirst("first.example");
    write(allowFile, NOW.plusSeconds(9), lines.toArray(String[]::new));
    assertEquals(List.of(allowFile + ": 6 entries read for the allow list"), lists.poll());
    Map<String, Instant> created =
        Entries.all(lists, ListKind.ALLOW).stream()
            .collect(
                Collectors.toMap(
                    entry -> entry.id() + " " + entry.subject(), OperatorEntry::created));
    assertEquals(
        Map.of(
            "allow.list:1 first.example", NOW.plusSeconds(9),
            "allow.list:2 203.0.113.7", NOW,
            "allow.list:3 198.51.100.0/24", NOW.plusSeconds(9),
            "allow.list:4 shop.example", NOW.plusSeconds(5),
            "allow.list:5 user@shop.example", NOW.plusSeconds(5),
            "allow.list:6 other.example", NOW.plusSeconds(5)),
        created);
  }

  /** Many scripts truncate a file and then write it again. */
  @Test
  void aFileThatIsBeingWrittenTakesNothingAway() throws Exception {
    write(allowFile, NOW.plusSeconds(3), "203.0.113.7 # partner", "203.0.113.8");
    lists.poll();
    write(allowFile, NOW.plusSeconds(5));
    assertEquals(List.of(), lists.poll());
    write(allowFile, NOW.plusSeconds(6), "203.0.113.7 # partner");
    assertEquals(List.of(), lists.poll());
    assertEquals(List.of("203.0.113.7", "203.0.113.8"), subjects(ListKind.ALLOW));
    lists.poll();
    assertEquals(List.of("203.0.113.7"), subjects(ListKind.ALLOW), "the same twice");
    for (int look = 0; look < 20; look++) {
      write(allowFile, NOW.plusSeconds(10 + look));
      lists.poll();
    }
    assertEquals(List.of(), subjects(ListKind.ALLOW), "but nobody writes for ever");
  }

  @Test
  void aChangeWithinOneTickOfTheClockIsSeen() throws Exception {
    now = NOW.plusSeconds(10).plusMillis(1);
    write(allowFile, NOW.plusSeconds(10), "203.0.113.8");
    lists.poll();
    write(allowFile, NOW.plusSeconds(10), "203.0.113.9");
    now = NOW.plusSeconds(11);
    lists.poll();
    assertEquals(List.of("203.0.113.9"), subjects(ListKind.ALLOW));
  }

  @Test
  void aBadLineIsNamedAndTheRestIsTaken() throws Exception {
    write(
        allowFile,
        NOW.plusSeconds(5),
        "203.0.113.7",
        "203.0.113.777",
        "0.0.0.0/0",
        "partner.example from=198.51.100.0/24 # bound",
        "10.0.0.0/8 force=yes");
    List<String> news = lists.poll();
    assertEquals(List.of("203.0.113.7", "partner.example", "10.0.0.0/8"), subjects(ListKind.ALLOW));
    assertTrue(news.stream().anyMatch(l -> l.startsWith(allowFile + ":2: ")), news.toString());
    assertTrue(
        news.stream().anyMatch(l -> l.startsWith(allowFile + ":3: 0.0.0.0/0 is wider than /16")),
        news.toString());
    assertTrue(
        lists.alarms().getFirst().startsWith(allowFile + ": 2 lines not taken"),
        lists.alarms().toString());
    assertEquals(List.of(), lists.poll(), "reported once");
    write(allowFile, NOW.plusSeconds(6), "203.0.113.7");
    lists.poll();
    lists.poll();
    assertEquals(List.of(), lists.alarms());
  }

  @Test
  void bytesThatAreNoTextSpoilTheirLineOnly() throws Exception {
    Files.write(
        allowFile,
        new byte[] {
          'a', (byte) 0xff, '.', 'e', 'x', '\n', '1', '.', '2', '.', '3', '.', '4', '\n'
        });
    lists.poll();
    assertEquals(List.of("1.2.3.4"), subjects(ListKind.ALLOW));
  }

  @Test
  void aFileThatVanishesKeepsItsLastGoodContent() throws Exception {
    Files.delete(allowFile);
    List<String> news = lists.poll();
    assertTrue(news.getFirst().contains("does not exist"), news.toString());
    for (int look = 0; look < 10; look++) {
      assertEquals(List.of(), lists.poll(), "reported once");
    }
    assertEquals(List.of("203.0.113.7"), subjects(ListKind.ALLOW));
    assertEquals(1, lists.alarms().size());
    lists.useFiles(files(allowFile, blockFile));
    assertEquals(List.of("203.0.113.7"), subjects(ListKind.ALLOW), "also across a reload");
    write(allowFile, NOW.plusSeconds(9), "203.0.113.8");
    assertTrue(lists.poll().contains(allowFile + " can be read again"));
    assertEquals(List.of("203.0.113.8"), subjects(ListKind.ALLOW));
    assertEquals(List.of(), lists.alarms());
  }

  @Test
  void aPathThatCannotBeReadKeepsItsLastGoodContent() throws Exception {
    Files.delete(allowFile);
    Files.createDirectory(allowFile);
    assertTrue(lists.poll().getFirst().contains("cannot be read"));
    assertEquals(List.of("203.0.113.7"), subjects(ListKind.ALLOW));
  }

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
    AuditRecord record = lists.audit(Instant.EPOCH, Long.MAX_VALUE).records().getFirst();
    assertEquals("gateway", record.author());
    assertEquals("allow file gone", record.command());
    assertEquals(file + ", 2 entries", record.subject());
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
    lists =
        OperatorLists.open(
            directory.resolve(OperatorLists.FILE_NAME),
            files(parts.resolve("*.list"), blockFile),
            clock);
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
        lists.useFiles(new ListFiles(List.of(), List.of(blockFile), WIDTHS, clock));
    assertEquals(
        List.of(allowFile + " is no list file any more: its 1 entry of the allow list ended"),
        news);
    assertEquals(List.of(), subjects(ListKind.ALLOW));
  }

  @Test
  void aBracketThatIsLeftOpenSpoilsItsPatternOnly() throws Exception {
    Path parts = Files.createDirectory(directory.resolve("allow.d"));
    write(parts.resolve("a.list"), NOW, "198.51.100.1");
    lists.useFiles(files(parts.resolve("*.list"), blockFile));
    List<String> news = lists.useFiles(files(parts.resolve("[a.list"), blockFile));
    assertTrue(
        news.stream().anyMatch(l -> l.startsWith("[a.list is not a file pattern (")),
        news.toString());
    assertEquals(List.of("spam.example"), subjects(ListKind.BLOCK), "the other files are read");
    assertEquals(1, lists.alarms().size(), lists.alarms().toString());
    assertEquals(List.of(), lists.poll(), "reported once");
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

  @Test
  void entriesOfFilesAreRemovedInTheirFile() throws Exception {
    lists.add(List.of(allow("203.0.113.9")), new Origin("alice", "allow add"));
    OperatorLists.Changed removed =
        lists.remove(
            ListKind.ALLOW,
            List.of("203.0.113.7", "203.0.113.9"),
            new Origin("alice", "allow remove"));
    assertEquals(1, removed.entries().size());
    assertEquals("allow.list:1", removed.inFiles().getFirst().id());
    assertEquals(List.of("203.0.113.7"), subjects(ListKind.ALLOW));
  }
}
