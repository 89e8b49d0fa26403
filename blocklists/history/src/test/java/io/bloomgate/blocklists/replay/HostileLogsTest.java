package io.bloomgate.blocklists.replay;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Logs that are cut, binary, endless or written by an attacker. */
class HostileLogsTest {

  private static final String MAIL =
      """
      Nov 21 07:39:01 mx1 postfix/smtpd[101]: %1$s: client=unknown[203.0.113.9]
      Nov 21 07:39:01 mx1 postfix/cleanup[102]: %1$s: message-id=<1@partner.example>
      Nov 21 07:39:01 mx1 postfix/qmgr[103]: %1$s: from=<ann@partner.example>, size=512, nrcpt=1 (queue active)
      Nov 21 07:39:02 mx1 postfix/lmtp[104]: %1$s: to=<bob@example.com>, relay=none, delay=0.1, delays=0/0/0/0.1, dsn=2.0.0, status=sent (250 saved)
      Nov 21 07:39:02 mx1 postfix/qmgr[103]: %1$s: removed
      """;

  private static final List<String> LINES =
      List.of(
          MAIL.formatted("AAAAAA"),
          "Nov 21 07:40:01 mx1 postfix/smtpd[111]: NOQUEUE: reject: RCPT from"
              + " unknown[198.51.100.7]: 554 5.7.1 Service unavailable; Client host [198.51.100.7]"
              + " blocked using zen.example; from=<x@spam.example> to=<a@example.com> proto=ESMTP"
              + " helo=<spam.example>\n",
          "2026-11-21 07:39:01 1tDxyz-000abc-1A <= ann@partner.example H=a (b) [203.0.113.9]:53245"
              + " P=esmtps S=1\n",
          "2026-11-21 07:39:03 H=b ([198.51.100.7]) [198.51.100.7] F=<x@y.example> rejected RCPT"
              + " <a@example.com>: listed at z\n",
          "2026-11-21T07:39:00.200Z [NOTICE] [D33D6290-C923-4DAC-A4B4-D0E7B8FAF010.1] [core] sender"
              + " <ann@partner.example> code=CONT msg=\"\"\n",
          "2026-11-21T07:39:00.700Z [NOTICE] [D33D6290-C923-4DAC-A4B4-D0E7B8FAF010] [core]"
              + " disconnect ip=203.0.113.9 helo=x relay=N lr=\"550 no\" time=2.304\n",
          "{\"ip\":\"203.0.113.9\",\"unix_time\":1795246741.25,\"sender_smtp\":\"a@b.example\",\"rcpt_smtp\":[\"c@d.example\"],\"action\":\"no"
              + " action\"}\n");

  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void brokenLinesNeverEndTheReading(long seed) throws Exception {
    Random random = new Random(seed);
    StringBuilder text = new StringBuilder(LINES.get(random.nextInt(LINES.size())));
    for (int i = 0; i < 1_500; i++) {
      StringBuilder line = new StringBuilder(LINES.get(random.nextInt(LINES.size())));
      for (int changes = random.nextInt(6); changes > 0; changes--) {
        int at = random.nextInt(line.length());
        switch (random.nextInt(3)) {
          case 0 -> line.setCharAt(at, (char) random.nextInt(256));
          case 1 -> line.delete(at, Math.min(line.length(), at + random.nextInt(40)));
          default -> line.insert(at, "[]<>(): ".charAt(random.nextInt(8)));
        }
        line.append(' ');
      }
      text.append(line);
    }
    Logs.Read read =
        new Logs(folder).octets("mail.log", text.toString().getBytes(ISO_8859_1)).read();
    LogReplay.FileSummary file = read.replay().files().getFirst();
    assertTrue(file.format() != null, "seed " + seed + ": " + file);
    assertTrue(file.understood() <= file.lines(), "seed " + seed + ": " + file);
  }

  @Test
  void noiseIsNoLog() throws Exception {
    byte[] noise = new byte[1 << 16];
    new Random(5).nextBytes(noise);
    Logs.Read read = new Logs(folder).octets("noise", noise).read();
    assertEquals(List.of(), read.sessions());
    LogReplay.FileSummary file = read.replay().files().getFirst();
    assertNull(file.format());
    assertEquals("no log of a mail server that is known", file.problem());
  }

