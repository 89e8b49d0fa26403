package io.bloomgate.blocklists.replay;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.bloomgate.config.json.Json;
import io.bloomgate.config.json.JsonValue.JsonString;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Logs as containers, journals and syslog servers write them: something is before the own line. */
class WrappedLogsTest {

  private static final String POSTFIX =
      """
      Nov 21 10:00:00 mx postfix/smtpd[101]: connect from mail.partner.example[203.0.113.9]
      Nov 21 10:00:00 mx postfix/smtpd[101]: 4F3A51C0: client=mail.partner.example[203.0.113.9]
      Nov 21 10:00:00 mx postfix/cleanup[102]: 4F3A51C0: message-id=<a1@partner.example>
      Nov 21 10:00:00 mx postfix/qmgr[103]: 4F3A51C0: from=<ann@partner.example>, size=1200, nrcpt=1 (queue active)
      Nov 21 10:00:00 mx postfix/smtpd[101]: disconnect from mail.partner.example[203.0.113.9] ehlo=1 mail=1 rcpt=1 data=1 quit=1 commands=5
      Nov 21 10:00:00 mx postfix/lmtp[104]: 4F3A51C0: to=<bob@example.com>, relay=mx[private/lmtp], delay=0.2, delays=0.1/0/0/0.1, dsn=2.0.0, status=sent (250 2.0.0 saved)
      Nov 21 10:00:00 mx postfix/qmgr[103]: 4F3A51C0: removed
      """;

  private static final String POSTFIX_MAIL = "203.0.113.9 null ann@partner.example bob ACCEPTED ";

  private static final String EXIM =
      """
      2026-11-21 10:00:00 1vABCD-000000001-XyZ1 <= ann@partner.example H=mail.partner.example [203.0.113.9]:4711 P=esmtps S=1200 id=a1@partner.example
      2026-11-21 10:00:00 1vABCD-000000001-XyZ1 => bob <bob@example.com> R=local T=store
      2026-11-21 10:00:00 1vABCD-000000001-XyZ1 Completed
      2026-11-21 10:00:00 H=(helo.bulk.example) [198.51.100.7]:1234 F=<x@bulk.example> rejected RCPT <a@example.com>: 198.51.100.7 is listed at zen.example
      """;

  private static final List<String> EXIM_MAILS =
      List.of(
          "203.0.113.9 mail.partner.example ann@partner.example bob ACCEPTED ",
          "198.51.100.7 helo.bulk.example x@bulk.example a REFUSED zen.example");

  @TempDir Path folder;

  private static String program(String line) {
    return line.substring(19, line.indexOf('['));
  }

  private static String message(String line) {
    return line.substring(line.indexOf(": ") + 2);
  }

  private static String journal(String line) {
    return json(
        """
        {'__CURSOR':'s=1;i=2','__REALTIME_TIMESTAMP':'1795255200123456','__MONOTONIC_TIMESTAMP':'12',\
        '_HOSTNAME':'mx','SYSLOG_IDENTIFIER':%s,'_PID':'101','MESSAGE':%s}\
        """,
        program(line), message(line));
  }

  /** The template, which has its quotes as apostrophes, with these texts. */
  private static String json(String template, String... texts) {
    return template
        .replace('\'', '"')
        .formatted(Stream.of(texts).map(JsonString::new).map(Json::write).toArray());
  }

  /** The same line as RFC 5424 has it. */
  private static String rfc5424(String line, String data) {
    return "<22>1 2026-11-21T10:00:00.123456Z mx "
        + line.substring(19).replaceFirst("\\[(\\d+)]: ", " $1 - " + data + " ");
  }

  private static Arguments way(String name, UnaryOperator<String> wrap) {
    return Arguments.of(name, wrap);
  }

