package io.bloomgate.it;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.gateway.testkit.ScriptedUpstream;
import io.bloomgate.gateway.testkit.SmtpClient;
import io.bloomgate.gateway.testkit.UpstreamConnection;
import java.io.EOFException;
import java.io.IOException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Sessions that do anything at any stage, before an upstream that does anything too. Whatever
 * happens: never a 250 for a message that the upstream did not answer 250, never a command taken
 * from content, and the gateway serves the next client.
 */
class SessionFuzzTest {

  private static final int SESSIONS = 250;
  private static final String SMUGGLED = "smuggled";

  /** Lines that would be commands, were they not content. */
  private static final List<String> CONTENT =
      List.of(
          "Subject: x\r\n\r\n",
          "text\r\n",
          "\r\n",
          "..\r\n",
          "\n.\n",
          "\r.\r",
          "\n.\r\n",
          "\r\n.\r\r\n",
          "\r\n.\n",
          "\0",
          "RSET\r\n",
          "MAIL FROM:<smuggled@partner.example>\r\n",
          "RCPT TO:<smuggled@example.com>\r\n",
          "BDAT 5 LAST\r\n",
          "DATA\r\n",
          "QUIT\r\n",
          "\u00ff\u00fe");

  private static final List<String> WELL_FORMED =
      CONTENT.stream().filter(piece -> piece.matches("([^\r\n\0]*\r\n)+")).toList();

  private static final List<String> COMMANDS =
      List.of(
          "EHLO mail.partner.example",
          "HELO mail.partner.example",
          "HELO mail.spam.example",
          "MAIL FROM:<a@partner.example>",
          "MAIL FROM:<>",
          "MAIL FROM:<a@spam.example>",
          "MAIL FROM:<a@partner.example> SIZE=9999999999",
          "RCPT TO:<bob@example.com>",
          "RCPT TO:<eve@example.com>",
          "RCPT TO:<postmaster>",
          "RCPT TO:<bob@elsewhere.example>",
          "RSET",
          "NOOP",
          "VRFY x",
          "BDAT 32 LAST\r\nMAIL FROM:<smuggled@x.example>",
          "STARTTLS",
          "XCLIENT ADDR=192.0.2.1",
          "AUTH PLAIN",
          "FOO",
          "",
          "\0\u00ff");

  @TempDir Path folder;

  @Test
  void neverAnUnearnedYesNeverACommandFromContent() throws IOException {
    long seed = Long.getLong("seed", System.nanoTime());
    Random random = new Random(seed);
    Set<String> promised = new HashSet<>();
    try (ScriptedUpstream upstream =
            ScriptedUpstream.start().offering("PIPELINING", "SIZE 100000");
        GatewayFixture gateway = GatewayFixture.in(folder, upstream.port()).start()) {
      // Until the upstream has answered EHLO once, all clients get 421.
      ContentEqualityTest.greeted(gateway).close();
      fail(upstream, new Random(seed + 1));
      for (int i = 0; i < SESSIONS; i++) {
        try (SmtpClient client = connect(gateway, random)) {
          try {
            client.lines();
            play(client, random, "s" + i, promised);
          } catch (SocketTimeoutException e) {
            throw new AssertionError("seed " + seed + ": no answer to\n" + client.transcript(), e);
          }
        } catch (EOFException | SocketException e) {
          // Either side may end the session at any point.
        }
      }
      Set<String> delivered = new HashSet<>();
      for (int i = upstream.deliveredCount(); i > 0; i--) {
        delivered.add(marker(upstream.nextDelivery().content()));
      }
      assertTrue(
          delivered.containsAll(promised),
          () -> "seed " + seed + ": promised " + promised + ", delivered " + delivered);
      assertFalse(promised.isEmpty(), "seed " + seed + ": no message was accepted at all");
      for (UpstreamConnection connection : upstream.connections()) {
        assertFalse(
            connection.commands().toString().contains(SMUGGLED),
            () -> "seed " + seed + ": " + connection.commands());
      }
      List.of("connect", "EHLO", "MAIL", "RCPT", "DATA", "content", ".").forEach(upstream::usual);
      try (SmtpClient client = ContentEqualityTest.greeted(gateway)) {
        String last = ContentEqualityTest.deliver(client, "a@partner.example", "Subject: x\r\n");
        assertTrue(last.startsWith("250 "), "seed " + seed + ": " + last);
      }
    }
  }