  @Test
  void anEmptyLogIsRead() throws Exception {
    Logs.Read read =
        new Logs(folder).file("mail.log", "").file("mail.log.1", MAIL.formatted("AAAAAA")).read();
    assertEquals(1, read.sessions().size());
    for (LogReplay.FileSummary file : read.replay().files()) {
      assertEquals("", file.problem());
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 8, 50})
  void aShortPackedLogThatIsCutCountsAsFarAsItGoes(int missing) throws Exception {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < 60; i++) {
      text.append(MAIL.formatted("A" + Integer.toHexString(0x10000 + i)));
    }
    byte[] packed = Logs.gzip(text.toString());
    Logs.Read read =
        new Logs(folder)
            .octets("mail.log.1.gz", Arrays.copyOf(packed, packed.length - missing))
            .read();
    assertTrue(read.sessions().size() > 40, () -> "read " + read.sessions().size());
    String problem = read.replay().files().getFirst().problem();
    assertTrue(problem.contains("the file ends early"), problem);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Nov 21 07:39:01 mx1 postfix/bloomgate/smtpd[4121]: NOQUEUE: reject: RCPT from"
            + " unknown[203.0.113.7]: 554 5.7.1 Service unavailable; Client host [203.0.113.7]"
            + " blocked using drop [7K3Q9ZT2AB]; from=<a@spam.example> to=<bob@example.com>"
            + " proto=ESMTP helo=<spam.example>",
        "Nov 21 07:39:01 mx1 postfix/smtpd[4121]: NOQUEUE: accept: DATA from"
            + " unknown[203.0.113.7]: 250 2.0.0 Ok; from=<a@b.example> to=<bob@example.com>"
            + " proto=ESMTP helo=<b.example> id=7K3Q9ZT2AB nrcpt=1 size=1 ms=1 outcome=delivered",
        "Nov 21 07:39:01 mx1 bloomgate[77]: NOQUEUE: reject: RCPT from unknown[203.0.113.7]: 554"
            + " 5.7.1 Service unavailable; proto=ESMTP",
        "{\"ts\":\"2026-11-21T07:39:01Z\",\"event\":\"decision\",\"verdict\":\"reject\"}",
        "ts=2026-11-21T07:39:01Z event=decision verdict=reject"
      })
  void theOwnLogIsNamedAndNotRead(String line) throws Exception {
    Logs.Read read = new Logs(folder).file("bg.log", (line + "\n").repeat(320)).read();
    assertEquals(List.of(), read.sessions());
    LogReplay.FileSummary file = read.replay().files().getFirst();
    assertNull(file.format());
    assertTrue(file.problem().contains("Bloomgate's own log"), file.problem());
    assertTrue(file.problem().contains("`bloomgate impact`"), file.problem());
  }

  @Test
  void aLogOfPostfixAndBloomgateIsRead() throws Exception {
    String refused =
        "Nov 21 07:39:01 mx1 postfix/bloomgate/smtpd[4121]: NOQUEUE: reject: RCPT from"
            + " unknown[203.0.113.7]: 554 5.7.1 no; from=<a@b.example> to=<bob@example.com>"
            + " proto=ESMTP helo=<b.example>\n";
    Logs.Read read =
        new Logs(folder).file("mail.log", refused.repeat(300) + MAIL.formatted("AAAAAA")).read();
    assertEquals(LogFormat.POSTFIX, read.replay().files().getFirst().format());
  }

  @Test
  void anEndlessLineIsOneLineThatIsNotUnderstood() throws Exception {
    byte[] endless = new byte[4 << 20];
    Arrays.fill(endless, (byte) 'x');
    byte[] log = MAIL.formatted("AAAAAA").getBytes(ISO_8859_1);
    byte[] both = Arrays.copyOf(log, log.length + endless.length);
    System.arraycopy(endless, 0, both, log.length, endless.length);
    Logs.Read read = new Logs(folder).octets("mail.log", both).read();
    assertEquals(1, read.sessions().size());
    assertEquals(6, read.replay().files().getFirst().lines());
    assertEquals(5, read.replay().files().getFirst().understood());
  }

  @Test
  void mailsThatNeverEndAreGivenUpAndCounted() throws Exception {
    StringBuilder text = new StringBuilder();
    int mails = OpenMails.MAX_OPEN + 1_000;
    for (int i = 0; i < mails; i++) {
      text.append("Nov 21 07:39:01 mx1 postfix/smtpd[").append(i).append("]: A");
      text.append(Integer.toHexString(0x100000 + i)).append(": client=unknown[203.0.113.9]\n");
    }
    Logs.Read read = new Logs(folder).file("mail.log", text.toString()).read();
    assertEquals(OpenMails.MAX_OPEN, read.sessions().size());
    assertEquals(1_000, read.replay().givenUp());
  }

  @Test
  void aMissingFileIsNamed() throws Exception {
    LogReplay replay =
        new LogReplay(
            List.of(folder.resolve("no.log")),
            java.time.Instant.EPOCH,
            Logs.WRITTEN,
            java.time.ZoneOffset.UTC);
    replay.forEach(session -> {});
    assertEquals(1, replay.files().size());
    assertTrue(!replay.files().getFirst().problem().isEmpty());
  }
}
