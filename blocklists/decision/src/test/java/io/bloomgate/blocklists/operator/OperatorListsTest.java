package io.bloomgate.blocklists.operator;

import static io.bloomgate.blocklists.operator.Entries.NOW;
import static io.bloomgate.blocklists.operator.Entries.allow;
import static io.bloomgate.blocklists.operator.Entries.block;
import static io.bloomgate.blocklists.operator.Entries.key;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.operator.OperatorLists.Change;
import io.bloomgate.blocklists.operator.OperatorLists.Changed;
import io.bloomgate.blocklists.operator.OperatorLists.Origin;
import io.bloomgate.blocklists.operator.OperatorLists.Stored;
import io.bloomgate.config.name.ListKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The durable lists, on real SQLite files. */
class OperatorListsTest {

  private static final InstantSource CLOCK = InstantSource.fixed(NOW);
  private static final Origin ALICE = new Origin("alice", "allow add");

  @TempDir private Path directory;
  private Path file = Path.of("");

  @BeforeEach
  void nameTheFile() {
    file = directory.resolve(OperatorLists.FILE_NAME);
  }

  private OperatorLists open() throws OperatorListsException {
    return OperatorLists.open(file, Entries.noFiles(), CLOCK);
  }

  private OperatorLists openReadOnly() throws OperatorListsException {
    return OperatorLists.openReadOnly(file, Entries.noFiles(), CLOCK);
  }

  private static List<String> lines(OperatorLists lists) throws OperatorListsException {
    return Entries.all(lists).stream().map(OperatorText::format).toList();
  }

