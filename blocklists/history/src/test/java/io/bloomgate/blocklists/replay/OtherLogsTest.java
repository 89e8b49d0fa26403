package io.bloomgate.blocklists.replay;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Sessions in logs of Exim and Haraka, and in histories of rspamd. */
class OtherLogsTest {

  private static final String HARAKA =
      """
      2026-11-21T07:39:00.100Z [NOTICE] [D33D6290-C923-4DAC-A4B4-D0E7B8FAF010] [core] connect ip=203.0.113.9 port=53245 local_ip=:: local_port=25
      2026-11-21T07:39:00.200Z [NOTICE] [D33D6290-C923-4DAC-A4B4-D0E7B8FAF010.1] [core] sender <ann@partner.example> code=CONT msg=""
      2026-11-21T07:39:00.300Z [NOTICE] [D33D6290-C923-4DAC-A4B4-D0E7B8FAF010.1] [core] recipient <bob@example.com> code=OK msg="" sender=ann@partner.example
      2026-11-21T07:39:00.400Z [NOTICE] [D33D6290-C923-4DAC-A4B4-D0E7B8FAF010.1] [core] message mid=<1@partner.example> size=451 rcpts=1/0/0 delay=0.009 code=CONT msg=""
      2026-11-21T07:39:00.500Z [NOTICE] [D33D6290-C923-4DAC-A4B4-D0E7B8FAF010.1] [core] queue code=OK msg="Message Queued (D33D6290-C923-4DAC-A4B4-D0E7B8FAF010.1)"
      2026-11-21T07:39:00.600Z [NOTICE] [D33D6290-C923-4DAC-A4B4-D0E7B8FAF010.2] [core] recipient <nobody@example.com> code=DENY msg="" sender=eve@partner.example
      2026-11-21T07:39:00.700Z [NOTICE] [D33D6290-C923-4DAC-A4B4-D0E7B8FAF010] [core] disconnect ip=203.0.113.9 rdns=mail.partner.example helo=mail.partner.example relay=N early=N esmtp=Y tls=Y pipe=N errors=0 txns=2 rcpts=1/0/1 msgs=1/0/0 bytes=451 lr="550 I cannot deliver mail for <nobody@example.com>" time=2.304
      2026-11-21T07:40:00.000Z [INFO] [37BC2662-3E7C-4A0C-BAF7-4EE88C25D3A2] [core]  hook=connect plugin=dnsbl function=connect params="" retval=DENY msg="host [198.51.100.7] is listed"
      2026-11-21T07:40:00.100Z [NOTICE] [37BC2662-3E7C-4A0C-BAF7-4EE88C25D3A2] [core] disconnect ip=198.51.100.7 rdns=NXDOMAIN helo="" relay=N early=N esmtp=N tls=N pipe=N errors=0 txns=0 rcpts=0/0/0 msgs=0/0/0 bytes=0 lr="554 host is on a list" time=0.1
      2026-11-21T07:41:00.000Z [NOTICE] [59AF050A-9DE2-4117-B09F-8A70AC881E66.1] [core] sender <ann@example.com> code=CONT msg=""
      2026-11-21T07:41:00.100Z [NOTICE] [59AF050A-9DE2-4117-B09F-8A70AC881E66] [core] disconnect ip=203.0.113.50 rdns=x helo=[192.168.0.54] relay=Y early=N esmtp=Y tls=Y pipe=N errors=0 txns=1 rcpts=1/0/0 msgs=1/0/0 bytes=451 lr="" time=2.304
      2026-11-21T07:42:00.000Z [INFO] [-] [server] client request
      """;

  private static final String EXIM =
      """
      2026-11-21 07:39:01 1tDxyz-000abc-1A <= ann@partner.example H=mail.partner.example [203.0.113.9]:53245 P=esmtps X=TLS1.3 S=1234 id=1@partner.example
      2026-11-21 07:39:01 1tDxyz-000abc-1A => bob <bob@example.com> R=local_user T=maildir_home
      2026-11-21 07:39:01 1tDxyz-000abc-1A Completed
      2026-11-21 07:39:02 [4711] 1tDxyz-00000000abc-1A2B <= <> H=(helo.bulk.example) [198.51.100.8] P=esmtp S=1
      2026-11-21 07:39:02 [4711] 1tDxyz-00000000abc-1A2B ** eve@example.com R=local_user T=lmtp: 550 no such user
      2026-11-21 07:39:02 [4711] 1tDxyz-00000000abc-1A2B Completed
      2026-11-21 07:39:03 H=host.bulk.example ([198.51.100.7]) [198.51.100.7]:1234 F=<x@bulk.example> rejected RCPT <a@example.com>: 198.51.100.7 is listed at zen.example (127.0.0.2)
      2026-11-21 07:39:03 H=host.bulk.example ([198.51.100.7]) [198.51.100.7]:1234 F=<x@bulk.example> rejected RCPT <b@example.com>: 198.51.100.7 is listed at zen.example (127.0.0.2)
      2026-11-21 07:39:04 H=[2001:db8::9] F=<x@bulk.example> temporarily rejected RCPT <b@example.com>: greylisted
      2026-11-21 07:39:05 1tDxya-000abc-1A <= ann@example.com H=home.example [203.0.113.50] P=esmtpsa A=plain:ann S=1
      2026-11-21 07:39:05 1tDxya-000abc-1A => x@partner.example R=dnslookup T=remote_smtp H=mail.partner.example [203.0.113.9]
      2026-11-21 07:39:05 1tDxya-000abc-1A Completed
      2026-11-21 07:39:06 1tDxyb-000abc-1A <= root@example.com U=root P=local S=1
      2026-11-21 07:39:06 1tDxyb-000abc-1A Completed
      2026-11-21 07:39:07 1tDxyc-000abc-1A H=(bulk) [198.51.100.6] F=<y@bulk.example> rejected after DATA: spam
      2026-11-21 07:39:08 Start queue run: pid=1
      """;

