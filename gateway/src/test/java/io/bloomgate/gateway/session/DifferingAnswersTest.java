package io.bloomgate.gateway.session;

import static io.bloomgate.gateway.testkit.SmtpClient.expect;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.sessions.Outcome;
import io.bloomgate.gateway.testkit.ScriptedUpstream;
import io.bloomgate.gateway.testkit.SmtpClient;
import io.bloomgate.gateway.testkit.UpstreamConnection;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Messages whose recipients are answered by several mail servers, or one by one over LMTP. */
final class DifferingAnswersTest extends BeforeServers {

  private static final String SMALL = "Subject: hi\r\n\r\n.stuffed\r\n";

  /** More than is held: the servers see it while it comes. */
  private static final String LARGE = SMALL + ("x".repeat(998) + "\r\n").repeat(400);

  // ---- two servers

  @ParameterizedTest
  @ValueSource(strings = {SMALL, "large"})
  void oneMessageGoesToEachServerOnce(String which) throws Exception {
    String content = which.equals(SMALL) ? SMALL : LARGE;
    startRouted();
    for (int round = 0; round < 2; round++) {
      List<String> replies = send(content, BOB, SUE, EVE);
      assertEquals(List.of("250 2.1.5", "250 2.1.5", "250 2.1.5"), replies.subList(0, 3));
      expect("250 2.0.0", replies.get(3));
      ScriptedUpstream.Delivery first = one.nextDelivery();
      ScriptedUpstream.Delivery second = other.nextDelivery();
      assertEquals(List.of("<" + BOB + ">", "<" + EVE + ">"), first.to());
      assertEquals(List.of("<" + SUE + ">"), second.to());
      assertTrue(first.content().endsWith(content) && second.content().endsWith(content));
    }
    assertEquals(2, one.deliveredCount());
    assertEquals(2, other.deliveredCount());
    assertEquals(0, memory.size());
  }

  @ParameterizedTest
  @ValueSource(strings = {SMALL, "large"})
  void whoHasTheMessageIsNotOfferedItAgain(String which) throws Exception {
    String content = which.equals(SMALL) ? SMALL : LARGE;
    startRouted();
    other.on(ScriptedUpstream.FINAL_DOT, "452 4.2.2 try later");
    assertEquals(
        List.of(
            "250 2.1.5",
            "250 2.1.5",
            "451 4.2.0 Taken for 1 of 2 recipients; send it again, those will not get it twice"),
        send(content, BOB, SUE));
    // At the next try the other takes it too: all have it, so all get 250.
    List<String> replies = send(content, BOB, SUE);
    assertEquals(List.of("250 2.1.5", "250 2.1.5"), replies.subList(0, 2));
    expect("250 2.0.0", replies.get(2));
    assertEquals(1, one.deliveredCount());
    assertEquals(1, other.deliveredCount());
    gateway().awaitQuiet();
    assertEquals(
        List.of(Outcome.UPSTREAM_REFUSED, Outcome.DELIVERED),
        telemetry.decisions.stream().map(decision -> decision.outcome()).toList());
  }

  @Test
  void eachGetsItsOwnAnswerWhenTheyNeverAgree() throws Exception {
    startRouted();
    other.on(ScriptedUpstream.FINAL_DOT, "554 5.7.1 virus");
    expect("451 4.2.0", send(SMALL, BOB, SUE).getLast());
    List<String> second = send(SMALL, BOB, SUE);
    assertEquals(List.of("250 2.1.5", "451 4.5.3"), second.subList(0, 2));
    expect("250 2.0.0", second.getLast());
    assertEquals(List.of("250 2.1.5", "554 5.7.1 virus"), send(SMALL, SUE));
    assertEquals(1, one.deliveredCount());
    assertEquals(0, other.deliveredCount());
    assertEquals(
        1,
        other.connections().stream()
            .filter(connection -> connection.commands().contains("DATA"))
            .count(),
        "what was refused for good is not offered again");
    // All answers were given: the same sender's next message is like any other.
    List<String> next = send("Subject: another\r\n\r\n", BOB, SUE);
    assertEquals(List.of("250 2.1.5", "250 2.1.5"), next.subList(0, 2));
    expect("250", next.getLast());
  }

  @Test
  void whoWaitsInVainIsAnsweredByHimself() throws Exception {
    startRouted();
    other.always(ScriptedUpstream.FINAL_DOT, c -> c.reply("452 4.2.2 still full"));
    expect("451 4.2.0", send(SMALL, BOB, SUE).getLast());
    expect("451 4.2.0", send(SMALL, BOB, SUE).getLast());
    // In whatever order they come, each has his turn.
    List<String> third = send(SMALL, SUE, BOB);
    assertEquals(List.of("250 2.1.5", "451 4.5.3", "452 4.2.2 still full"), third);
    List<String> fourth = send(SMALL, SUE, BOB);
    assertEquals(List.of("451 4.5.3", "250 2.1.5"), fourth.subList(0, 2));
    expect("250 2.0.0", fourth.getLast());
    assertEquals(List.of("250 2.1.5", "452 4.2.2 still full"), send(SMALL, SUE));
    assertEquals(1, one.deliveredCount());
    assertEquals(0, other.deliveredCount());
  }

