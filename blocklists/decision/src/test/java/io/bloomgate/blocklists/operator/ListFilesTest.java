package io.bloomgate.blocklists.operator;

import static io.bloomgate.blocklists.operator.Entries.NOW;
import static io.bloomgate.blocklists.operator.Entries.allow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.operator.OperatorLists.Origin;
import io.bloomgate.config.name.ListKind;
import io.bloomgate.config.settings.yaml.Problem;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The list files of the settings, on real files; the time of a change is set, not awaited. */
class ListFilesTest extends ListFileStories {

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
      write(allowFile, NOW.plusSeconds(10 + look), "# none");
      lists.poll();
    }
    assertEquals(List.of(), subjects(ListKind.ALLOW), "but nobody writes for ever");
  }

  /** The last line of a half may name another sender than the whole line does. */
  @Test
  void aLineThatIsWrittenInPartBlocksNobody() throws Exception {
    write(
        blockFile, NOW.plusSeconds(3), "spam.example", "shop.example.spam.example", "bad.example");
    lists.poll();
    Files.writeString(blockFile, "spam.example\nshop.example");
    Files.setLastModifiedTime(blockFile, FileTime.from(NOW.plusSeconds(5)));
    lists.poll();
    assertEquals(
        List.of("spam.example", "shop.example.spam.example", "bad.example"),
        subjects(ListKind.BLOCK));
    write(
        blockFile, NOW.plusSeconds(6), "spam.example", "shop.example.spam.example", "new.example");
    lists.poll();
    assertEquals(
        List.of("spam.example", "shop.example.spam.example", "new.example"),
        subjects(ListKind.BLOCK));
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

  /** A line of a file has no command that could be repeated. */
  @Test
  void whatIsWrongWithALineIsSaidInTheWordsOfTheFile() throws Exception {
    write(
        allowFile,
        NOW.plusSeconds(5),
        "0.0.0.0/0",
        "shop.example scope=any",
        "10.0.0.0/8 from=::/0");
    ListFiles files = files(allowFile, blockFile);
    lists.useFiles(files);
    String name = allowFile + ":";
    assertEquals(
        List.of(
            name
                + "1:1: warning: 0.0.0.0/0 is wider than /16; name a smaller network, or write"
                + " force=yes into the line",
            name
                + "2:1: warning: anyone can claim the name shop.example: this scope lets every"
                + " listed host in that says so; name the network that it sends from with"
                + " from=CIDR, or write force=yes into the line",
            name
                + "3:1: warning: from= is for domains and addresses; a network says itself where"
                + " it holds; leave from= out, or say scope=helo if the literal in HELO is meant,"
                + " scope=url_host for links"),
        files.badLines().stream().map(Problem::toString).toList());
    assertEquals(files.badLines(), files(allowFile, blockFile).badLinesNow(), "without a store");
    lists.poll();
    assertEquals(3, files.badLines().size(), "they stay wrong");
  }

  @Test
  void ofManyBadLinesTheFirstAreNamedAndTheRestIsCounted() throws Exception {
    write(allowFile, NOW.plusSeconds(5), "no subject\n".repeat(30).split("\n"));
    List<Problem> bad = files(allowFile, blockFile).badLinesNow();
    assertEquals(21, bad.size());
    assertEquals(allowFile + ": warning: 10 lines more not taken", bad.getLast().toString());
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