  private static final String ROW =
      """
      {"ip":"%s","unix_time":1795246741.25,"sender_smtp":"%s","rcpt_smtp":["abuse@example.com","bob@example.com"],"action":"%s","user":"%s","message-id":"1@x","symbols":{"A":{"score":1.0}}}\
      """;

  @TempDir Path folder;

  private Logs.Read read(String name, String text) throws Exception {
    return new Logs(folder).file(name, text).read();
  }

  @Test
  void harakaNamesClientAndHeloWhenTheConnectionEnds() throws Exception {
    Logs.Read read = read("haraka.log", HARAKA);
    assertEquals(
        List.of(
            "203.0.113.9 mail.partner.example ann@partner.example bob ACCEPTED ",
            "203.0.113.9 mail.partner.example eve@partner.example nobody OTHER ",
            "198.51.100.7 null null - REFUSED dnsbl"),
        read.lines());
    assertEquals(LogFormat.HARAKA, read.replay().files().getFirst().format());
    assertEquals(11, read.replay().files().getFirst().understood());
    assertEquals(1, read.replay().withoutClient());
  }

  @Test
  void harakaBehindSyslogIsRead() throws Exception {
    String wrapped = HARAKA.replaceAll("(?m)^2026-11-21T(\\S{8})\\S+", "Nov 21 $1 mx1 haraka[12]:");
    assertEquals(3, read("haraka.log", wrapped).sessions().size());
  }

  @Test
  void eximNamesHeloOfEveryMail() throws Exception {
    Logs.Read read = read("mainlog", EXIM);
    assertEquals(
        List.of(
            "203.0.113.9 mail.partner.example ann@partner.example bob ACCEPTED ",
            "198.51.100.8 helo.bulk.example null eve OTHER ",
            "198.51.100.7 198.51.100.7 x@bulk.example a REFUSED zen.example",
            "2001:db8::9 null x@bulk.example b PUT_OFF ",
            "198.51.100.6 null y@bulk.example - REFUSED "),
        read.lines());
    assertEquals(LogFormat.EXIM, read.replay().files().getFirst().format());
    assertEquals(2, read.replay().withoutClient());
  }

  @Test
  void aHistoryOfRspamdIsReadInEachOfItsLayouts() throws Exception {
    String rows =
        String.join(
            ",\n",
            ROW.formatted("203.0.113.9", "ann@partner.example", "no action", "unknown"),
            ROW.formatted("198.51.100.7", "", "reject", "unknown"),
            ROW.formatted("203.0.113.50", "ann@example.com", "no action", "ann"));
    List<String> expected =
        List.of(
            "203.0.113.9 null ann@partner.example bob ACCEPTED ",
            "198.51.100.7 null null bob REFUSED rspamd");
    for (String text :
        List.of(
            "[" + rows + "]",
            "{\"version\": 2, \"rows\": [" + rows + "]}",
            "{\n  \"rows\": [\n" + rows + "\n]}",
            rows.replace(",\n", "\n") + "\n")) {
      Logs.Read read = read("history.json", text);
      assertEquals(expected, read.lines(), text);
      assertEquals(Instant.ofEpochMilli(1795246741250L), read.sessions().getFirst().at());
      assertEquals(3, read.replay().files().getFirst().understood());
      assertEquals("", read.replay().files().getFirst().problem());
    }
  }

  @Test
  void aHistoryThatIsCutCountsAsFarAsItGoes() throws Exception {
    String row = ROW.formatted("203.0.113.9", "ann@partner.example", "no action", "unknown");
    Logs.Read read = read("history.json", "[" + row + "," + row.substring(0, 60));
    assertEquals(1, read.sessions().size());
    assertTrue(
        read.replay().files().getFirst().problem().startsWith("line 1, column "),
        read.replay().files()::toString);
  }
}