  @Test
  void anotherMessageIsNotTakenForTheRetry() throws Exception {
    startRouted();
    other.on(ScriptedUpstream.FINAL_DOT, "452 4.2.2 try later");
    expect("451 4.2.0", send(SMALL, BOB, SUE).getLast());
    expect("250", send("Subject: other\r\n\r\nbody\r\n", BOB, SUE).getLast());
    assertEquals(2, one.deliveredCount());
    expect("250", send(SMALL, BOB, EVE, SUE).getLast());
    assertEquals(3, one.deliveredCount());
    assertEquals(2, other.deliveredCount());
    assertEquals(
        List.of("<" + EVE + ">"),
        List.of(one.nextDelivery(), one.nextDelivery(), one.nextDelivery()).getLast().to());
  }

  /** Of four connections a client network has one, and holds it while it asks for the second. */
  @Test
  void whoHoldsAConnectionDoesNotWaitForASecondToTheSameServer() throws Exception {
    startRouted(", max_connections: 4");
    other.on(ScriptedUpstream.FINAL_DOT, "452 4.2.2 try later");
    expect("451 4.2.0", send(SMALL, BOB, SUE).getLast());
    // Another message: who has an answer needs a connection of his own beside the others'.
    String next = "Subject: other\r\n\r\nbody\r\n";
    List<String> replies = send(next, BOB, EVE, SUE);
    assertEquals(List.of("250 2.1.5", "451 4.5.3", "250 2.1.5"), replies.subList(0, 3));
    expect("250", replies.getLast());
    expect("250", send(next, EVE).getLast());
    assertEquals(3, one.deliveredCount());
    assertEquals(1, other.deliveredCount());
  }

  @Test
  void aServerThatIsLostBehindTheDotIsAskedAgain() throws Exception {
    startRouted();
    one.on(ScriptedUpstream.FINAL_DOT, UpstreamConnection::drop);
    expect("451 4.2.0", send(SMALL, BOB, SUE).getLast());
    expect("250", send(SMALL, BOB, SUE).getLast());
    assertEquals(1, one.deliveredCount());
    assertEquals(1, other.deliveredCount());
    gateway().awaitQuiet();
    assertEquals(
        List.of(Outcome.UNKNOWN, Outcome.DELIVERED),
        telemetry.decisions.stream().map(decision -> decision.outcome()).toList());
  }

  @Test
  void aServerThatIsLostBeforeDataStopsTheMessageForAll() throws Exception {
    startRouted();
    try (SmtpClient client = upToMail()) {
      expect("250", client.ask("RCPT TO:<" + BOB + ">"));
      expect("250", client.ask("RCPT TO:<" + SUE + ">"));
      other.always("RCPT", UpstreamConnection::reset);
      expect("451", client.ask("RCPT TO:<max@one.sub.example.com>"));
      expect("451", client.ask("DATA"));
      other.usual("RCPT");
      expect("250", client.ask("MAIL FROM:<alice@sender.example>"));
      expect("250", client.ask("RCPT TO:<" + SUE + ">"));
    }
    assertEquals(0, one.deliveredCount());
  }

  @Test
  void refusedContentGoesNowhere() throws Exception {
    startRouted();
    expect("550 5.5.2", send("Subject: x\r\n\r\nbare\n\r\n", BOB, SUE).getLast());
    assertEquals(0, one.deliveredCount() + other.deliveredCount());
  }

  // ---- LMTP

  @Test
  void whatLmtpSaidBeforeItDiedCounts() throws Exception {
    startLmtp();
    answers.put(EVE, "drop");
    expect("451 4.2.0", send(SMALL, BOB, EVE, SUE).getLast());
    answers.clear();
    expect("250", send(SMALL, BOB, EVE, SUE).getLast());
    assertEquals(List.of(BOB, EVE, SUE), held);
  }

  // ---- several servers behind one gateway

  @ParameterizedTest
  @CsvSource({
    "MAIL, 550 5.7.1 we do not like alice",
    "CONNECT, 451 4.4.1",
    "RCPT, 550 5.1.1 nobody",
  })
  void whatOneServerRefusesAnotherMayTake(String at, String reply) throws Exception {
    if (at.equals("CONNECT")) {
      one.always(ScriptedUpstream.CONNECT, UpstreamConnection::drop);
    } else {
      one.always(at, connection -> connection.reply(reply));
    }
    startRouted();
    try (SmtpClient client = upToMail()) {
      expect(reply.substring(0, 9), rcpt(client, BOB));
      expect("250", rcpt(client, SUE));
      expect(reply.substring(0, 9), rcpt(client, BOB));
      expect("250", client.message(SMALL));
    }
    assertEquals(List.of("<" + SUE + ">"), other.nextDelivery().to());
    assertEquals(0, one.deliveredCount());
  }

  @Test
  void aMessageGoesToOneServerWhateverBecomesOfIt() throws Exception {
    one.on(ScriptedUpstream.FINAL_DOT, UpstreamConnection::drop);
    String backup = "port: " + one.port() + ", backups: ['127.0.0.1:" + other.port() + "']";
    start(backup);
    try (SmtpClient client = upToMail()) {
      expect("250", rcpt(client, BOB));
      expect("451 4.4.2", client.message(SMALL));
    }
    assertEquals(0, other.connections().size());
  }
}
