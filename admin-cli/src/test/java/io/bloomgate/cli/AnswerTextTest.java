package io.bloomgate.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.bloomgate.config.control.ControlReply;
import io.bloomgate.config.control.ControlReply.Done;
import io.bloomgate.config.control.ControlReply.Failed;
import io.bloomgate.config.control.ControlReply.Note;
import io.bloomgate.config.control.ControlReply.Progress;
import io.bloomgate.config.json.JsonValue;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a person sees of the gateway's answers, to the letter. */
class AnswerTextTest extends ScriptedAnswers {

  static final String EXPLANATION =
      """
      {"subject":"203.0.113.7","kind":"client_ip","verdict":"reject","stage":"rcpt",\
      "mode":"enforce","generation":412,"offline":false,"listings":[{"feed":"spamhaus-drop",\
      "entry":"203.0.113.0/24","line":17,"since":"2026-11-19T04:00:00Z","since_at_least":false,\
      "version":{"number":17,"fetched":"2026-11-19T05:00:00Z",\
      "sha256":"0123456789abcdef"},"reference":"SBL\\u001b1","action":"reject",\
      "kind":"client_ip","pardon":null},{"feed":"ipsum","entry":"203.0.113.7","line":9921,\
      "since":null,"action":"observe","kind":"client_ip","pardon":"allowed"}],\
      "bloom":{"filter":"ip","hit":true,"confirmed":true},"allow":null,\
      "undo":"bloomgate allow add 203.0.113.7","incident":null,"notes":["checked"]}\
      """;

  @Test
  void explainTellsAndUndoes() throws IOException {
    Shell.Result result =
        answered(replies(item(EXPLANATION), new Done(1)), "explain", "203.0.113.7").exits(1);
    assertEquals(
        """
        203.0.113.7 would be REFUSED at RCPT   mode enforce, generation 412
          listed   spamhaus-drop  203.0.113.0/24  line 17  client_ip  since 2026-11-19  action reject
                     version 17 of 2026-11-19T05:00:00Z, sha256 0123456789ab, SBL\\u001b1
          lifted   ipsum  203.0.113.7  line 9,921  client_ip  action observe  (allowed)
          bloom    ip hit, confirmed by the exact index
          allow    none
          note     checked
          undo     bloomgate allow add 203.0.113.7 --socket SOCKET
        """,
        result.out().replace(socket.toString(), "SOCKET"));
    result.isSilent();
  }

  @Test
  void whatAnAddChangedInAnEntryIsShown() throws IOException {
    String entry =
        """
        {"id":"a1","list":"allow","subject":"203.0.113.0/24","from":null,"expires":null,\
        "reason":"","change":"changed",\
        "before":{"expires":"2026-11-22T07:40:00Z","reason":"ticket 12"}}\
        """;
    assertEquals(
        """
        changed: allow 203.0.113.0/24, id a1
          it would have ended in 24 h (2026-11-22T07:40:00Z); now it has no end
          its reason was "ticket 12"; now it is empty
        """,
        answered(replies(item(entry), new Done(0)), "allow", "add", "203.0.113.0/24").out());
    String same = entry.replace("ticket 12", "").replace("2026-11-22T07:40:00Z", "");
    assertEquals(
        "unchanged: allow 203.0.113.0/24, id a1\n",
        answered(
                replies(item(same.replace("\"changed\"", "\"unchanged\"")), new Done(0)),
                "allow",
                "add",
                "203.0.113.0/24")
            .out());
  }