  static Stream<Arguments> postfixIsReadBehind() {
    return Stream.of(
        way("compose", line -> "mail-1  | " + line),
        way("compose with times", line -> "mail-1  | 2026-11-21T10:00:00.123456789Z " + line),
        way("swarm", line -> "mail.1.x7y8@node-2    | " + line),
        way("kubectl --prefix", line -> "[pod/mail-0/postfix] " + line),
        way("CRI", line -> "2026-11-21T10:00:00.123456789Z stdout F " + line),
        way("docker's json-file", WrappedLogsTest::docker),
        way("the syslog driver of docker", line -> "Nov 21 10:00:00 node 1f2e3d[77]: " + line),
        way("RFC 3164", line -> "<22>" + line),
        way("RFC 5424", line -> rfc5424(line, "-")),
        way("RFC 5424 with data", line -> rfc5424(line, "[meta seq=\"1\"][a b=\"c d\"]")),
        way(
            "RFC 5424 with a mark",
            line -> rfc5424(line, "- \uFEFF").replace("- \uFEFF ", "- \uFEFF")),
        way("busybox", line -> line.replace(" mx ", " mx mail.info ")),
        way("journalctl", line -> line),
        way("short-iso", line -> line.replace("Nov 21 10:00:00", "2026-11-21T10:00:00+0000")),
        way("short-precise", line -> line.replace("10:00:00", "10:00:00.123456")),
        way("short-full", line -> line.replace("Nov 21 10:00:00", "Sat 2026-11-21 10:00:00 UTC")),
        way("short-unix", line -> line.replace("Nov 21 10:00:00", "1795255200.123456")),
        way("journalctl -o json", WrappedLogsTest::journal),
        way("journalctl -o json-sse", line -> "data: " + journal(line) + "\n"),
        way("journalctl -o json-seq", line -> "\u001e" + journal(line)),
        way(
            "a journal of a container",
            line -> json("{'MESSAGE':%s,'SYSLOG_IDENTIFIER':'1f2e3d','_PID':'77'}", line)),
        way(
            "syslog-ng",
            line ->
                json(
                    "{'PROGRAM':%s,'PID':'7','MESSAGE':%s,'HOST':'mx','DATE':'Nov 21 10:00:00'}",
                    program(line), message(line))),
        way(
            "ECS",
            line ->
                json(
                    """
                    {'@timestamp':'2026-11-21T10:00:00.123Z','host':{'name':'mx'},\
                    'process':{'name':%s,'pid':101},'message':%s}\
                    """,
                    program(line), message(line))),
        way("JSON in the log of a container", line -> docker(journal(line))));
  }

