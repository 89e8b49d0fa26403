package io.bloomgate.gateway.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.gateway.smtp.Reply;
import io.bloomgate.gateway.testkit.SmtpClient;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;

/**
 * Random conversations in every stage, whole and mutilated, against two invariants: the client gets
 * 250 for a message only when the mail server answered 250, and no octet of content is ever run as
 * a command.
 */
final class SessionFuzzTest {

  private static final int ROUNDS = 400;

  /** Every piece of content has it; no command that the test sends has it. */
  private static final String MARK = "smuggled";

  private static final List<String> COMMANDS =
      List.of(
          "EHLO c.example",
          "HELO c.example",
          "MAIL FROM:<a@b.example>",
          "MAIL FROM:<> SIZE=10",
          "MAIL FROM:<a@b.example> BODY=8BITMIME SMTPUTF8",
          "RCPT TO:<bob@example.com>",
          "RCPT TO:<nobody@example.com>",
          "RCPT TO:<x@other.example>",
          "RCPT TO:<postmaster>",
          "RSET",
          "NOOP",
          "VRFY x",
          "HELP",
          "STARTTLS",
          "BOGUS",
          "AUTH PLAIN =",
          "MAIL",
          "RCPT TO:<",
          "DATA now");

  /** Lines of content; most look like commands or like ends. */
  private static final List<String> LINES =
      List.of(
          "Subject: hi\r\n",
          "\r\n",
          "MAIL FROM:<" + MARK + "@evil.example>\r\n",
          "RCPT TO:<" + MARK + "@example.com>\r\n",
          "DATA\r\n",
          "QUIT\r\n",
          "..\r\n",
          ".x\r\n",
          "\n.\n",
          "\n.\r\n",
          "\r\n.\n",
          "\r.\r",
          "bare\rcr\r\n",
          "bare\nlf\r\n",
          "nul\0\r\n",
          "plain text of some length that fills a line\r\n");

  /** What the mail server said to final dots: 250, 550 and 451, in turn. */
  private final ConcurrentLinkedQueue<Integer> said = new ConcurrentLinkedQueue<>();

  private int turn;

  private ScriptedUpstream moody() {
    ScriptedUpstream upstream =
        new ScriptedUpstream().refusing("nobody", ScriptedUpstream.NO_SUCH_USER);
    upstream.onFinalDot =
        _ -> {
          Reply reply =
              switch (turn++ % 3) {
                case 0 -> ScriptedUpstream.TAKEN;
                case 1 -> Reply.of(550, "5.7.1", "Refused");
                default -> Reply.of(451, "4.3.0", "Later");
              };
          said.add(reply.code());
          return reply;
        };
    return upstream;
  }

  @Test
  void invariantsHoldInRandomConversations() throws Exception {
    long seed = 20261121L;
    Random random = new Random(seed);
    ScriptedUpstream upstream = moody();
    try (TestGateway gateway =
        new TestGateway("", "limits: {errors: 1000, message_size: 64KiB}", upstream)) {
      for (int round = 0; round < ROUNDS; round++) {
        String where = "seed " + seed + " round " + round;
        try (SmtpClient client = gateway.connect()) {
          SmtpClient.expect("220", client.reply());
          converse(client, random, where);
        }
      }
      gateway.awaitQuiet();
      assertEquals(0, gateway.telemetry.open.get());
    }
    for (String command : upstream.commands) {
      assertTrue(!command.contains(MARK), "seed " + seed + ": run as a command: " + command);
    }
  }

  private void converse(SmtpClient client, Random random, String where) throws IOException {
    int steps = 1 + random.nextInt(12);
    if (random.nextInt(10) > 0) {
      SmtpClient.expect("250", client.ask("EHLO c.example"));
    }
    for (int step = 0; step < steps; step++) {
      int kind = random.nextInt(10);
      if (kind < 4) {
        oneMessage(client, random, where);
      } else if (kind == 9) {
        client.raw(noise(random) + "\r\n");
        assertTrue(!client.reply().startsWith("354"), where);
      } else {
        String reply = client.ask(COMMANDS.get(random.nextInt(COMMANDS.size())));
        assertTrue(reply.matches("(?s)[245].*"), where + ": " + reply);
      }
    }
    if (random.nextInt(4) == 0) {
      // Leave in the middle of whatever.
      client.raw(random.nextBoolean() ? "DATA\r\nhalf a line" : "MAIL FROM:<a@b");
    }
  }

  private void oneMessage(SmtpClient client, Random random, String where) throws IOException {
    client.ask("RSET");
    client.ask("MAIL FROM:<a@b.example>");
    client.ask("RCPT TO:<bob@example.com>");
    if (!client.ask("DATA").startsWith("354")) {
      return;
    }
    String content = content(random);
    boolean malformed = isMalformed(content);
    said.clear();
    sendInPieces(client, content + "\r\n.\r\n", random);
    String reply = client.reply();
    if (malformed) {
      assertTrue(reply.startsWith("550 5.5.2"), where + ": " + reply);
      assertEquals(List.of(), new ArrayList<>(said), where);
    } else {
      int code = Integer.parseInt(reply.substring(0, 3));
      assertEquals(List.of(code), new ArrayList<>(said), where + ": " + reply);
    }
  }

  /** Content that does not hold its own end: two lines may make one when they meet. */
  private static String content(Random random) {
    while (true) {
      StringBuilder content = new StringBuilder();
      for (int i = random.nextInt(12); i > 0; i--) {
        content.append(LINES.get(random.nextInt(LINES.size())));
      }
      if (content.indexOf("\r\n.\r\n") < 0 && content.indexOf(".\r\n") != 0) {
        return content.toString();
      }
    }
  }

  private static boolean isMalformed(String content) {
    String rest = content.replace("\r\n", "");
    return rest.indexOf('\r') >= 0 || rest.indexOf('\n') >= 0 || rest.indexOf('\0') >= 0;
  }

  private static void sendInPieces(SmtpClient client, String octets, Random random)
      throws IOException {
    int at = 0;
    while (at < octets.length()) {
      int end = Math.min(octets.length(), at + 1 + random.nextInt(40));
      client.raw(octets.substring(at, end));
      at = end;
    }
  }

  /** Any octets but a line feed, which would begin another command. */
  private static String noise(Random random) {
    StringBuilder noise = new StringBuilder();
    for (int i = random.nextInt(80); i >= 0; i--) {
      char c = (char) random.nextInt(256);
      noise.append(c == '\n' ? ' ' : c);
    }
    return noise.toString();
  }
}
