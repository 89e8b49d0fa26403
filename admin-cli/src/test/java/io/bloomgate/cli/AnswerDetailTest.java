package io.bloomgate.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.config.control.ControlReply.Done;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** Times, numbers and missing lists in answers for a person. */
class AnswerDetailTest extends ScriptedAnswers {

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
    String out =
        answered(replies(item(past), new Done(1)), "explain", "203.0.113.7", "--at", "1h").out();
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
    String out = answered(replies(item(empty), new Done(0)), "explain", "203.0.113.7").out();
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
    String out = answered(replies(item(refused), new Done(1)), "explain", "7K3Q9ZT2AB").out();
    Shell.assertHas(out, "mode observe, no list decided it\n");
    Shell.assertLacks(out, "bloom");
    String later = refused.replace("\"protocol\"", "\"upstream_refused\"");
    out = answered(replies(item(later), new Done(1)), "explain", "7K3Q9ZT2AB").out();
    Shell.assertHas(out, "mode observe, lists were asked and had nothing against it\n");
    Shell.assertLacks(out, "bloom");
    String asked = refused.replace("null,\"stage\"", "\"accept\",\"stage\"");
    out = answered(replies(item(asked), new Done(1)), "explain", "7K3Q9ZT2AB").out();
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
    String out = answered(replies(item(tagged), new Done(0)), "explain", "7K3Q9ZT2AB").out();
    Shell.assertHas(out, "  beside   X4JC573CNS to=bob@example.com, refused: 554 5.7.1 no\n");
  }

  @Test
  void numbersInTablesHaveNoGaps() throws IOException {
    String counts = "{\"by\":\"feed\",\"what\":\"drop\",\"sessions\":90866}";
    assertEquals(
        "90866 drop",
        answered(replies(item(counts), new Done(0)), "top")
            .out()
            .lines()
            .skip(1)
            .findFirst()
            .orElse("")
            .replaceAll(" +", " "));
    String bars =
        """
        {"begins":"2026-11-20T00:00:00Z","sessions":12345,"accepted":12345,"would_refuse":0,\
        "refused":0,"put_off":0,"other":0}\
        """;
    String out = answered(replies(item(bars), new Done(0)), "stats").out();
    Shell.assertHas(out, " 12345 ");
    Shell.assertLacks(out, "(would refuse):", "\nother: ");
    String others = bars.replace("\"other\":0", "\"other\":1");
    assertTrue(
        answered(replies(item(others), new Done(0)), "stats")
            .out()
            .contains("\nother: refused by a rule of SMTP"));
  }

  /** The word that `--verdict` takes for them: relay denied, protocol, limits. */
  @Test
  void aSessionThatNoListDecidedHasTheVerdictNone() throws IOException {
    String session =
        """
        {"time":"2026-11-20T00:00:00Z","id":"7K3Q9ZT2AB","client_ip":"203.0.113.7","from":"a@b.example",\
        "to":"c@d.example","recipients":1,"verdict":null,"mode":"observe","outcome":"protocol"}\
        """;
    String out = answered(replies(item(session), new Done(0)), "sessions", "list").out();
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
    String out = answered(replies(item(row), new Done(0)), "stats").out();
    Shell.assertHas(out, " (WOULD REFUSE) ");
    assertTrue(out.matches("(?s).* 12 +10 +\\(4\\) +2 +0 +0 .*"), out);
    Shell.assertHas(out, "(would refuse): of the accepted sessions, those that only mode observe");
  }
}
