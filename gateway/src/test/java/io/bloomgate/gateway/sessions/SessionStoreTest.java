package io.bloomgate.gateway.sessions;

import static io.bloomgate.gateway.testkit.Texts.assertHas;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.decision.Stage;
import io.bloomgate.blocklists.decision.Verdict;
import io.bloomgate.blocklists.sessions.Evidence;
import io.bloomgate.blocklists.sessions.Outcome;
import io.bloomgate.blocklists.sessions.SessionDays;
import io.bloomgate.config.settings.LogSettings.Privacy;
import io.bloomgate.gateway.log.DecisionRecord;
import io.bloomgate.gateway.log.Decisions;
import io.bloomgate.gateway.smtp.Replies;
import io.bloomgate.gateway.smtp.Reply;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What happened to a session is found again, whatever happened since. */
final class SessionStoreTest extends StoreFixture {

  private static final Verdict LISTED = Decisions.rejectedBy("drop", "203.0.113.0/24", CLIENT);

  private static Evidence.Listing listing(Evidence session) {
    return session.decision().deciding().orElseThrow();
  }

  @Test
  void aRefusalIsFoundWithAllItsParts() throws IOException {
    try (SessionStore store = open()) {
      refuse(store, 7);
      Evidence found = found(store, 7);
      assertEquals(CLIENT, found.client().toString());
      assertEquals("203.0.113.0/24", listing(found).entry());
      assertEquals("drop", listing(found).list());
      assertEquals(17, listing(found).line());
      assertEquals("client_ip", listing(found).check().key());
      assertEquals(CLIENT, listing(found).subject());
      assertEquals(412, found.decision().generation());
      assertEquals("a@spam.example", found.from());
      assertEquals("bob@example.com", found.decision().to());
      assertEquals(List.of("example.com"), found.domains());
      assertEquals("reject", found.decision().verdict());
      assertEquals(554, found.decision().code());
      assertHas(found.decision().reply(), "[203.0.113.7]");
      assertEquals(now, found.at());
      assertEquals(12, found.took().toMillis());
    }
  }

  @Test
  void whoWasJustRefusedMayAskAtOnce() throws IOException {
    try (SessionStore store = open()) {
      for (int i = 1; i <= 5; i++) {
        store.keep(Decisions.with(Decisions.refused(CLIENT, "drop"), id(i), now));
        assertTrue(isKept(store, i), id(i));
      }
    }
  }

  /** A disk that is behind for good, behind a queue that is full. */
  @Test
  void aQuestionIsAnsweredHoweverFarTheDiskIsBehind() throws IOException {
    try (SessionStore store = open()) {
      refuse(store, 7);
    }
    Thread stuck = Thread.ofVirtual().unstarted(() -> {});
    SessionStore store = open(new SessionDays(directory), Privacy.FULL, 1L << 30, _ -> stuck);
    for (int i = 0; i < 40_000; i++) {
      store.keep(Decisions.with(Decisions.refused(CLIENT, "drop"), id(100 + i), now));
    }
    assertTrue(isKept(store, 7));
    assertFalse(isKept(store, 100));
  }

  /** Mail that mode observe lets pass has an answer on each recipient and one on the message. */
  @Test
  void aTransactionIsOneRowAndEachOfItsIdsFindsIt() throws IOException {
    try (SessionStore store = open()) {
      Object mark = new Object();
      store.keep(of(mark, listed(Outcome.WOULD_REFUSE, "bob@example.com"), 1));
      store.keep(of(mark, listed(Outcome.WOULD_REFUSE, "eve@example.org"), 2));
      store.keep(of(mark, delivered(LISTED, "bob@example.com", "eve@example.org"), 3));
      assertEquals(1, all(store).size());
      Evidence whole = all(store).getFirst();
      assertEquals(Outcome.DELIVERED, whole.decision().outcome());
      assertEquals(2, whole.recipients());
      assertEquals(List.of("example.com", "example.org"), whole.domains());
      assertEquals(4096, whole.sizeOctets());
      assertEquals(Outcome.DELIVERED, found(store, 3).decision().outcome());
      assertEquals(Outcome.WOULD_REFUSE, found(store, 1).decision().outcome());
      assertEquals("bob@example.com", found(store, 1).decision().to());
      Evidence second = found(store, 2);
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
      store.keep(
          of(mark, Decisions.at(Stage.DATA, listed(Outcome.WOULD_REFUSE, "bob@example.com")), 1));
      store.keep(of(mark, delivered(LISTED, "bob@example.com"), 2));
      assertEquals(1, all(store).size());
      assertEquals(Outcome.DELIVERED, all(store).getFirst().decision().outcome());
    }
  }

  @Test
  void mailThatWasTakenIsKeptAndAWrongCommandIsNot() throws IOException {
    try (SessionStore store = open()) {
      store.keep(Decisions.with(delivered(LISTED, "bob@example.com"), id(1), now));
      store.keep(turnedAway(Replies.TOO_MANY_SESSIONS, 2));
      store.keep(turnedAway(Reply.of(502, "5.5.1", "Command not implemented"), 3));
      assertEquals("250 2.0.0 Ok: queued as 4F2", found(store, 1).decision().reply());
      assertTrue(isKept(store, 2));
      assertFalse(isKept(store, 3));
    }
  }

