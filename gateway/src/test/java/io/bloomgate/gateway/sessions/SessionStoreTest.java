package io.bloomgate.gateway.sessions;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.decision.Stage;
import io.bloomgate.blocklists.sessions.DayRetention;
import io.bloomgate.blocklists.sessions.Evidence;
import io.bloomgate.blocklists.sessions.IncidentId;
import io.bloomgate.blocklists.sessions.Outcome;
import io.bloomgate.blocklists.sessions.SessionDays;
import io.bloomgate.blocklists.sessions.SessionQuery;
import io.bloomgate.config.settings.LogSettings.Privacy;
import io.bloomgate.config.settings.SessionSettings;
import io.bloomgate.gateway.log.DecisionRecord;
import io.bloomgate.gateway.log.Decisions;
import io.bloomgate.gateway.log.SessionTrace;
import io.bloomgate.gateway.smtp.Replies;
import io.bloomgate.gateway.smtp.Reply;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadFactory;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What happened to a session is found again, whatever happened since. */
final class SessionStoreTest {

  private static final Duration RETAIN = Duration.ofDays(30);

  @TempDir private Path directory;
  private Instant now = Decisions.NOW;

  private SessionStore open() {
    return open(Privacy.FULL, 1L << 30, Thread::new);
  }

  private SessionStore open(Privacy privacy, long maxOctets, ThreadFactory threads) {
    SessionDays days = new SessionDays(directory);
    SessionStore store =
        new SessionStore(
            days,
            new DayRetention(days),
            new SessionSettings(RETAIN, maxOctets, privacy),
            () -> now,
            System::nanoTime,
            threads);
    store.start();
    return store;
  }

  private Path today() {
    return directory.resolve("sessions/" + now.toString().substring(0, 10) + ".db");
  }

  private static String id(int number) {
    return IncidentId.format(number);
  }

  private void keep(SessionStore store, int number) {
    store.keep(Decisions.with(Decisions.refused("203.0.113.7", "drop" + number), id(number), now));
    assertTrue(store.awaitWritten());
  }

  private static Evidence found(SessionStore store, String id) throws IOException {
    return store.find(id).orElseThrow();
  }

  private static Evidence.Listing listing(Evidence session) {
    return session.decision().deciding().orElseThrow();
  }

  @Test
  void aRefusalIsFoundWithAllItsParts() throws IOException {
    try (SessionStore store = open()) {
      keep(store, 7);
      Evidence found = found(store, id(7));
      assertEquals("203.0.113.7", found.client().toString());
      assertEquals("203.0.113.0/24", listing(found).entry());
      assertEquals("drop7", listing(found).list());
      assertEquals(17, listing(found).line());
      assertEquals("client_ip", listing(found).check().key());
      assertEquals("203.0.113.7", listing(found).subject());
      assertEquals(412, found.decision().generation());
      assertEquals("a@spam.example", found.from());
      assertEquals("bob@example.com", found.decision().to());
      assertEquals(List.of("example.com"), found.domains());
      assertEquals("reject", found.decision().verdict());
      assertEquals(554, found.decision().code());
      assertTrue(found.decision().reply().contains("[203.0.113.7]"), found.decision().reply());
      assertEquals(now, found.at());
      assertEquals(12, found.took().toMillis());
    }
  }

  @Test
  void whoWasJustRefusedMayAskAtOnce() throws IOException {
    try (SessionStore store = open()) {
      for (int i = 1; i <= 5; i++) {
        store.keep(Decisions.with(Decisions.refused("203.0.113.7", "drop"), id(i), now));
        assertTrue(store.find(id(i)).isPresent(), id(i));
      }
    }
  }

  /** A disk that is behind for good, behind a queue that is full. */
  @Test
  void aQuestionIsAnsweredHoweverFarTheDiskIsBehind() throws IOException {
    try (SessionStore store = open()) {
      keep(store, 7);
    }
    Thread stuck = Thread.ofVirtual().unstarted(() -> {});
    SessionStore store = open(Privacy.FULL, 1 << 30, ignored -> stuck);
    for (int i = 0; i < 40_000; i++) {
      store.keep(Decisions.with(Decisions.refused("203.0.113.7", "drop"), id(100 + i), now));
    }
    assertTrue(store.find(id(7)).isPresent());
    assertFalse(store.find(id(100)).isPresent());
  }

