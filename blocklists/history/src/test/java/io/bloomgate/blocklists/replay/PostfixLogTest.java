package io.bloomgate.blocklists.replay;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.decision.ClientName;
import io.bloomgate.blocklists.impact.PastSession.Missing;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Sessions in logs of Postfix. */
class PostfixLogTest {

  private static final String DELIVERED =
      """
      Nov 21 07:39:01 mx1 postfix/smtpd[101]: connect from mail.partner.example[203.0.113.9]
      Nov 21 07:39:01 mx1 postfix/smtpd[101]: 4Zf0Q81xZpz9sX: client=mail.partner.example[203.0.113.9]
      Nov 21 07:39:01 mx1 postfix/cleanup[102]: 4Zf0Q81xZpz9sX: message-id=<1@partner.example>
      Nov 21 07:39:01 mx1 postfix/qmgr[103]: 4Zf0Q81xZpz9sX: from=<ann@partner.example>, size=512, nrcpt=2 (queue active)
      Nov 21 07:39:01 mx1 postfix/smtpd[101]: disconnect from mail.partner.example[203.0.113.9] ehlo=1 mail=1 rcpt=2 data=1 quit=1 commands=6
      Nov 21 07:39:02 mx1 postfix/lmtp[104]: 4Zf0Q81xZpz9sX: to=<abuse@example.com>, relay=mx1[/run/lmtp], delay=0.1, delays=0/0/0/0.1, dsn=2.0.0, status=sent (250 2.0.0 saved)
      Nov 21 07:39:02 mx1 postfix/lmtp[104]: 4Zf0Q81xZpz9sX: to=<bob@example.com>, orig_to=<bobby@example.com>, relay=mx1[/run/lmtp], delay=0.1, delays=0/0/0/0.1, dsn=2.0.0, status=sent (250 2.0.0 saved)
      Nov 21 07:39:02 mx1 postfix/qmgr[103]: 4Zf0Q81xZpz9sX: removed
      """;

  @TempDir Path folder;

  private Logs.Read read(String text) throws Exception {
    return new Logs(folder).file("mail.log", text).read();
  }

  @Test
  void aDeliveredMailIsJoinedByItsQueueId() throws Exception {
    Logs.Read read = read(DELIVERED);
    assertEquals(List.of("203.0.113.9 null ann@partner.example bobby ACCEPTED "), read.lines());
    var session = read.sessions().getFirst();
    assertEquals(Instant.parse("2026-11-21T07:39:01Z"), session.at());
    assertEquals("4Zf0Q81xZpz9sX", session.id());
    assertEquals(Set.of(Missing.HELO), session.missing());
    assertEquals(
        new ClientName("mail.partner.example", ClientName.State.CONFIRMED),
        session.facts().seen().name());
    assertEquals(8, read.replay().files().getFirst().understood());
  }

  @Test
  void aRefusedMailIsOneSessionHoweverManyRecipientsItHas() throws Exception {
    String reject =
        "Nov 21 07:40:01 mx1 postfix/smtpd[111]: NOQUEUE: reject: RCPT from unknown[198.51.100.7]:"
            + " 554 5.7.1 Service unavailable; Client host [198.51.100.7] blocked using"
            + " zen.example; https://zen.example/q; from=<%s> to=<%s> proto=ESMTP"
            + " helo=<spam.example>\n";
    Logs.Read read =
        read(
            "Nov 21 07:40:00 mx1 postfix/smtpd[111]: connect from unknown[198.51.100.7]\n"
                + reject.formatted("x@spam.example", "a@example.com")
                + reject.formatted("x@spam.example", "b@example.com")
                + reject.formatted("", "b@example.com")
                + "Nov 21 07:40:02 mx1 postfix/smtpd[111]: disconnect from unknown[198.51.100.7]\n"
                + reject.formatted("x@spam.example", "c@example.com"));
    assertEquals(
        List.of(
            "198.51.100.7 spam.example x@spam.example a REFUSED zen.example",
            "198.51.100.7 spam.example null b REFUSED zen.example",
            "198.51.100.7 spam.example x@spam.example c REFUSED zen.example"),
        read.lines());
  }