  @Test
  void coloursOnlyWhenWanted() throws IOException {
    ControlReply[] answer = replies(item("{\"ready\":true}"), new Done(0));
    try (FakeGateway gateway = FakeGateway.answering(socket, answer)) {
      String path = socket.toString();
      assertEquals("ready\n", Shell.run("health", "--socket", path).out());
      assertEquals(
          "\u001b[32mready\u001b[0m\n",
          Shell.run("health", "--socket", path, "--color", "yes").out());
      assertEquals(
          "\u001b[32mready\u001b[0m\n",
          Shell.run(Map.of(), "", true, "health", "--socket", path).out());
      assertEquals(
          "ready\n",
          Shell.run(Map.of("NO_COLOR", "1"), "", true, "health", "--socket", path).out());
      assertEquals(
          "{\"ready\":true}\n",
          Shell.run(Map.of(), "", true, "health", "-o", "json", "--color", "yes", "--socket", path)
              .out());
      assertEquals(5, gateway.asked().size());
    }
  }

  @Test
  void statusIsTenLines() throws IOException {
    ControlReply[] answer =
        replies(
            item(
                """
                {"mode":"observe","mode_configured":"enforce","mode_until":"2026-11-21T09:40:00Z",\
                "generation":412,"ready":true,"alarms":["downstream is slow"],"entries":{"total":1200,"ipv4":1000},\
                "filters":{"ip":{"kind":"split-block","fill":0.4}},\
                "lookup":{"filters":"vector-512","ipv4_hosts":"ranges"},\
                "known_good":{"proven":1500,"listed":2},"sessions":12,\
                "verdicts_1h":{"accept":2000,"reject":3},\
                "feeds_bad":["urlhaus"],"downstream":"up",\
                "identity":"xclient","unknown_domains":{},"uptime_s":90000,\
                "certificates":[{"name":"CN=a","key":"ECDSA"},{"name":"CN=a","key":"RSA"}]}\
                """),
            new Note("warning: disk is filling"),
            new Done(0));
    Shell.Result result =
        answered(answer, "status")
            .answers(
                """
                mode observe (settings say enforce, back in 2 h), generation 412, ready, up 25 h
                  lists refuse nothing; the log says what they would refuse
                  ! downstream is slow
                  last hour        2,000 let pass, 3 refused
                  mail server      up; it learns the client's address by xclient
                  lists            1,200 entries; in trouble: urlhaus
                  sessions         12
                """);
    assertEquals("warning: disk is filling\n", result.err());
    assertEquals(
        result.out()
            + """

              entries          total 1,200, ipv4 1,000
              filters.ip       kind split-block, fill 0.4
              lookup           filters vector-512, ipv4_hosts ranges
              known good       proven 1,500, listed 2
              sessions         12
              verdicts 1h      accept 2,000, reject 3
              feeds bad        urlhaus
              downstream       up
              identity         xclient
              unknown domains  -
              certificates     name CN=a, key ECDSA
                               name CN=a, key RSA
            """,
        answered(answer, "status", "-v").out());
  }

  @Test
  void statusSaysOnlyWhatThereIs() throws IOException {
    String item =
        """
        {"mode":"enforce","generation":1,"ready":true,"generation_id":null,"promotions":[],\
        "verdicts_1h":{"accept":0,"reject":0,"would_reject":0,"server_away":2},\
        "entries":{"total":1},"feeds_bad":[],"downstream":"down",\
        "upstreams":[{"server":"127.0.0.1:25","problem":"it is \\u001b closed","idle":0}]}\
        """;
    assertEquals(
        """
        mode enforce, generation 1, ready
          last hour        0 let pass, 0 refused, 2 put off while the mail server was away
          mail server      down; 127.0.0.1:25: it is \\u001b closed
          lists            1 entry
        """,
        answered(replies(item(item), new Done(0)), "status").out());
  }

  /** As in an emergency, where the settings do not say enforce yet. */
  @Test
  void statusSaysThatAModeEndsThatTheSettingsHaveToo() throws IOException {
    String item =
        """
        {"mode":"observe","mode_configured":"observe","mode_until":"2026-11-21T09:40:00Z",\
        "generation":1,"ready":true}\
        """;
    assertEquals(
        """
        mode observe (the mode before is back in 2 h), generation 1, ready
          lists refuse nothing; the log says what they would refuse
        """,
        answered(replies(item(item), new Done(0)), "status").out());
  }