  private DecisionRecord turnedAway(Reply reply, int number) {
    return Decisions.with(
        Decisions.record(CLIENT, Outcome.TURNED_AWAY, null, reply, "", null), id(number), now);
  }

  @Test
  void aRestartKeepsAllAndOnlyTheOwnerReadsIt() throws IOException {
    try (SessionStore store = open()) {
      refuse(store, 1);
    }
    try (SessionStore store = open()) {
      refuse(store, 2);
      assertTrue(isKept(store, 1));
      assertTrue(isKept(store, 2));
    }
    assertEquals(
        "rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(file(now))));
    assertEquals(
        "rwx------",
        PosixFilePermissions.toString(
            Files.getPosixFilePermissions(directory.resolve("sessions"))));
  }

  @Test
  void aDamagedFileIsLeftAloneAndSessionsGoIntoAnother() throws IOException {
    try (SessionStore store = open()) {
      refuse(store, 1);
    }
    Path damaged = file(now);
    try (RandomAccessFile raw = new RandomAccessFile(damaged.toFile(), "rw")) {
      raw.seek(0);
      raw.write(
          "somebody's notes, and nothing that SQLite knows"
              .getBytes(java.nio.charset.StandardCharsets.US_ASCII));
    }
    byte[] before = Files.readAllBytes(damaged);
    try (SessionStore store = open()) {
      refuse(store, 2);
      assertTrue(isKept(store, 2));
      assertFalse(isKept(store, 1));
      now = now.plus(Duration.ofDays(1));
      refuse(store, 3);
      store.tend();
      assertTrue(isKept(store, 2), "the other part of that day");
    }
    assertEquals(-1, java.util.Arrays.mismatch(before, Files.readAllBytes(damaged)));
  }

  @Test
  void eachDayHasAFileAndOldOnesGoAsAWhole() throws IOException {
    try (SessionStore store = open()) {
      for (int day = 0; day < 35; day += 2) {
        refuse(store, day);
        now = now.plus(Duration.ofDays(2));
      }
      now = now.minus(Duration.ofDays(2));
      for (int old = 0; old < 4; old++) {
        store.tend();
        now = now.plus(Duration.ofHours(1));
      }
      now = now.minus(Duration.ofHours(4));
      for (int day = 0; day < 35; day += 2) {
        // 34 is of today; what is 30 days old is still kept.
        assertEquals(day >= 4, isKept(store, day), "day " + day);
      }
    }
    assertEquals(16, files());
  }

  @Test
  void theOldestDaysGoWhenAllTakeTooMuch() throws IOException {
    try (SessionStore store = open(Privacy.FULL, 300_000)) {
      for (int day = 0; day < 20; day++) {
        refuse(store, day);
        now = now.plus(Duration.ofDays(1));
        store.tend();
      }
      long octets = store.kept().octets();
      assertTrue(octets <= 300_000, octets + " octets");
      assertTrue(isKept(store, 19));
      assertFalse(isKept(store, 0));
      assertNotEquals(0, files());
    }
  }

  @Test
  void aDirectoryThatCannotBeMadeCostsRowsAndIsTriedAgain() throws IOException {
    Path inTheWay = Files.writeString(directory.resolve("sessions"), "a file");
    try (SessionStore store = open()) {
      refuse(store, 1);
      refuse(store, 2);
      assertEquals(2, store.lost());
      assertFalse(store.trouble().isEmpty());
      Files.delete(inTheWay);
      now = now.plusSeconds(10);
      refuse(store, 3);
      assertEquals("", store.trouble());
      assertTrue(isKept(store, 3));
    }
  }

  @Test
  void bothSpellingsOfADomainFindIt() throws IOException {
    try (SessionStore store = open()) {
      store.keep(
          Decisions.with(
              Decisions.record(
                  CLIENT,
                  Outcome.DELIVERED,
                  Decisions.accepted(),
                  Reply.of(250, "2.0.0", "Ok"),
                  "client.example",
                  "x@B\u00fccher.example",
                  "bob@K\u00f6ln.example",
                  "eve@xn--bcher-kva.example"),
              id(1),
              now));
      assertTrue(store.awaitWritten());
      found(store);
      now = now.plus(Duration.ofDays(1));
      refuse(store, 2);
      now = Decisions.NOW;
      found(store);
    }
  }

  private void found(SessionStore store) throws IOException {
    for (String domain : new String[] {"b\u00fccher.example", "xn--bcher-kva.example"}) {
      assertEquals(1, asked(store, null, null, domain), domain);
      assertEquals(1, asked(store, null, null, "x@" + domain), domain);
      assertEquals(1, asked(store, null, domain, null), domain);
    }
    assertEquals(1, asked(store, null, null, ".example"));
    for (String domain : new String[] {"K\u00d6LN.example", "xn--kln-sna.example"}) {
      assertEquals(1, asked(store, null, domain, null), domain);
      assertEquals(1, asked(store, null, "bob@" + domain, null), domain);
    }
  }
}