  private static SmtpClient connect(GatewayFixture gateway, Random random) throws IOException {
    return switch (random.nextInt(3)) {
      case 0 -> new SmtpClient(gateway.port("plain"));
      case 1 -> SmtpClient.proxied(gateway.port("mx"), "192.0.2.10");
      default -> SmtpClient.proxied(gateway.port("mx"), "203.0.113.7");
    };
  }

  private static void play(SmtpClient client, Random random, String id, Set<String> promised)
      throws IOException {
    boolean sensible = random.nextInt(3) > 0;
    int messages = 0;
    for (int step = 0; step < 15; step++) {
      if (sensible && step % 5 == 0) {
        client.command("EHLO mail.partner.example");
        client.command("MAIL FROM:<a@partner.example>");
        client.command("RCPT TO:<bob@example.com>");
      }
      if (random.nextInt(4) == 0) {
        String marker = id + "-" + messages++;
        if (data(client, random, marker)) {
          promised.add(marker);
        }
      } else {
        String command = COMMANDS.get(random.nextInt(COMMANDS.size()));
        String reply = client.command(command);
        if (reply.startsWith("220 ") && command.equals("STARTTLS")) {
          // Whatever this is, it is no handshake.
          client.raw("MAIL FROM:<smuggled@partner.example>\r\n");
          client.closed();
          return;
        }
      }
    }
  }

  /** True when the client heard that its message is accepted. */
  private static boolean data(SmtpClient client, Random random, String marker) throws IOException {
    if (!client.command("DATA").startsWith("354 ")) {
      return false;
    }
    String content = content(random, marker);
    if (random.nextInt(8) == 0) {
      client.raw(content);
      client.close();
      return false;
    }
    String wire = content + "\r\n.\r\n";
    int cut = random.nextInt(wire.length());
    client.raw(wire.substring(0, cut));
    client.raw(wire.substring(cut));
    return client.lines().getLast().startsWith("250 ");
  }

  /** Content that has no final dot inside: two pieces together could be one. */
  private static String content(Random random, String marker) {
    List<String> pieces = random.nextBoolean() ? CONTENT : WELL_FORMED;
    while (true) {
      StringBuilder content = new StringBuilder("Marker: " + marker + "\r\n");
      for (int i = random.nextInt(12); i > 0; i--) {
        content.append(pieces.get(random.nextInt(pieces.size())));
      }
      if (content.indexOf("\r\n.\r\n") < 0) {
        return content.toString();
      }
    }
  }

  private static String marker(String content) {
    int start = content.indexOf("Marker: ") + "Marker: ".length();
    return content.substring(start, content.indexOf("\r\n", start));
  }

  /** From now on this upstream fails at every step now and then. */
  private static void fail(ScriptedUpstream upstream, Random random) {
    for (String step : List.of("connect", "EHLO", "MAIL", "RCPT", "DATA", ".")) {
      upstream.always(step, connection -> mood(connection, step, random));
    }
    upstream.always(
        "content",
        connection -> {
          int draw = draw(random, 30);
          if (draw == 0) {
            connection.reply("552 5.3.4 early no");
          } else if (draw == 1) {
            connection.drop();
          }
        });
  }

  private static void mood(UpstreamConnection connection, String step, Random random)
      throws IOException {
    switch (draw(random, 40)) {
      case 0 -> connection.drop();
      case 1 -> connection.reset();
      case 2 -> connection.reply("421 4.3.2 bye");
      case 3 -> connection.reply("550 5.1.1 no");
      case 4 -> connection.reply("451-4.3.0 later\r\n451 4.3.0 please");
      case 5 -> connection.reply("354 what");
      case 6 -> connection.reply("nonsense");
      default -> {
        switch (step) {
          case "connect" -> connection.reply("220 upstream.example ESMTP");
          case "." -> connection.reply("250 2.0.0 queued");
          default -> connection.proceed();
        }
      }
    }
  }

  /** The upstream's connections have threads of their own. */
  private static int draw(Random random, int sides) {
    synchronized (random) {
      return random.nextInt(sides);
    }
  }
}