  @Test
  void statusSaysWhatNoIdentityMeans() throws IOException {
    String item =
        """
        {"mode":"soft","generation":1,"ready":true,"downstream":"up","identity":"none"}\
        """;
    assertEquals(
        """
        mode soft, generation 1, ready
          what lists refuse is put off: the sender tries again
          mail server      up; it sees the gateway as the client of all mail
        """,
        answered(replies(item(item), new Done(0)), "status").out());
    String down = item.replace("\"up\"", "\"down\"");
    assertFalse(answered(replies(item(down), new Done(0)), "status").out().contains("sees"));
  }

  @Test
  void statusSaysWhyItIsNotReadyAsHealthDoes() throws IOException {
    String item =
        "{\"mode\":\"enforce\",\"generation\":412,\"ready\":false,\"reason\":\"draining\"}";
    answered(replies(item(item), new Done(0)), "status")
        .answers("mode enforce, generation 412, NOT READY (draining)\n");
    String starting = item.replace("\"draining\"", "\"starting\",\"serves_mail\":true");
    assertEquals(
        "mode enforce, generation 412, NOT READY (starting; mail is served already)\n",
        answered(replies(item(starting), new Done(0)), "status").out());
  }

  /** The golden outputs show what notes say. */
  @Test
  void quietLeavesNotesOutAndAnEntryThatIsNotThereIsSaid() throws IOException {
    ControlReply[] noted =
        replies(item("{\"change\":\"added\"}"), new Note("lifts: this"), new Done(0));
    answered(noted, "allow", "add", "203.0.113.7").ends(0, "lifts: this");
    answered(noted, "allow", "add", "203.0.113.7", "-q").ends(0).printsNo("lifts");
    answered(replies(new Done(1)), "allow", "check", "x.example")
        .exits(1)
        .answers("no entry matches it\n");
  }

  @Test
  void tailIsALineADecision() throws IOException {
    answered(
            replies(
                item(
                    """
                    {"ts":"2026-11-21T07:39:01.123Z","event":"verdict","verdict":"reject","stage":"rcpt",\
                    "client_ip":"203.0.113.7","helo":"h","from":"a@spam.example","to":["bob@example.com"],\
                    "feed":"drop","entry":"203.0.113.0/24","code":554,"outcome":"refused","id":"7K3Q9ZT2AB"}\
                    """),
                new Progress("", JsonValue.object().build()),
                new Done(0)),
            "tail")
        .answers(
            "07:39:01 reject         rcpt 203.0.113.7 from=a@spam.example to=bob@example.com"
                + " feed=drop entry=203.0.113.0/24 code=554 outcome=refused id=7K3Q9ZT2AB\n")
        .isSilent();
  }

  @Test
  void colourDoesNotShiftTheColumnsOfTail() throws IOException {
    Shell.Result result =
        answered(
            replies(
                item("{\"verdict\":\"reject\",\"stage\":\"rcpt\"}"),
                item("{\"verdict\":\"accept\",\"stage\":\"data\"}"),
                new Done(0)),
            "tail",
            "--color",
            "yes");
    List<String> lines = result.out().replaceAll("\u001b\\[\\d+m", "").lines().toList();
    assertEquals(lines.get(0).indexOf("rcpt"), lines.get(1).indexOf("data"), result.out());
    result.prints("\u001b[31mreject\u001b[0m");
  }

  @ParameterizedTest
  @ValueSource(strings = {"feeds list", "allow list", "allow check a.example"})
  void aFailureIsNotTakenForAnEmptyAnswer(String command) throws IOException {
    Shell.Result result =
        answered(replies(new Failed(1, "it broke", "fix it")), command.split(" ", -1));
    assertEquals(new Shell.Result(1, "", "bloomgate: it broke; fix it\n"), result);
  }
}
