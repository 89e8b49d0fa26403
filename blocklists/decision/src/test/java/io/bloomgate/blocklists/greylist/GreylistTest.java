package io.bloomgate.blocklists.greylist;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.greylist.Greylist.Visit;
import io.bloomgate.config.name.DomainName;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.settings.GreylistSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Greylisting by a clock that the test sets. */
final class GreylistTest {

  private static final GreylistSettings RULES =
      new GreylistSettings(Duration.ofMinutes(5), Duration.ofHours(24));

  private static final String OURS = "example.com";

  @TempDir Path state;
  private final List<String> alarms = new ArrayList<>();
  private Instant now = Instant.parse("2026-11-23T10:00:00Z");
  private Greylist greylist;

  @BeforeEach
  void begin() {
    killAndStart();
  }

  @AfterEach
  void close() throws IOException {
    greylist.close();
  }

  private Greylist open(int most, Predicate<IpAddress> known) {
    return Greylist.open(state, new SecureRandom(), known, alarms::add, most);
  }

  /** What a kill leaves: what was saved. */
  private void killAndStart() {
    greylist = open(Greylist.MOST_PENDING, client -> false);
  }

  private static IpAddress ip(String text) {
    return IpAddress.parse(text).toOptional().orElseThrow();
  }

  private static DomainName name(String text) {
    return DomainName.parse(text).toOptional().orElseThrow();
  }

  private Visit visit(String client, String sender, String recipient) {
    return greylist.ask(ip(client), name(sender), recipient, RULES, now);
  }

  private Visit visit() {
    return visit("203.0.113.9", "shop.example", OURS);
  }

  private void later(Duration by) {
    now = now.plus(by);
  }

  @Test
  void whoComesAgainInTimeIsLetInAndStaysSo() {
    assertEquals(Visit.FIRST, visit());
    later(Duration.ofMinutes(4));
    assertEquals(Visit.EARLY, visit());
    later(Duration.ofMinutes(1));
    assertEquals(Visit.RETURNED, visit());
    assertEquals(Visit.PASSED, visit());
    later(Duration.ofDays(35));
    assertEquals(Visit.PASSED, visit());
    // The last mail counts, not the first.
    later(Duration.ofDays(35));
    assertEquals(Visit.PASSED, visit());
    later(Duration.ofDays(37));
    assertEquals(Visit.FIRST, visit());
  }

  @Test
  void whoComesTooLateBeginsAgain() {
    assertEquals(Visit.FIRST, visit());
    later(Duration.ofHours(25));
    assertEquals(Visit.FIRST, visit());
    later(Duration.ofHours(23));
    assertEquals(Visit.RETURNED, visit());
  }

  @Test
  void aPoolOfOneNetworkIsOneSenderAndOtherNamesAreOthers() {
    assertEquals(Visit.FIRST, visit("203.0.113.9", "shop.example", OURS));
    assertEquals(Visit.FIRST, visit("2001:db8:1::1", "shop.example", OURS));
    assertEquals(Visit.FIRST, visit("203.0.113.9", "other.example", OURS));
    assertEquals(Visit.FIRST, visit("203.0.113.9", "shop.example", "example.net"));
    assertEquals(Visit.FIRST, greylist.ask(ip("203.0.113.9"), null, OURS, RULES, now));
    later(Duration.ofMinutes(6));
    assertEquals(Visit.RETURNED, visit("203.0.200.77", "shop.example", OURS));
    assertEquals(Visit.RETURNED, visit("2001:db8:ffff::1", "shop.example", OURS));
    assertEquals(Visit.FIRST, visit("203.1.113.9", "shop.example", OURS));
    assertEquals(Visit.RETURNED, greylist.ask(ip("203.0.113.10"), null, OURS, RULES, now));
  }

  @Test
  void knownSendersNeedNotComeAgain() throws IOException {
    greylist.close();
    greylist = open(10, ip("203.0.113.9")::equals);
    assertEquals(Visit.KNOWN, visit());
    assertEquals(Visit.FIRST, visit("203.0.113.10", "shop.example", OURS));
  }