  /** A process serves clients one after the other; an extract of a log may lack what is between. */
  @Test
  void anotherClientOfTheSameProcessHasNothingOfTheOneBefore() throws Exception {
    Logs.Read read =
        read(
            "Nov 21 07:38:01 mx1 postfix/smtpd[101]: NOQUEUE: reject: RCPT from"
                + " unknown[198.51.100.7]: 554 5.7.1 Service unavailable; from=<x@spam.example>"
                + " to=<a@example.com> proto=ESMTP helo=<spam.example>\n"
                + DELIVERED.substring(DELIVERED.indexOf('\n') + 1));
    assertEquals(
        List.of(
            "198.51.100.7 spam.example x@spam.example a REFUSED ",
            "203.0.113.9 null ann@partner.example bobby ACCEPTED "),
        read.lines());
  }

  @Test
  void aRefusedRecipientBeforeAnAcceptedOneIsThatMail() throws Exception {
    String refused =
        "Nov 21 07:39:01 mx1 postfix/smtpd[101]: NOQUEUE: reject: RCPT from"
            + " mail.partner.example[203.0.113.9]: 550 5.1.1 <x@example.com>: Recipient address"
            + " rejected: User unknown in local recipient table; from=<%s> to=<x@example.com>"
            + " proto=ESMTP helo=<mail.partner.example>\n";
    String mail = DELIVERED.lines().skip(1).map(line -> line + "\n").reduce("", String::concat);
    assertEquals(
        List.of("203.0.113.9 mail.partner.example ann@partner.example bobby ACCEPTED "),
        read(refused.formatted("ann@partner.example") + mail).lines());
    assertEquals(
        List.of(
            "203.0.113.9 mail.partner.example other@partner.example x OTHER ",
            "203.0.113.9 mail.partner.example ann@partner.example bobby ACCEPTED "),
        read(refused.formatted("other@partner.example") + mail).lines());
  }

  @Test
  void postscreenRefusesByClientAndPort() throws Exception {
    assertEquals(
        List.of(
            "2001:db8::7 spam.example x@spam.example bob REFUSED zen.example",
            "198.51.100.9 null null - OTHER "),
        read("""
        2026-11-21T07:41:00.000001+00:00 mx1 postfix/postscreen[200]: CONNECT from [2001:db8::7]:4711 to [2001:db8::1]:25
        2026-11-21T07:41:01.000001+00:00 mx1 postfix/postscreen[200]: DNSBL rank 5 for [2001:db8::7]:4711
        2026-11-21T07:41:02.000001+00:00 mx1 postfix/postscreen[200]: NOQUEUE: reject: RCPT from [2001:db8::7]:4711: 550 5.7.1 Service unavailable; client [2001:db8::7] blocked using zen.example; from=<x@spam.example>, to=<bob@example.com>, proto=ESMTP, helo=<spam.example>
        2026-11-21T07:41:03.000001+00:00 mx1 postfix/postscreen[200]: NOQUEUE: reject: CONNECT from [198.51.100.9]:99: too many connections
        2026-11-21T07:41:04.000001+00:00 mx1 postfix/postscreen[200]: DISCONNECT [2001:db8::7]:4711
        """)
            .lines());
  }

  @Test
  void ownMailAndMailOfUsersIsLeftOut() throws Exception {
    Logs.Read read =
        read(
            """
            Nov 21 07:39:01 mx1 postfix/submission/smtpd[1]: AAAAAA1: client=home.example[203.0.113.50], sasl_method=PLAIN, sasl_username=ann
            Nov 21 07:39:01 mx1 postfix/qmgr[3]: AAAAAA1: from=<ann@example.com>, size=1, nrcpt=1 (queue active)
            Nov 21 07:39:02 mx1 postfix/smtp[4]: AAAAAA1: to=<x@partner.example>, relay=a[203.0.113.9]:25, delay=1, delays=0/0/0/1, dsn=2.0.0, status=sent (250 ok)
            Nov 21 07:39:02 mx1 postfix/qmgr[3]: AAAAAA1: removed
            Nov 21 07:39:03 mx1 postfix/pickup[5]: BBBBBB1: uid=0 from=<root>
            Nov 21 07:39:03 mx1 postfix/qmgr[3]: BBBBBB1: from=<root@example.com>, size=1, nrcpt=1 (queue active)
            Nov 21 07:39:03 mx1 postfix/qmgr[3]: BBBBBB1: removed
            Nov 21 07:39:04 mx1 postfix/smtpd[6]: CCCCCC1: client=localhost[127.0.0.1]
            Nov 21 07:39:04 mx1 postfix/qmgr[3]: CCCCCC1: from=<a@b.example>, size=1, nrcpt=1 (queue active)
            Nov 21 07:39:04 mx1 postfix/qmgr[3]: CCCCCC1: removed
            Nov 21 07:39:04 mx1 dovecot: imap-login: Login: user=<ann>
            """);
    assertEquals(List.of(), read.lines());
    assertEquals(3, read.replay().withoutClient());
    assertEquals(10, read.replay().files().getFirst().understood());
    assertEquals(11, read.replay().files().getFirst().lines());
  }

