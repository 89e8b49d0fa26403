package io.bloomgate.blocklists.operator;

import static io.bloomgate.blocklists.operator.Entries.NOW;
import static io.bloomgate.blocklists.operator.Entries.allow;
import static io.bloomgate.blocklists.operator.Entries.key;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.operator.OperatorLists.Origin;
import io.bloomgate.config.name.ListKind;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Entries whose end each use puts off, and those that were of no use. */
class UsedEntriesTest {

  private static final Origin ALICE = new Origin("alice", "allow add");

  @TempDir private Path directory;
  private Instant now = NOW;

  private OperatorLists open(ListFiles files) throws OperatorListsException {
    OperatorLists lists =
        OperatorLists.open(directory.resolve(OperatorLists.FILE_NAME), files, () -> now);
    assertEquals(List.of(), lists.poll());
    return lists;
  }

  private void wait(int days) {
    now = now.plus(Duration.ofDays(days));
  }

  private OperatorEntry covering(OperatorLists lists, String subject) {
    return lists.view().covering(ListKind.ALLOW, key(subject), now).getFirst();
  }

  private void use(OperatorLists lists, String subject) {
    lists.uses().note(covering(lists, subject));
    lists.poll();
  }

  private List<String> unused(OperatorLists lists, int days) throws OperatorListsException {
    Instant since = now.minus(Duration.ofDays(days));
    return lists.uses().page(ListKind.ALLOW, "", since, 0).items().stream()
        .map(entry -> entry.subject().toString())
        .toList();
  }

  @Test
  void anEntryEndsWhenItIsOfNoUse() throws Exception {
    try (OperatorLists lists = open(Entries.noFiles())) {
      lists.add(
          List.of(allow("192.0.2.1 unused=45d"), allow("192.0.2.2 unused=45d # partner")), ALICE);
      assertEquals(NOW.plus(Duration.ofDays(45)), covering(lists, "192.0.2.1").expires());
      wait(44);
      use(lists, "192.0.2.1");
      wait(2);
      OperatorEntry used = covering(lists, "192.0.2.1");
      assertEquals(NOW.plus(Duration.ofDays(44 + 45)), used.expires());
      assertEquals("alice", used.author());
      assertEquals(NOW, used.created());
      assertEquals(List.of(), lists.view().covering(ListKind.ALLOW, key("192.0.2.2"), now));
      wait(43);
      assertEquals(List.of(), lists.view().covering(ListKind.ALLOW, key("192.0.2.1"), now));
    }
    try (OperatorLists again = open(Entries.noFiles())) {
      OperatorEntry kept = Entries.all(again, ListKind.ALLOW).getFirst();
      assertEquals(NOW.plus(Duration.ofDays(44)), kept.used());
      assertEquals(Duration.ofDays(45), kept.unused());
      assertEquals(2, again.audit(Instant.EPOCH, Long.MAX_VALUE).items().size());
    }
  }

  @Test
  void anEndThatIsNamedStays() throws Exception {
    try (OperatorLists lists = open(Entries.noFiles())) {
      lists.add(List.of(allow("192.0.2.1 unused=45d # partner")), ALICE);
      lists.edit(
          ListKind.ALLOW,
          List.of("192.0.2.1"),
          entry -> entry.with("other reason", entry.expires()),
          ALICE);
      assertEquals(Duration.ofDays(45), covering(lists, "192.0.2.1").unused());
      Instant end = NOW.plus(Duration.ofDays(3));
      lists.edit(
          ListKind.ALLOW, List.of("192.0.2.1"), entry -> entry.with(entry.reason(), end), ALICE);
      use(lists, "192.0.2.1");
      assertEquals(end, covering(lists, "192.0.2.1").expires());
      lists.add(List.of(allow("192.0.2.1 unused=2d")), ALICE);
      assertEquals(NOW.plus(Duration.ofDays(2)), covering(lists, "192.0.2.1").expires());
      lists.addForEver(List.of(allow("192.0.2.1")), ALICE);
      use(lists, "192.0.2.1");
      assertNull(covering(lists, "192.0.2.1").expires());
    }
  }

  /** What decisions read is kept in memory until something changes: once a day is enough. */
  @Test
  void aUseIsWrittenOnceADay() throws Exception {
    try (OperatorLists lists = open(Entries.noFiles())) {
      lists.add(List.of(allow("192.0.2.1")), ALICE);
      use(lists, "192.0.2.1");
      assertEquals(NOW, covering(lists, "192.0.2.1").used());
      Object before = lists.view().version();
      now = now.plus(Duration.ofHours(23));
      use(lists, "192.0.2.1");
      assertSame(before, lists.view().version());
      now = now.plus(Duration.ofHours(1));
      use(lists, "192.0.2.1");
      assertEquals(NOW.plus(Duration.ofDays(1)), covering(lists, "192.0.2.1").used());
    }
  }

  /** Else one that is used all the time would end within the day. */
  @Test
  void aShortTimeWithoutUseIsPutOffMoreOften() throws Exception {
    try (OperatorLists lists = open(Entries.noFiles())) {
      lists.add(List.of(allow("192.0.2.1 unused=1h")), ALICE);
      for (int i = 0; i < 10; i++) {
        now = now.plus(Duration.ofMinutes(20));
        use(lists, "192.0.2.1");
      }
      assertEquals(now.plus(Duration.ofHours(1)), covering(lists, "192.0.2.1").expires());
    }
  }

  @Test
  void entriesOfFilesHaveTheirUseAndTheEndOfTheFile() throws Exception {
    Path file = Files.writeString(directory.resolve("p.list"), "192.0.2.1 unused=1d\n192.0.2.2\n");
    ListFiles files = new ListFiles(List.of(file), List.of(), Entries.NO_RULES, () -> now);
    try (OperatorLists lists = open(files)) {
      wait(91);
      use(lists, "192.0.2.1");
      assertEquals("p.list:1", covering(lists, "192.0.2.1").id());
      assertEquals(now, covering(lists, "192.0.2.1").used());
      assertNull(covering(lists, "192.0.2.1").expires());
      lists.poll();
      assertNotNull(covering(lists, "192.0.2.1").used());
    }
  }

  /** Nobody knows what was of use before that was noted. */
  @Test
  void nothingIsUnusedBeforeUsesAreNoted() throws Exception {
    try (OperatorLists old = open(Entries.noFiles())) {
      now = NOW.minus(Duration.ofDays(400));
      old.add(List.of(allow("192.0.2.1"), allow("192.0.2.2")), ALICE);
      now = NOW.plus(Duration.ofDays(89));
      assertEquals(List.of(), unused(old, 90));
      use(old, "192.0.2.2");
      wait(2);
      assertEquals(List.of("192.0.2.1"), unused(old, 90));
      wait(89);
      assertEquals(List.of("192.0.2.1", "192.0.2.2"), unused(old, 90));
      assertTrue(old.uses().since().isPresent());
    }
  }
}
