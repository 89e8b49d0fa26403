package io.bloomgate.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

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
    Shell.Result result = refused("explain 203.0.113.7", EXPLANATION).exits(1);
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
        shown("allow add 203.0.113.0/24", entry).out());
    String same = entry.replace("ticket 12", "").replace("2026-11-22T07:40:00Z", "");
    assertEquals(
        "unchanged: allow 203.0.113.0/24, id a1\n",
        shown("allow add 203.0.113.0/24", same.replace("\"changed\"", "\"unchanged\"")).out());
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
        shown("status", item).out());
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
        shown("status", item).out());
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
        shown("status", item).out());
    String down = item.replace("\"up\"", "\"down\"");
    assertFalse(shown("status", down).out().contains("sees"));
  }

  @Test
  void statusSaysWhyItIsNotReadyAsHealthDoes() throws IOException {
    String item =
        "{\"mode\":\"enforce\",\"generation\":412,\"ready\":false,\"reason\":\"draining\"}";
    shown("status", item).answers("mode enforce, generation 412, NOT READY (draining)\n");
    String starting = item.replace("\"draining\"", "\"starting\",\"serves_mail\":true");
    assertEquals(
        "mode enforce, generation 412, NOT READY (starting; mail is served already)\n",
        shown("status", starting).out());
  }

  /** The golden outputs show what notes say. */
  @Test
  void quietLeavesNotesOutAndAnEntryThatIsNotThereIsSaid() throws IOException {
    ControlReply[] noted =
        replies(item("{\"change\":\"added\"}"), new Note("lifts: this"), new Done(0));
    answered(noted, "allow", "add", "203.0.113.7").ends(0, "lifts: this");
    answered(noted, "allow", "add", "203.0.113.7", "-q").ends(0).printsNo("lifts");
    refused("allow check x.example").exits(1).answers("no entry matches it\n");
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
        shown(
            "tail --color yes",
            "{\"verdict\":\"reject\",\"stage\":\"rcpt\"}",
            "{\"verdict\":\"accept\",\"stage\":\"data\"}");
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

  @Test
  void timesOfThePastAreShownToTheSecond() throws IOException {
    String past =
        """
        {"subject":"203.0.113.7","kind":"client_ip","verdict":"reject","stage":"rcpt",\
        "at":"2026-11-20T23:24:15.522104138Z","mode":"enforce","generation":412,"offline":false,\
        "listings":[{"feed":"drop","entry":"203.0.113.0/24","line":17,\
        "since":"2026-11-19T04:00:00.123456789Z","since_at_least":false,"action":"reject",\
        "kind":"client_ip","pardon":null}],"allow":null,"undo":null,"incident":null}\
        """;
    String out = refused("explain 203.0.113.7 --at 1h", past).out();
    Shell.assertHas(
        out, "by the lists of 2026-11-20T23:24:15Z would be", "since 2026-11-19T04:00:00Z  action");
  }

  @Test
  void aGatewayWithoutListsDoesNotSayThatAClientIsNotListed() throws IOException {
    String empty =
        """
        {"subject":"203.0.113.7","kind":"client_ip","verdict":"accept","stage":"rcpt",\
        "mode":"observe","generation":0,"offline":true,"listings":[],\
        "bloom":{"filter":"ip","hit":false,"confirmed":false},"allow":null,"undo":null,\
        "incident":null}\
        """;
    String out = shown("explain 203.0.113.7", empty).out();
    Shell.assertHas(
        out, "offline, no lists loaded yet\n", "there are no lists yet, so nothing was looked up");
    Shell.assertLacks(out, "certainly not listed", "generation");
  }

  /** The mail server or a rule of the protocol refused it: "not listed" would deny its `now`. */
  @Test
  void mailThatNoListRefusedIsNotCalledListedOrNot() throws IOException {
    String refused =
        """
        {"subject":"203.0.113.7","kind":"client_ip","verdict":null,"stage":"rcpt",\
        "mode":"observe","generation":0,"offline":false,"listings":[],\
        "bloom":{"filter":"ip","hit":false,"confirmed":false},"allow":null,"undo":null,\
        "incident":"7K3Q9ZT2AB","notes":[],"happened":{"outcome":"protocol","reply":"454 4.7.1 x"},\
        "now_verdict":null,"now":{"verdict":"reject","mode":"enforce","stage":"rcpt"}}\
        """;
    String out = refused("explain 7K3Q9ZT2AB", refused).out();
    Shell.assertHas(out, "mode observe, no list decided it\n");
    Shell.assertLacks(out, "bloom");
    String later = refused.replace("\"protocol\"", "\"upstream_refused\"");
    out = refused("explain 7K3Q9ZT2AB", later).out();
    Shell.assertHas(out, "mode observe, lists were asked and had nothing against it\n");
    Shell.assertLacks(out, "bloom");
    String asked = refused.replace("null,\"stage\"", "\"accept\",\"stage\"");
    out = refused("explain 7K3Q9ZT2AB", asked).out();
    Shell.assertHas(out, "ip no hit: not listed then\n");
  }

  /** One mail to two recipients, of whom one was refused. */
  @Test
  void anIncidentNamesTheOtherAnswersOfItsTransaction() throws IOException {
    String tagged =
        """
        {"subject":"203.0.113.7","kind":"client_ip","verdict":"tag","stage":"data",\
        "mode":"enforce","generation":7,"offline":false,"listings":[],\
        "bloom":{"filter":"ip","hit":true,"confirmed":true},"allow":null,"undo":null,\
        "incident":"7K3Q9ZT2AB","notes":[],"happened":{"outcome":"delivered","reply":"250 ok",\
        "answers":[{"id":"X4JC573CNS","to":"bob@example.com","verdict":"reject",\
        "outcome":"refused","reply":"554 5.7.1 no"}]},"now_verdict":null,"now":null}\
        """;
    String out = shown("explain 7K3Q9ZT2AB", tagged).out();
    Shell.assertHas(out, "  beside   X4JC573CNS to=bob@example.com, refused: 554 5.7.1 no\n");
  }

  @Test
  void numbersInTablesHaveNoGaps() throws IOException {
    String counts = "{\"by\":\"feed\",\"what\":\"drop\",\"sessions\":90866}";
    assertEquals(
        "90866 drop",
        shown("top", counts).out().lines().skip(1).findFirst().orElse("").replaceAll(" +", " "));
    String bars =
        """
        {"begins":"2026-11-20T00:00:00Z","sessions":12345,"accepted":12345,"would_refuse":0,\
        "refused":0,"put_off":0,"other":0}\
        """;
    String out = shown("stats", bars).out();
    Shell.assertHas(out, " 12345 ");
    Shell.assertLacks(out, "(would refuse):", "\nother: ");
    String others = bars.replace("\"other\":0", "\"other\":1");
    assertTrue(shown("stats", others).out().contains("\nother: refused by a rule of SMTP"));
  }

  /** The word that `--verdict` takes for them: relay denied, protocol, limits. */
  @Test
  void aSessionThatNoListDecidedHasTheVerdictNone() throws IOException {
    String session =
        """
        {"time":"2026-11-20T00:00:00Z","id":"7K3Q9ZT2AB","client_ip":"203.0.113.7","from":"a@b.example",\
        "to":"c@d.example","recipients":1,"verdict":null,"mode":"observe","outcome":"protocol"}\
        """;
    String out = shown("sessions list", session).out();
    assertTrue(out.matches("(?s).* c@d\\.example +none +protocol +-\n"), out);
  }

  /** The column is a part of another one. */
  @Test
  void whatModeObserveLetPassIsAmongTheAccepted() throws IOException {
    String row =
        """
        {"begins":"2026-11-20T00:00:00Z","sessions":12,"accepted":10,"would_refuse":4,\
        "refused":2,"put_off":0,"other":0}\
        """;
    String out = shown("stats", row).out();
    Shell.assertHas(out, " (WOULD REFUSE) ");
    assertTrue(out.matches("(?s).* 12 +10 +\\(4\\) +2 +0 +0 .*"), out);
    Shell.assertHas(out, "(would refuse): of the accepted sessions, those that only mode observe");
  }
}