  /** Mail that mode observe lets pass has an answer on each recipient and one on the message. */
  @Test
  void aTransactionIsOneRowAndEachOfItsIdsFindsIt() throws IOException {
    try (SessionStore store = open()) {
      Object mark = new Object();
      store.keep(of(mark, wouldRefuse("bob@example.com"), 1));
      store.keep(of(mark, wouldRefuse("eve@example.org"), 2));
      store.keep(of(mark, delivered("bob@example.com", "eve@example.org"), 3));
      assertEquals(1, all(store).size());
      Evidence whole = all(store).getFirst();
      assertEquals(Outcome.DELIVERED, whole.decision().outcome());
      assertEquals(2, whole.recipients());
      assertEquals(List.of("example.com", "example.org"), whole.domains());
      assertEquals(4096, whole.sizeOctets());
      assertEquals(Outcome.DELIVERED, found(store, id(3)).decision().outcome());
      assertEquals(Outcome.WOULD_REFUSE, found(store, id(1)).decision().outcome());
      assertEquals("bob@example.com", found(store, id(1)).decision().to());
      Evidence second = found(store, id(2));
      assertEquals(Outcome.WOULD_REFUSE, second.decision().outcome());
      assertTrue(second.decision().to().startsWith("eve@"), second.decision().to());
      assertEquals("drop", listing(second).list());
    }
  }

  /** What the content would have refused is known at the end of the mail, before its delivery. */
  @Test
  void mailThatModeObserveLetPassByItsContentIsOneRow() throws IOException {
    try (SessionStore store = open()) {
      Object mark = new Object();
      store.keep(of(mark, Decisions.at(Stage.DATA, wouldRefuse("bob@example.com")), 1));
      store.keep(of(mark, delivered("bob@example.com"), 2));
      assertEquals(1, all(store).size());
      assertEquals(Outcome.DELIVERED, all(store).getFirst().decision().outcome());
    }
  }

  private static DecisionRecord wouldRefuse(String to) {
    return Decisions.record(
        "203.0.113.7",
        Outcome.WOULD_REFUSE,
        Decisions.rejectedBy("drop", "203.0.113.0/24", "203.0.113.7"),
        Decisions.refusal("203.0.113.7", "drop", Decisions.ID),
        "spam.example",
        "a@spam.example",
        to);
  }

  private static DecisionRecord delivered(String... to) {
    return Decisions.record(
        "203.0.113.7",
        Outcome.DELIVERED,
        Decisions.rejectedBy("drop", "203.0.113.0/24", "203.0.113.7"),
        Reply.of(250, "2.0.0", "Ok: queued as 4F2"),
        "spam.example",
        "a@spam.example",
        to);
  }

  private DecisionRecord of(Object mark, DecisionRecord record, int number) {
    return Decisions.with(record, id(number), now, new SessionTrace("[::]:25", null, false, mark));
  }

  private List<Evidence> all(SessionStore store) throws IOException {
    store.catchUp();
    List<Evidence> all = new ArrayList<>();
    store
        .search()
        .forEach(
            SessionQuery.of(now.minus(RETAIN), now.plusSeconds(1)),
            session -> {
              all.add(session);
              return true;
            });
    return all;
  }

  @Test
  void mailThatWasTakenIsKeptAndAWrongCommandIsNot() throws IOException {
    try (SessionStore store = open()) {
      store.keep(Decisions.with(delivered("bob@example.com"), id(1), now));
      store.keep(turnedAway(Replies.TOO_MANY_SESSIONS, 2));
      store.keep(turnedAway(Reply.of(502, "5.5.1", "Command not implemented"), 3));
      assertEquals("250 2.0.0 Ok: queued as 4F2", found(store, id(1)).decision().reply());
      assertTrue(store.find(id(2)).isPresent());
      assertTrue(store.find(id(3)).isEmpty());
    }
  }

  private DecisionRecord turnedAway(Reply reply, int number) {
    return Decisions.with(
        Decisions.record("203.0.113.7", Outcome.TURNED_AWAY, null, reply, "", null),
        id(number),
        now);
  }

