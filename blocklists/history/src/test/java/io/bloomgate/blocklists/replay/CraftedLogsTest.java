package io.bloomgate.blocklists.replay;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.impact.PastSession;
import io.bloomgate.blocklists.impact.PastSession.Outcome;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whole lines of logs with numbers, texts and connections that an attacker chose. */
class CraftedLogsTest {

  private static final LogClock CLOCK = new LogClock(Logs.WRITTEN, ZoneOffset.UTC);

  private static final String ROW =
      """
      {"ip":"203.0.113.9","unix_time":%s,"sender_smtp":"a@b.example","action":"no action"}\
      """;

  /** Numbers that JSON allows; 0.5 seconds is the only time among them. */
  private static final List<String> TIMES =
      List.of(
          "1e2147483647",
          "-1e2147483647",
          "1e2147483648",
          "1e-2147483648",
          "0e2147483647",
          "1e999999999",
          "1e18",
          "-1",
          "253402300800",
          "9".repeat(40),
          "0.5");

  private static final String SCREEN = "Nov 21 07:40:01 mx1 postfix/postscreen[200]: ";

  private static final String REFUSED =
      SCREEN
          + "NOQUEUE: reject: RCPT from [198.51.100.7]:%d: 550 5.7.1 Service unavailable; client"
          + " [198.51.100.7] blocked using zen.example; from=<%s>, to=<%s>, proto=ESMTP, helo=<%s>";

  @TempDir Path folder;

  private static List<PastSession> sessions(List<LoggedMail> mails) {
    return mails.stream().map(LoggedMail::session).flatMap(Optional::stream).toList();
  }

  @Test
  void aRowWithATimeThatNoClockShowsIsNotUnderstood() throws Exception {
    List<String> rows = TIMES.stream().map(ROW::formatted).toList();
    String array = "[" + String.join(",\n", rows) + "]";
    for (String text : List.of(array, "{\"rows\": " + array + "}", String.join("\n", rows))) {
      Logs.Read read = new Logs(folder).file("history.json", text).read();
      LogReplay.FileSummary file = read.replay().files().getFirst();
      assertEquals("", file.problem());
      assertEquals(TIMES.size(), file.lines());
      assertEquals(1, file.understood());
      assertEquals(Instant.ofEpochMilli(500), read.sessions().getFirst().at());
    }
  }

  @Test
  void rowsOfTheFutureAreLeftOutAndCounted() throws Exception {
    List<String> rows =
        List.of("17309188800", String.valueOf(Logs.WRITTEN.getEpochSecond())).stream()
            .map(ROW::formatted)
            .toList();
    Logs.Read read =
        new Logs(folder).file("history.json", String.join("\n", rows)).read(Instant.EPOCH);
    assertEquals(List.of(Logs.WRITTEN), read.sessions().stream().map(PastSession::at).toList());
    assertEquals(1, read.replay().ofFuture());
    assertEquals(2, read.replay().files().getFirst().understood());
  }

  /** A refusal before and behind the number of its connection. */
  private static String[] aroundNumber(String from, String to, String helo) {
    return REFUSED.formatted(-1, from, to, helo).split("-1", 2);
  }

  @Test
  void refusalsOfConnectionsWithoutAnEndAllCount() {
    List<LoggedMail> mails = new ArrayList<>();
    PostfixLog log = new PostfixLog(mails::add);
    int refusals = OpenMails.MAX_OPEN + 1_000;
    String[] abuse = aroundNumber("x@spam.example", "abuse@example.com", "h.example");
    String[] bob = aroundNumber("x@spam.example", "bob@example.com", "h.example");
    for (int i = 0; i < refusals; i++) {
      log.line(abuse[0] + i + abuse[1], CLOCK);
      log.line(bob[0] + i + bob[1], CLOCK);
    }
    log.end();
    assertEquals(0, log.givenUp);
    assertEquals(refusals, mails.size());
    for (PastSession session : sessions(mails)) {
      assertEquals(Outcome.REFUSED, session.outcome());
      assertEquals("bob", Objects.requireNonNull(session.facts().recipient()).localPart());
    }
  }