  private static String docker(String line) {
    return json("{'log':%s,'stream':'stdout','time':'2026-11-21T10:00:00Z'}", line + "\n");
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource
  void postfixIsReadBehind(String name, UnaryOperator<String> wrap) throws Exception {
    String log = POSTFIX.lines().map(wrap).collect(Collectors.joining("\n", "", "\n"));
    Logs.Read read = new Logs(folder).file("mail.log", log).read();
    assertEquals(List.of(POSTFIX_MAIL), read.lines(), log);
    assertEquals(LogFormat.POSTFIX, read.replay().files().getFirst().format());
    Instant at = read.sessions().getFirst().at();
    assertEquals(Instant.parse("2026-11-21T10:00:00Z").getEpochSecond(), at.getEpochSecond());
  }

  static Stream<Arguments> eximIsReadBehind() {
    return Stream.of(
        way("syslog", line -> "Nov 21 10:00:00 mx exim[999]: " + line),
        way(
            "syslog without a second time",
            line -> "Nov 21 10:00:00 mx exim4[9]: " + line.substring(20)),
        way("compose", line -> "mail-1  | " + line),
        way("CRI", line -> "2026-11-21T10:00:00.123456789Z stdout F " + line),
        way("RFC 5424", line -> "<22>1 2026-11-21T10:00:00Z mx exim 999 - - " + line),
        way(
            "journalctl -o json",
            line ->
                json(
                    """
                    {'__REALTIME_TIMESTAMP':'1795255200123456','_HOSTNAME':'mx',\
                    'SYSLOG_IDENTIFIER':'exim','_PID':'9','MESSAGE':%s}\
                    """,
                    line.substring(20))));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource
  void eximIsReadBehind(String name, UnaryOperator<String> wrap) throws Exception {
    String log = EXIM.lines().map(wrap).collect(Collectors.joining("\n", "", "\n"));
    Logs.Read read = new Logs(folder).file("mainlog", log).read();
    assertEquals(EXIM_MAILS, read.lines(), log);
    assertEquals(LogFormat.EXIM, read.replay().files().getFirst().format());
  }

  @Test
  void aHistoryOfRspamdIsReadBehindTheNameOfAContainer() throws Exception {
    String row =
        """
        filter-1  | {"ip":"203.0.113.9","unix_time":1795246741.25,"sender_smtp":"ann@partner.example","rcpt_smtp":["bob@example.com"],"action":"no action"}
        """;
    Logs.Read read = new Logs(folder).file("history", row).read();
    assertEquals(List.of(POSTFIX_MAIL), read.lines());
    assertEquals(LogFormat.RSPAMD, read.replay().files().getFirst().format());
  }

  @Test
  void anArrayOfLinesIsALog() throws Exception {
    String log =
        POSTFIX.lines().map(WrappedLogsTest::journal).collect(Collectors.joining(",\n", "[", "]"));
    Logs.Read read = new Logs(folder).file("export.json", log).read();
    assertEquals(List.of(POSTFIX_MAIL), read.lines());
    assertEquals(LogFormat.POSTFIX, read.replay().files().getFirst().format());
  }

  @Test
  void jsonOfOtherProgramsIsNoLog() throws Exception {
    String line = json("{'level':'info','msg':'started','time':'2026-11-21T10:00:00Z'}");
    Logs.Read read = new Logs(folder).file("other.json", (line + "\n").repeat(5)).read();
    LogReplay.FileSummary file = read.replay().files().getFirst();
    assertNull(file.format());
    assertEquals("no log of a mail server that is known", file.problem());
    assertEquals(List.of(line, line, line), file.notUnderstood());
  }

  @Test
  void aFilterBeforeTheQueueNamesTheClient() throws Exception {
    String log =
        """
        Nov 21 10:00:00 mx postfix/smtpd[111]: connect from mail.partner.example[203.0.113.9]
        Nov 21 10:00:00 mx postfix/smtpd[112]: connect from localhost[127.0.0.1]
        Nov 21 10:00:00 mx postfix/smtpd[111]: NOQUEUE: client=mail.partner.example[203.0.113.9]
        Nov 21 10:00:00 mx postfix/smtpd[112]: A673721C8BA: client=localhost[127.0.0.1], orig_client=mail.partner.example[203.0.113.9]
        Nov 21 10:00:00 mx postfix/cleanup[113]: A673721C8BA: message-id=<a1@partner.example>
        Nov 21 10:00:00 mx postfix/smtpd[111]: proxy-accept: END-OF-MESSAGE: 250 2.0.0 Ok: queued as A673721C8BA; from=<ann@partner.example> to=<bob@example.com> proto=ESMTP helo=<mail.partner.example>
        Nov 21 10:00:00 mx postfix/qmgr[103]: A673721C8BA: from=<ann@partner.example>, size=492, nrcpt=1 (queue active)
        Nov 21 10:00:00 mx postfix/smtpd[112]: disconnect from localhost[127.0.0.1] ehlo=1 xforward=1 mail=1 rcpt=1 data=1 quit=1 commands=6
        Nov 21 10:00:01 mx postfix/smtpd[111]: NOQUEUE: client=mail.partner.example[203.0.113.9]
        Nov 21 10:00:01 mx postfix/smtpd[111]: proxy-reject: END-OF-MESSAGE: 554 5.7.0 Reject, id=1 - spam; from=<x@partner.example> to=<bob@example.com> proto=ESMTP helo=<mail.partner.example>
        Nov 21 10:00:01 mx postfix/smtpd[111]: disconnect from mail.partner.example[203.0.113.9] ehlo=1 mail=1 rcpt=1 data=1 quit=1 commands=5
        Nov 21 10:00:02 mx postfix/lmtp[104]: A673721C8BA: to=<bob@example.com>, relay=mx[private/lmtp], delay=0.03, delays=0.01/0.02/0/0, dsn=2.0.0, status=sent (250 2.0.0 saved)
        Nov 21 10:00:02 mx postfix/qmgr[103]: A673721C8BA: removed
        """;
    assertEquals(
        List.of(
            "203.0.113.9 mail.partner.example ann@partner.example bob ACCEPTED ",
            "203.0.113.9 mail.partner.example x@partner.example bob REFUSED "),
        new Logs(folder).file("mail.log", log).read().lines());
  }

  @Test
  void aFilterBehindTheQueueDoesNotDoubleTheMail() throws Exception {
    String[] lines = POSTFIX.split("\n", -1);
    String again =
        "Nov 21 10:00:00 mx postfix/smtpd[112]: 4F3A52C0: client=localhost[127.0.0.1],"
            + " orig_queue_id=4F3A51C0, orig_client=mail.partner.example[203.0.113.9]";
    lines[4] = lines[4] + "\n" + again;
    String second =
        POSTFIX
            .lines()
            .skip(2)
            .map(line -> line.replace("4F3A51C0", "4F3A52C0"))
            .collect(Collectors.joining("\n"));
    Logs.Read read =
        new Logs(folder).file("mail.log", String.join("\n", lines) + second + "\n").read();
    assertEquals(List.of(POSTFIX_MAIL), read.lines());
  }

  @Test
  void whatPostfix311WritesIsRead() throws Exception {
    String log =
        POSTFIX.replace("delays=0.1/0/0/0.1, dsn", "delays=0.1/0/0/0.1, tls=may:none/?, dsn")
            + """
            Nov 21 10:00:03 mx postfix/smtpd[111]: NOQUEUE: reject: RCPT from unknown[198.51.100.7]: 554 5.7.1 Service unavailable; Client host [198.51.100.7] blocked using zen.example; from=<x@spam.example> to=<a@example.com> proto=ESMTP helo=<spam.example> sasl_username=<a>
            """;
    assertEquals(
        List.of(POSTFIX_MAIL, "198.51.100.7 spam.example x@spam.example a REFUSED zen.example"),
        new Logs(folder).file("mail.log", log).read().lines());
  }
}