  @Test
  void privacyHoldsInTheFile() throws IOException {
    try (SessionStore store = open(Privacy.NO_LOCALPART, 1 << 30, Thread::new)) {
      keep(store, 1);
      assertEquals("*@spam.example", found(store, id(1)).from());
      assertEquals("*@example.com", found(store, id(1)).decision().to());
    }
    now = now.plus(Duration.ofDays(1));
    try (SessionStore store = open(Privacy.NO_ADDRESSES, 1 << 30, Thread::new)) {
      keep(store, 2);
      assertEquals("*", found(store, id(2)).from());
      assertEquals(List.of(), found(store, id(2)).domains());
    }
    String octets =
        new String(Files.readAllBytes(today()), java.nio.charset.StandardCharsets.ISO_8859_1);
    assertFalse(octets.contains("spam.example\0") || octets.contains("bob"), "an address is in it");
  }

  @Test
  void aRestartKeepsAllAndOnlyTheOwnerReadsIt() throws IOException {
    try (SessionStore store = open()) {
      keep(store, 1);
    }
    try (SessionStore store = open()) {
      keep(store, 2);
      assertTrue(store.find(id(1)).isPresent());
      assertTrue(store.find(id(2)).isPresent());
    }
    assertEquals(
        "rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(today())));
    assertEquals(
        "rwx------",
        PosixFilePermissions.toString(
            Files.getPosixFilePermissions(directory.resolve("sessions"))));
  }

  @Test
  void aDamagedFileIsLeftAloneAndSessionsGoIntoAnother() throws IOException {
    try (SessionStore store = open()) {
      keep(store, 1);
    }
    Path damaged = today();
    try (RandomAccessFile raw = new RandomAccessFile(damaged.toFile(), "rw")) {
      raw.seek(0);
      raw.write(
          "somebody's notes, and nothing that SQLite knows"
              .getBytes(java.nio.charset.StandardCharsets.US_ASCII));
    }
    byte[] before = Files.readAllBytes(damaged);
    try (SessionStore store = open()) {
      keep(store, 2);
      assertTrue(store.find(id(2)).isPresent());
      assertTrue(store.find(id(1)).isEmpty());
      now = now.plus(Duration.ofDays(1));
      keep(store, 3);
      store.tend();
      assertTrue(store.find(id(2)).isPresent(), "the other part of that day");
    }
    assertEquals(-1, java.util.Arrays.mismatch(before, Files.readAllBytes(damaged)));
  }

  @Test
  void eachDayHasAFileAndOldOnesGoAsAWhole() throws IOException {
    try (SessionStore store = open()) {
      for (int day = 0; day < 35; day++) {
        keep(store, day);
        now = now.plus(Duration.ofDays(1));
      }
      now = now.minus(Duration.ofDays(1));
      for (int old = 0; old < 4; old++) {
        store.tend();
        now = now.plus(Duration.ofHours(1));
      }
      now = now.minus(Duration.ofHours(4));
      for (int day = 0; day < 35; day++) {
        // 34 is of today; what is 30 days old is still kept.
        assertEquals(day >= 4, store.find(id(day)).isPresent(), "day " + day);
      }
    }
    assertEquals(31, files(".db"));
  }

  @Test
  void theOldestDaysGoWhenAllTakeTooMuch() throws IOException {
    try (SessionStore store = open(Privacy.FULL, 300_000, Thread::new)) {
      for (int day = 0; day < 20; day++) {
        keep(store, day);
        now = now.plus(Duration.ofDays(1));
        store.tend();
      }
      long octets = store.kept().octets();
      assertTrue(octets <= 300_000, octets + " octets");
      assertTrue(store.find(id(19)).isPresent());
      assertTrue(store.find(id(0)).isEmpty());
      assertNotEquals(0, files(".db"));
    }
  }

  private long files(String suffix) throws IOException {
    try (Stream<Path> all = Files.list(directory.resolve("sessions"))) {
      return all.filter(file -> file.toString().endsWith(suffix)).count();
    }
  }

  @Test
  void aDirectoryThatCannotBeMadeCostsRowsAndIsTriedAgain() throws IOException {
    Path inTheWay = Files.writeString(directory.resolve("sessions"), "a file");
    try (SessionStore store = open()) {
      keep(store, 1);
      keep(store, 2);
      assertEquals(2, store.lost());
      assertFalse(store.trouble().isEmpty());
      Files.delete(inTheWay);
      now = now.plusSeconds(10);
      keep(store, 3);
      assertEquals("", store.trouble());
      assertTrue(store.find(id(3)).isPresent());
    }
  }
}