  @Test
  void whatIsAddedIsLiveAndIsThereAfterReopening() throws Exception {
    List<OperatorEntry> before;
    try (OperatorLists lists = open()) {
      List<Stored> stored =
          lists.add(
              List.of(
                  allow("203.0.113.7 expires=2026-12-01T00:00:00Z # partner"),
                  allow("partner.example from=198.51.100.0/24 scope=helo"),
                  allow("other.example scope=any"),
                  block("bob@spam.example")),
              ALICE);
      assertEquals(
          List.of("a1", "a2", "a3", "b4"), stored.stream().map(s -> s.entry().id()).toList());
      assertTrue(stored.stream().allMatch(s -> s.change() == Change.ADDED));
      assertEquals(1, lists.view().covering(ListKind.ALLOW, key("203.0.113.7"), NOW).size());
      before = Entries.all(lists);
      assertEquals("alice", before.getFirst().author());
      assertEquals(NOW, before.getFirst().created());
    }
    try (OperatorLists lists = open()) {
      assertEquals(before, Entries.all(lists));
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          a.example # first | a.example # first | UNCHANGED | a.example # first
          a.example # first | a.example # second | CHANGED | a.example # second
          a.example END # first | a.example | UNCHANGED | a.example END # first
          a.example END # first | a.example # second | CHANGED | a.example END # second
          //d.example/x # first | //d.example/x END | CHANGED | //d.example/x END # first
          """)
  void theSameAgainKeepsItsIdAndWhatItDoesNotName(
      String first, String again, Change change, String after) throws Exception {
    String end = "expires=2026-12-01T00:00:00Z";
    try (OperatorLists lists = open()) {
      lists.add(List.of(block(first.replace("END", end))), ALICE);
      Stored stored = lists.add(List.of(block(again.replace("END", end))), ALICE).getFirst();
      assertEquals(change, stored.change());
      assertEquals("b1", stored.entry().id());
    }
    try (OperatorLists lists = open()) {
      assertEquals(List.of(after.replace("END", end)), lines(lists));
      lists.addForEver(List.of(block(again.replaceAll(" END| #.*", ""))), ALICE);
      assertEquals(List.of(after.replace(" END", "")), lines(lists));
    }
  }

  @Test
  void removesByIdAndBySubject() throws Exception {
    try (OperatorLists lists = open()) {
      lists.add(
          List.of(
              allow("203.0.113.7"),
              allow("partner.example"),
              allow("partner.example from=198.51.100.0/24"),
              block("partner.example")),
          ALICE);
      Changed removed =
          lists.remove(ListKind.ALLOW, List.of("a1", "Partner.Example", "b4", "10.0.0.1"), ALICE);
      assertEquals(
          List.of("a1", "a2", "a3"), removed.entries().stream().map(OperatorEntry::id).toList());
      assertEquals(List.of("b4", "10.0.0.1"), removed.unknown());
      assertEquals(List.of("partner.example"), lines(lists));
    }
    try (OperatorLists lists = open()) {
      assertEquals(List.of("partner.example"), lines(lists));
      assertEquals("a5", lists.add(List.of(allow("203.0.113.9")), ALICE).getFirst().entry().id());
    }
  }

  @Test
  void everyChangeIsAudited() throws Exception {
    try (OperatorLists lists = open()) {
      lists.add(List.of(allow("203.0.113.7 # why")), ALICE);
      lists.add(List.of(allow("203.0.113.7 # why")), new Origin("carol", "allow add"));
      lists.remove(ListKind.ALLOW, List.of("a1"), new Origin("bob", "allow remove"));
      assertEquals(
          List.of(
              new AuditRecord(NOW, "bob", "allow remove", "203.0.113.7 # why"),
              new AuditRecord(NOW, "alice", "allow add", "203.0.113.7 # why")),
          lists.audit(Instant.EPOCH, Long.MAX_VALUE).items());
    }
  }

  @Test
  void theFileIsForItsOwnerOnly() throws Exception {
    Files.createFile(
        file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-r--r--")));
    try (OperatorLists lists = open()) {
      lists.add(List.of(allow("203.0.113.7")), ALICE);
      try (var files = Files.list(directory)) {
        for (Path path : files.toList()) {
          assertEquals(
              "rw-------",
              PosixFilePermissions.toString(Files.getPosixFilePermissions(path)),
              path.toString());
        }
      }
    }
  }

  @Test
  void readersSeeWholeCommitsOnly() throws Exception {
    AtomicBoolean done = new AtomicBoolean();
    List<String> torn = new ArrayList<>();
    try (OperatorLists lists = open()) {
      Thread reader =
          Thread.ofPlatform()
              .start(() -> {
                int seen = 0;
                while (!done.get()) {
                  int now = size(lists);
                  if (now % 10 != 0 || now < seen) {
                    torn.add(seen + " then " + now);
                  }
                  seen = now;
                }
              });
      for (int round = 0; round < 20; round++) {
        int at = round;
        lists.add(
            IntStream.range(0, 10).mapToObj(i -> allow("10.0." + at + "." + i)).toList(), ALICE);
      }
      done.set(true);
      reader.join();
      assertEquals(List.of(), torn);
      try (OperatorLists other = openReadOnly()) {
        assertEquals(200, Entries.all(other).size(), "a second process reads beside us");
        OperatorListsException e =
            assertThrows(
                OperatorListsException.class,
                () -> other.add(List.of(allow("203.0.113.7")), ALICE));
        assertTrue(e.userMessage().contains("reading only"), e.userMessage());
      }
    }
  }

  private static int size(OperatorLists lists) {
    try {
      return Entries.all(lists).size();
    } catch (OperatorListsException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void aFailedTransactionChangesNothing() throws Exception {
    try (OperatorLists lists = open()) {
      lists.add(List.of(allow("203.0.113.7")), ALICE);
      try (Connection other = DriverManager.getConnection("jdbc:sqlite:" + file);
          Statement statement = other.createStatement()) {
        statement.execute(
            "CREATE TRIGGER refuse BEFORE INSERT ON audit WHEN NEW.subject = '203.0.113.9'"
                + " BEGIN SELECT RAISE(ABORT, 'no'); END");
      }
      OperatorListsException e =
          assertThrows(
              OperatorListsException.class,
              () -> lists.add(List.of(allow("203.0.113.8"), allow("203.0.113.9")), ALICE));
      assertTrue(e.userMessage().contains("nothing was changed"), e.userMessage());
      assertEquals(List.of("203.0.113.7"), lines(lists));
      lists.add(List.of(allow("203.0.113.10")), ALICE);
    }
    try (OperatorLists lists = open()) {
      assertEquals(List.of("203.0.113.7", "203.0.113.10"), lines(lists));
    }
  }

  private OperatorListsException openingFails() {
    OperatorListsException e = assertThrows(OperatorListsException.class, this::open);
    assertTrue(e.userMessage().contains(file.toString()), e.userMessage());
    assertFalse(e.hint().isEmpty());
    return e;
  }

  @Test
  void aFileThatIsNoDatabaseIsNamed() throws IOException {
    Files.writeString(file, "This was a text file. ".repeat(100));
    assertTrue(openingFails().userMessage().endsWith("is damaged"));
    assertTrue(Files.readString(file).startsWith("This was"), "it is left as it is");
  }

  @Test
  void damagedPagesAreNoticedAtOpen() throws Exception {
    try (OperatorLists lists = open()) {
      lists.add(
          IntStream.range(0, 500).mapToObj(i -> allow("host" + i + ".example")).toList(), ALICE);
    }
    byte[] content = Files.readAllBytes(file);
    Arrays.fill(content, 4_096, content.length, (byte) 0x5a);
    Files.write(file, content);
    OperatorListsException e = openingFails();
    assertTrue(e.hint().contains("import"), e.hint());
  }

  @Test
  void databasesOfOtherProgramsAndReleasesAreLeftAlone() throws Exception {
    try (Connection other = DriverManager.getConnection("jdbc:sqlite:" + file);
        Statement statement = other.createStatement()) {
      statement.execute("CREATE TABLE mail (id INTEGER)");
    }
    assertTrue(openingFails().userMessage().contains("another program"));
    Files.delete(file);
    open().close();
    change("PRAGMA user_version = 99");
    OperatorListsException e = openingFails();
    assertEquals(
        file + " has format 99 of another release; this one reads format 1", e.userMessage());
    assertTrue(e.hint().startsWith("export the entries with the release that wrote them"));
  }

  private void change(String sql) throws Exception {
    try (Connection other = DriverManager.getConnection("jdbc:sqlite:" + file);
        Statement statement = other.createStatement()) {
      statement.execute(sql);
    }
  }

  @Test
  void aMissingDirectoryIsNamed() {
    file = directory.resolve("missing").resolve(OperatorLists.FILE_NAME);
    OperatorListsException e = assertThrows(OperatorListsException.class, this::openReadOnly);
    assertTrue(e.userMessage().contains("does not exist"), e.userMessage());
    assertFalse(Files.exists(file));
  }

  /** As on a full disk at the first start: nothing can be made, and list files still hold. */
  @Test
  void withoutADirectoryTheListsAreInMemoryUntilThereIsOne() throws Exception {
    file = directory.resolve("missing").resolve(OperatorLists.FILE_NAME);
    Path listFile = Files.writeString(directory.resolve("allow.list"), "partner.example\n");
    ListFiles files = new ListFiles(List.of(listFile), List.of(), Entries.NO_RULES, CLOCK);
    try (OperatorLists lists = OperatorLists.open(file, files, CLOCK)) {
      assertEquals(1, lists.view().covering(ListKind.ALLOW, key("partner.example"), NOW).size());
      OperatorListsException refused =
          assertThrows(
              OperatorListsException.class, () -> lists.add(List.of(allow("203.0.113.7")), ALICE));
      assertTrue(refused.userMessage().contains(file.toString()), refused.userMessage());
      assertTrue(lists.alarms().toString().contains("entries cannot be changed now"));
      Files.createDirectory(directory.resolve("missing"));
      assertEquals(List.of(file + " can be written again"), lists.poll());
      assertEquals(List.of(), lists.alarms());
      lists.add(List.of(allow("203.0.113.7")), ALICE);
      assertEquals(1, lists.view().covering(ListKind.ALLOW, key("partner.example"), NOW).size());
    }
    try (OperatorLists lists = OperatorLists.open(file, files, CLOCK)) {
      assertEquals(Optional.empty(), lists.unwritable());
      assertEquals(1, lists.view().covering(ListKind.ALLOW, key("203.0.113.7"), NOW).size());
      assertEquals(1, lists.view().covering(ListKind.ALLOW, key("partner.example"), NOW).size());
    }
  }
}
