package io.bloomgate.gateway.session;

import static io.bloomgate.gateway.testkit.SmtpClient.expect;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.bloomgate.config.name.IpAddress;
import io.bloomgate.gateway.relay.AnswerMemory;
import io.bloomgate.gateway.smtp.Reply;
import io.bloomgate.gateway.testkit.ScriptedUpstream;
import io.bloomgate.gateway.testkit.SmtpClient;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Many transactions of one client network at once, and room for the answers of fewer. */
final class AnswerRoomTest extends BeforeServers {

  /** What one network may have: an eighth of 20,000. */
  private static final int SHARE = 2_500;

  @BeforeEach
  void begin() throws IOException {
    startRouted();
  }

  /** Answers that nobody asks for fill the network's share, except for this number. */
  private void leaveRoomFor(int answers) throws IOException {
    AnswerMemory.Origin origin =
        new AnswerMemory.Origin(
            IpAddress.of(InetAddress.ofLiteral("127.0.0.1")), "old@sender.example");
    Map<String, Reply> old = new HashMap<>();
    for (int i = 0; i < SHARE - answers; i++) {
      old.put("u" + i + "@example.com", Reply.of(250, "2.0.0", "saved"));
    }
    memory.remember(origin, memory.content(origin, new byte[32]), old);
    assertEquals(SHARE - answers, memory.size());
  }

  private SmtpClient open(String from) throws IOException {
    SmtpClient client = gateway().connect().upToMail(from + "@sender.example");
    expect("250", rcpt(client, BOB));
    return client;
  }

  private static String content(SmtpClient client, String from) throws IOException {
    return client.message("Subject: " + from + "\r\n\r\nbody\r\n");
  }

  /** Room that is promised to one transaction is not promised to another one as well. */
  @Test
  void openTransactionsShareTheRoomThatThereIs() throws Exception {
    leaveRoomFor(2);
    other.always(ScriptedUpstream.FINAL_DOT, c -> c.reply("552 5.2.2 full"));
    try (SmtpClient first = open("a");
        SmtpClient second = open("b")) {
      expect("250", rcpt(first, SUE));
      expect("451 4.5.3", rcpt(second, SUE));
      assertEquals(
          "451 4.2.0 Taken for 1 of 2 recipients; send it again, those will not get it twice",
          content(first, "a"));
      expect("250", content(second, "b"));
    }
    assertEquals(2, one.deliveredCount());
    assertEquals(SHARE, memory.size(), "what was promised was kept");
  }

  /** Neither RSET nor a lost client nor an answer that was heard keeps room that is not used. */
  @Test
  void roomIsFreeAgainWhenItsTransactionIsOver() throws Exception {
    leaveRoomFor(2);
    for (int round = 0; round < 3; round++) {
      SmtpClient client = open("a");
      expect("250", rcpt(client, SUE));
      if (round == 0) {
        expect("250", client.ask("RSET"));
        expect("250", client.ask("MAIL FROM:<c@sender.example>"));
        expect("250", rcpt(client, BOB));
        expect("250", rcpt(client, SUE));
      } else if (round == 1) {
        expect("250", content(client, "a"));
      }
      client.close();
      gateway().awaitQuiet();
    }
    assertEquals(SHARE - 2, memory.size());
    try (SmtpClient client = open("d")) {
      expect("250", rcpt(client, SUE));
    }
  }

  /** A recipient that nobody can take for now must not always come first. */
  @Test
  void anAnswerThatWaitsIsHeardThoughThereIsNoRoom() throws Exception {
    leaveRoomFor(1);
    String content = "Subject: waits\r\n\r\nbody\r\n";
    AnswerMemory.Origin origin =
        new AnswerMemory.Origin(
            IpAddress.of(InetAddress.ofLiteral("127.0.0.1")), "a@sender.example");
    memory.remember(
        origin, memory.content(origin, sha256(content)), Map.of(BOB, Reply.of(250, "2.0.0", "ok")));
    other.always(ScriptedUpstream.FINAL_DOT, c -> c.reply("452 4.2.2 full for now"));
    expect("452", retry(content));
    expect("250", retry(content));
    assertEquals(0, one.deliveredCount());
  }

  private static byte[] sha256(String content) throws Exception {
    return MessageDigest.getInstance("SHA-256")
        .digest(content.getBytes(StandardCharsets.ISO_8859_1));
  }

  /** As a client that names SUE first each time; the answer to its message. */
  private String retry(String content) throws Exception {
    try (SmtpClient client = gateway().connect().upToMail("a@sender.example")) {
      List<String> answers = List.of(rcpt(client, SUE), rcpt(client, BOB));
      assertEquals(1, answers.stream().filter(answer -> answer.startsWith("250")).count());
      return client.message(content);
    }
  }
}
