package io.bloomgate.blocklists.operator;

import static io.bloomgate.blocklists.operator.Entries.NOW;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.operator.OperatorLists.Change;
import io.bloomgate.blocklists.operator.OperatorLists.Origin;
import io.bloomgate.blocklists.operator.RecipientEntry.Wish;
import io.bloomgate.config.name.Parsed;
import java.io.BufferedReader;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Entries that give recipients a profile: what is kept, over a restart and a kill. */
class RecipientListsTest {

  private static final Origin ALICE = new Origin("alice", "recipient set");

  @TempDir private Path folder;
  private OperatorLists lists;

  @BeforeEach
  void open() throws Exception {
    lists = Entries.open(folder);
  }

  @AfterEach
  void close() throws Exception {
    lists.close();
  }

  private static Wish wish(String line) {
    return RecipientEntry.parse(line).toOptional().orElseThrow().orElseThrow();
  }

  private RecipientLists.Stored set(String line) throws Exception {
    return lists.recipients().set(List.of(wish(line)), ALICE).getFirst();
  }

  private List<String> lines() {
    return lists.view().recipients().values().stream().map(RecipientEntry::text).sorted().toList();
  }

  private List<String> audit() throws Exception {
    return lists.audit(Instant.EPOCH, Long.MAX_VALUE).items().stream()
        .map(one -> one.author() + ": " + one.command() + " " + one.subject())
        .toList();
  }

  @Test
  void anEntryIsThereAfterARestartAndGoneAfterItsRemoval() throws Exception {
    RecipientLists.Stored stored = set("Sales@Example.com tag-only # ticket 7");
    assertEquals(Change.ADDED, stored.change());
    assertEquals("r1", stored.entry().id());
    close();
    open();
    assertEquals(
        Map.of(
            "sales@example.com",
            new RecipientEntry(
                "r1", "sales@example.com", "tag-only", "ticket 7", "alice", NOW, null)),
        lists.view().recipients());
    set(".students.example.com strict");
    Origin bob = new Origin("bob", "recipient remove");
    assertEquals(
        List.of("sales@example.com"),
        lists
            .recipients()
            .remove(List.of("r1", "sales@example.com", "none@example.com"), bob)
            .stream()
            .map(RecipientEntry::subject)
            .toList());
    close();
    open();
    assertEquals(List.of(".students.example.com strict"), lines());
    assertEquals(
        List.of(
            "bob: recipient remove sales@example.com tag-only # ticket 7",
            "alice: recipient set .students.example.com strict",
            "alice: recipient set sales@example.com tag-only # ticket 7"),
        audit());
    assertEquals("r3", set("info@ off").entry().id(), "an id is never given twice");
  }

  @ParameterizedTest
  @CsvSource({
    "a@b.example off expires=2027-01-01T00:00:00Z # x, a@b.example off, UNCHANGED, a@b.example off"
        + " expires=2027-01-01T00:00:00Z # x",
    "a@b.example off expires=2027-01-01T00:00:00Z # x, a@b.example off # y, CHANGED, a@b.example"
        + " off expires=2027-01-01T00:00:00Z # y",
    "a@b.example off expires=2027-01-01T00:00:00Z, a@b.example off expires=never, CHANGED,"
        + " a@b.example off",
    "a@b.example off expires=2027-01-01T00:00:00Z # x, a@b.example strict, CHANGED, a@b.example"
        + " strict",
    "a@b.example off expires=2026-01-01T00:00:00Z # x, a@b.example off, CHANGED, a@b.example off"
  })
  void anEntryWithTheSameProfileKeepsItsEndAndReason(
      String before, String given, Change change, String after) throws Exception {
    set(before);
    RecipientLists.Stored stored = set(given);
    assertEquals(change, stored.change());
    assertEquals(after, stored.entry().text());
    assertEquals("r1", stored.entry().id());
    assertEquals(List.of(after), lines());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "sales@example.com tag-only",
        "info@ off # a # b",
        "a#b@example.com off expires=2027-01-01T12:00:00Z # 100 % sure",
        ".students.example.com strict"
      })
  void whatIsWrittenIsReadBack(String line) {
    assertEquals(line, wish(line).over(null, "alice", NOW).text());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "sales@example.com",
        "sales@example.com Tag",
        "sales@example.com off until=x",
        "sales@example.com off expires=soon",
        "@example.com off",
        "exa mple.com off",
        "#a@example.com",
        "sales@example.com off#x"
      })
  void whatIsNoEntryIsNamed(String line) {
    Parsed<Optional<Wish>> read = RecipientEntry.parse(line);
    assertTrue(read.toOptional().filter(Optional::isPresent).isEmpty(), read::toString);
  }

  @Test
  void readersSeeAnotherMapOnlyBehindAChange() throws Exception {
    Map<String, RecipientEntry> none = lists.view().recipients();
    set("info@ off");
    Map<String, RecipientEntry> one = lists.view().recipients();
    assertNotSame(none, one);
    assertEquals(Map.of(), none, "what a decision has stays as it was");
    set("info@ off");
    lists.add(List.of(Entries.allow("partner.example")), ALICE);
    assertSame(one, lists.view().recipients());
  }

  @Test
  void aPieceOfAnImportIsOneRecordOfTheAudit() throws Exception {
    List<Wish> two = List.of(wish("info@ off"), wish("sales@example.com off"));
    lists.recipients().set(two, new Origin("alice", "recipient import x"));
    assertEquals(List.of("alice: recipient import x 2 entries set"), audit());
  }

  /** Sets entries one by one and says so after each. */
  static final class Child {
    private Child() {}

    /** The argument is the folder. */
    public static void main(String[] arguments) throws Exception {
      try (OperatorLists lists = Entries.open(Path.of(arguments[0]))) {
        for (int i = 0; ; i++) {
          lists.recipients().set(List.of(wish("u" + i + "@example.com off")), ALICE);
          System.out.println("set " + i);
        }
      }
    }
  }

  @Test
  void whatWasAnsweredIsThereAfterAKill() throws Exception {
    close();
    Process child =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx64m",
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                Child.class.getName(),
                folder.toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    List<String> answered = new ArrayList<>();
    try (BufferedReader answers = child.inputReader(UTF_8)) {
      while (answered.size() < 20) {
        answered.add(String.valueOf(answers.readLine()));
      }
      child.toHandle().destroyForcibly();
      answers.lines().filter(line -> line.startsWith("set ")).forEach(answered::add);
    }
    child.waitFor();
    open();
    for (int i = 0; i < answered.size() - 1; i++) {
      assertTrue(lists.view().recipients().containsKey("u" + i + "@example.com"), "number " + i);
    }
  }
}