  @Test
  void refusalsWithLongTextsNeedLittleMemory() {
    long[] count = new long[1];
    PostfixLog log =
        new PostfixLog(mail -> {
          var facts = mail.session().orElseThrow().facts();
          assertEquals("?.spam.example", String.valueOf(facts.helo()));
          assertEquals("spam.example", String.valueOf(facts.senderDomain()));
          count[0]++;
        });
    String many = "\u0436".repeat(4_000);
    int refusals = 4_000; // 200 MB of text
    String[] line = aroundNumber(many + "@spam.example", many + "@x", many + ".spam.example");
    long before = usedOctets();
    for (int i = 0; i < refusals; i++) {
      log.line(line[0] + i + line[1], CLOCK);
    }
    assertTrue(usedOctets() - before < 50 << 20, "what is kept of a refusal is short");
    log.end();
    assertEquals(0, log.givenUp);
    assertEquals(refusals, count[0]);
  }

  private static long usedOctets() {
    System.gc();
    return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
  }

  @Test
  void postscreenNamesTheEndOfAConnection() {
    List<LoggedMail> mails = new ArrayList<>();
    PostfixLog log = new PostfixLog(mails::add);
    log.line(REFUSED.formatted(1, "x@spam.example", "bob@example.com", "h.example"), CLOCK);
    assertEquals(0, mails.size());
    log.line(SCREEN + "DISCONNECT [198.51.100.7]:1", CLOCK);
    assertEquals(1, mails.size());
    log.line(SCREEN + "NOQUEUE: reject: CONNECT from [198.51.100.7]:2: too many", CLOCK);
    assertEquals(2, mails.size());
    log.end();
    assertEquals(2, mails.size());
  }

  @Test
  void aRefusalBeforeAMailThatIsGivenUpCounts() {
    List<LoggedMail> mails = new ArrayList<>();
    PostfixLog log = new PostfixLog(mails::add);
    String smtpd = "Nov 21 07:40:01 mx1 postfix/smtpd[%d]: ";
    log.line(
        (smtpd
                    + "NOQUEUE: reject: RCPT from unknown[198.51.100.7]: 550 5.1.1 no;"
                    + " from=<a@b.example>")
                .formatted(0)
            + " to=<x@example.com> proto=ESMTP helo=<h.example>",
        CLOCK);
    for (int i = 0; i <= OpenMails.MAX_OPEN; i++) {
      String id = "A" + (100_000 + i);
      log.line((smtpd + id + ": client=unknown[203.0.113.9]").formatted(i), CLOCK);
    }
    assertEquals(1, log.givenUp);
    assertEquals(List.of("a@b.example"), senders(mails));
  }

  private static List<String> senders(List<LoggedMail> mails) {
    return sessions(mails).stream().map(s -> s.facts().sender().getFirst().toString()).toList();
  }

  /** The beginning of a line of Haraka, up to the number of a connection. */
  private static String haraka(int connection) {
    return "2026-11-21T07:39:00.200Z [NOTICE] [D33D6290-C923-4DAC-A4B4-%012d".formatted(connection);
  }

  @Test
  void connectionsOfHarakaWithoutAnEndAreCountedByTheirMails() {
    HarakaLog log = new HarakaLog(mail -> {});
    int connections = OpenMails.MAX_OPEN + 1_000;
    for (int c = 0; c < connections; c++) {
      String sender = ".1] [core] sender <a@b.example> code=CONT msg=\"\"";
      log.line(haraka(c) + sender, CLOCK);
    }
    assertTrue(log.givenUp >= 1_000, log.givenUp + " mails");
    log.end();
    assertEquals(connections, log.givenUp);
  }

  @Test
  void aLongRecipientIsNoneThatListsNeverRefuse() throws Exception {
    String to = "\"abuse@" + "x".repeat(4_000) + "@example.com\",\"bob@example.com\"";
    String row =
        ROW.formatted("0.5").replace("\"action\"", "\"rcpt_smtp\":[" + to + "],\"action\"");
    Logs.Read read = new Logs(folder).file("history.json", "[" + row + "]").read();
    var recipient = Objects.requireNonNull(read.sessions().getFirst().facts().recipient());
    assertEquals("abuse@" + "x".repeat(LogText.MAX_PATH - 5), recipient.localPart());
  }

  @Test
  void theNameOfAListIsShort() {
    assertEquals(List.of("zen.example"), Refusal.of("blocked using zen.example;.:, x").lists());
    String endless = "blocked using " + ".".repeat(16_000) + "x";
    assertEquals(LogText.MAX_DOMAIN + 1, Refusal.of(endless).lists().getFirst().length());
  }
}