  @Test
  void aKillForgetsNoMoreThanWhatWasNotSaved() {
    assertEquals(Visit.FIRST, visit());
    greylist.save();
    assertEquals(Visit.FIRST, visit("203.0.113.9", "late.example", OURS));
    killAndStart();
    later(Duration.ofMinutes(6));
    assertEquals(Visit.RETURNED, visit());
    assertEquals(Visit.FIRST, visit("203.0.113.9", "late.example", OURS));
    greylist.save();
    killAndStart();
    assertEquals(Visit.PASSED, visit());
    // The next day has another filter, and the one of this day is stored whole.
    later(Duration.ofDays(1));
    assertEquals(Visit.RETURNED.letIn(), visit().letIn());
    greylist.save();
    killAndStart();
    later(Duration.ofDays(35));
    assertEquals(Visit.PASSED, visit());
    assertEquals(List.of(), alarms);
  }

  @Test
  void theFileHasNoNamesAndIsMadeWithTheFirstSender() throws IOException {
    greylist.save();
    assertFalse(Files.exists(state.resolve(Greylist.FILE_NAME)));
    visit();
    greylist.save();
    greylist.close();
    byte[] octets = Files.readAllBytes(state.resolve(Greylist.FILE_NAME));
    assertFalse(new String(octets, ISO_8859_1).contains("shop"));
  }

  @Test
  void aDamagedFileIsMovedAndWhatIsKnownIsStoredAgain() throws IOException {
    visit();
    greylist.save();
    greylist.close();
    Files.writeString(
        state.resolve(Greylist.FILE_NAME), "not a database, but as long as one ".repeat(200));
    killAndStart();
    assertEquals(1, alarms.size(), alarms::toString);
    assertTrue(Files.exists(state.resolve(Greylist.FILE_NAME + ".damaged")));
    assertEquals(Visit.FIRST, visit());
    greylist.save();
    killAndStart();
    later(Duration.ofMinutes(6));
    assertEquals(Visit.RETURNED, visit());
  }

  /** The file has no sums: an octet may be another one. */
  @Test
  void aRowThatWasNeverWrittenSoKeepsNobodyFromStarting() throws Exception {
    visit();
    greylist.save();
    greylist.close();
    String file = "jdbc:sqlite:" + state.resolve(Greylist.FILE_NAME);
    try (Connection open = DriverManager.getConnection(file);
        Statement change = open.createStatement()) {
      change.executeUpdate("UPDATE sender SET place = 5000");
    }
    killAndStart();
    assertEquals(1, alarms.size(), alarms::toString);
    assertEquals(Visit.FIRST, visit());
  }

  @Test
  void aFileThatCannotBeMadeIsAnAlarmUntilItCan() throws IOException {
    Path file = state.resolve(Greylist.FILE_NAME);
    Files.createDirectory(file);
    visit();
    greylist.save();
    greylist.save();
    assertEquals(1, alarms.size(), alarms::toString);
    assertEquals(1, greylist.alarms().size());
    later(Duration.ofMinutes(6));
    assertEquals(Visit.RETURNED, visit());
    Files.delete(file);
    greylist.save();
    assertEquals(List.of(), greylist.alarms());
    killAndStart();
    assertEquals(Visit.PASSED, visit());
  }

  @Test
  void aNetworkThatInventsSendersTakesNoRoomFromOthersAndStillHasToComeAgain() throws IOException {
    greylist.close();
    greylist = open(800, client -> false);
    for (int i = 0; i < 5_000; i++) {
      assertFalse(visit("203.0.113.9", "s" + i + ".example", OURS).letIn());
    }
    assertEquals(101, greylist.sizes().waiting());
    assertEquals(Visit.FIRST, visit("198.51.100.7", "shop.example", OURS));
    later(Duration.ofMinutes(6));
    assertEquals(Visit.RETURNED, visit("203.0.113.9", "s4000.example", OURS));
    assertEquals(Visit.RETURNED, visit("198.51.100.7", "shop.example", OURS));
  }