  @Test
  void howAMailEndedDecidesItsOutcome() throws Exception {
    String begin =
        """
        Nov 21 07:39:0%1$d mx1 postfix/smtpd[%1$d]: connect from unknown[203.0.113.%1$d]
        Nov 21 07:39:0%1$d mx1 postfix/smtpd[%1$d]: 10000%1$d: client=unknown[203.0.113.%1$d]
        """;
    String queued =
        """
        Nov 21 07:39:0%1$d mx1 postfix/cleanup[9]: 10000%1$d: message-id=<>
        Nov 21 07:39:0%1$d mx1 postfix/qmgr[9]: 10000%1$d: from=<a@b.example>, size=1, nrcpt=1 (queue active)
        """;
    String status =
        "Nov 21 07:39:0%1$d mx1 postfix/smtp[9]: 10000%1$d: to=<bob@example.com>, relay=none,"
            + " delay=1, delays=0/0/0/1, dsn=5.0.0, status=%2$s (said: 550 no, status=sent )\n";
    String removed = "Nov 21 07:39:0%1$d mx1 postfix/qmgr[9]: 10000%1$d: removed\n";
    Logs.Read read =
        read(
            (begin + queued + status + removed).formatted(1, "bounced")
                + (begin + queued + status).formatted(2, "deferred")
                + (begin
                        + "Nov 21 07:39:03 mx1 postfix/smtpd[%1$d]: disconnect from"
                        + " unknown[203.0.113.3]\n")
                    .formatted(3)
                + begin.formatted(4)
                + "Nov 21 07:39:04 mx1 postfix/cleanup[9]: 100004: milter-reject: END-OF-MESSAGE"
                + " from unknown[203.0.113.4]: 5.7.1 Spam; from=<a@b.example> to=<bob@example.com>"
                + " proto=ESMTP helo=<spam.example>\n");
    assertEquals(
        List.of(
            "203.0.113.1 null a@b.example bob OTHER ",
            "203.0.113.2 null a@b.example bob ACCEPTED ",
            "203.0.113.3 null null - OTHER ",
            "203.0.113.4 spam.example a@b.example bob REFUSED milter"),
        read.lines());
  }

  @Test
  void rotatedFilesAreReadInTheOrderOfTheirTimesAcrossNewYear() throws Exception {
    String[] lines = DELIVERED.replace("Nov 21", "Jan  1").split("\n", -1);
    String older = DELIVERED.replace("Nov 21", "Dec 31").replace("4Zf0Q81xZpz9sX", "OLDER1");
    String first = older + lines[0] + "\n" + lines[1] + "\n";
    String second = String.join("\n", List.of(lines).subList(2, lines.length));
    Logs logs = new Logs(folder);
    logs.file("mail.log", second);
    logs.octets("mail.log.1.gz", Logs.gzip(first));
    Logs.Read read = logs.read();
    assertEquals(2, read.sessions().size(), read.lines()::toString);
    assertEquals(Instant.parse("2025-12-31T07:39:01Z"), read.sessions().getFirst().at());
    assertEquals(Instant.parse("2026-01-01T07:39:01Z"), read.sessions().getLast().at());
    assertTrue(
        Objects.requireNonNull(read.replay().files().getFirst().path().getFileName())
            .toString()
            .endsWith(".gz"));
    assertEquals(1, logs.read(Instant.parse("2026-01-01T00:00:00Z")).sessions().size());
  }

  @Test
  void aQueueIdThatIsUsedAgainIsAnotherMail() throws Exception {
    String[] lines = DELIVERED.split("\n", -1);
    String cut = String.join("\n", List.of(lines).subList(0, 7)) + "\n";
    assertEquals(2, read(cut + DELIVERED.replace("203.0.113.9", "203.0.113.10")).lines().size());
  }
}