  @Test
  void sendersThatPassBecauseTheirNetworkCameBackAreNotKept() throws IOException {
    greylist.close();
    greylist = open(800, client -> false);
    for (int i = 0; i < 200; i++) {
      assertFalse(visit("203.0.113.9", "s" + i + ".example", OURS).letIn());
    }
    later(Duration.ofMinutes(6));
    for (int i = 0; i < 5_000; i++) {
      assertEquals(Visit.RETURNED, visit("203.0.113.9", "x" + i + ".example", OURS));
    }
    assertEquals(0, greylist.sizes().passed());
    // Those that had a place are.
    assertEquals(Visit.RETURNED, visit("203.0.113.9", "s7.example", OURS));
    assertEquals(Visit.PASSED, visit("203.0.113.9", "s7.example", OURS));
    assertEquals(1, greylist.sizes().passed());
  }

  @Test
  void savesThatFailForgetNobody() throws IOException {
    Path file = state.resolve(Greylist.FILE_NAME);
    Files.createDirectory(file);
    for (int i = 0; i < 100; i++) {
      assertEquals(Visit.FIRST, visit("203.0.113.9", "s" + i + ".example", OURS));
    }
    later(Duration.ofMinutes(6));
    for (int i = 0; i < 90; i++) {
      assertEquals(Visit.RETURNED, visit("203.0.113.9", "s" + i + ".example", OURS));
      greylist.save();
    }
    Files.delete(file);
    greylist.save();
    for (int i = 90; i < 100; i++) {
      assertEquals(Visit.RETURNED, visit("203.0.113.9", "s" + i + ".example", OURS));
    }
    greylist.save();
    killAndStart();
    for (int i = 0; i < 100; i++) {
      assertEquals(Visit.PASSED, visit("203.0.113.9", "s" + i + ".example", OURS));
    }
    assertEquals(100, greylist.sizes().passed());
  }

  @Test
  void whenAllRoomIsTakenMailPasses() throws IOException {
    greylist.close();
    greylist = open(80, client -> false);
    int passed = 0;
    for (int network = 0; network < 250; network++) {
      passed += visit("20." + network + ".0.1", "a.example", OURS).letIn() ? 1 : 0;
    }
    assertEquals(96, greylist.sizes().waiting());
    assertEquals(250 - 96, passed);
  }

  @Test
  void aClockThatWasSetBackBeginsAgain() {
    assertEquals(Visit.FIRST, visit());
    later(Duration.ofDays(-400));
    assertEquals(Visit.FIRST, visit());
    later(Duration.ofMinutes(6));
    assertEquals(Visit.RETURNED, visit());
  }

  @Test
  void aQuestionSaysWhatAVisitWouldBeAndNotesNone() {
    IpAddress client = ip("203.0.113.7");
    DomainName sender = DomainName.parse("shop.example").toOptional().orElseThrow();
    assertEquals(Visit.FIRST, greylist.standing(client, sender, OURS, RULES, now).next());
    assertEquals(new Greylist.Sizes(0, 0), greylist.sizes());

    final Instant first = now;
    greylist.ask(client, sender, OURS, RULES, now);
    now = now.plus(Duration.ofMinutes(1));
    final Instant end = first.plus(RULES.window());
    assertEquals(
        new Greylist.Standing(Visit.EARLY, first, first.plus(RULES.delay()), end),
        greylist.standing(client, sender, OURS, RULES, now));
    now = now.plus(Duration.ofMinutes(5));
    assertEquals(Visit.RETURNED, greylist.standing(client, sender, OURS, RULES, now).next());
    assertEquals(new Greylist.Sizes(1, 0), greylist.sizes());

    greylist.ask(client, sender, OURS, RULES, now);
    assertEquals(
        new Greylist.Standing(Visit.PASSED, null, null, now.plus(Greylist.REMEMBERED)),
        greylist.standing(client, sender, OURS, RULES, now));
    assertEquals(
        Visit.FIRST, greylist.standing(client, sender, "other.example", RULES, now).next());
  }
}
