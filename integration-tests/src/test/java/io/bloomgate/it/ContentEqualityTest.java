package io.bloomgate.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.gateway.testkit.SmtpClient;
import java.io.IOException;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What a sender sent is what the mail server gets, octet for octet, below our trace fields. */
class ContentEqualityTest extends Story {

  @Test
  void anyContentArrivesUnchangedHoweverItIsCutIntoPackets() throws IOException {
    long seed = Long.getLong("seed", System.nanoTime());
    Random random = new Random(seed);
    gateway.start();
    try (SmtpClient client = greeted(gateway)) {
      for (int round = 0; round < 80; round++) {
        String content = randomContent(random);
        begin(client, "a@partner.example");
        String wire = SmtpClient.stuffed(content) + ".\r\n";
        int position = 0;
        while (position < wire.length()) {
          int end = Math.min(wire.length(), position + 1 + random.nextInt(1 << random.nextInt(17)));
          client.raw(wire.substring(position, end));
          position = end;
        }
        assertTrue(client.lines().getLast().startsWith("250 "), "seed " + seed);
        String arrived = upstream.nextDelivery().content();
        String ours = arrived.substring(0, Math.max(0, arrived.length() - content.length()));
        assertEquals(content, arrived.substring(ours.length()), "seed " + seed);
        assertTrue(
            ours.matches("Received: from mail\\.partner\\.example(?s:.*)\r\n"),
            "seed " + seed + ": " + ours);
        assertEquals(ours.lastIndexOf("Received:"), 0, "seed " + seed);
      }
    }
  }

  /** Lines of any octets but CR, LF and NUL; X-Bloomgate is left to the dialogs. */
  private static String randomContent(Random random) {
    StringBuilder content = new StringBuilder();
    int lines = random.nextInt(1 << random.nextInt(9));
    for (int i = 0; i < lines; i++) {
      switch (random.nextInt(6)) {
        case 0 -> content.append("Field").append(i).append(": value");
        case 1 -> content.append(".".repeat(random.nextInt(4)));
        case 2 -> content.append(" folded");
        case 3 -> {}
        case 4 -> content.append("z".repeat(random.nextInt(2_000)));
        default -> {
          for (int j = random.nextInt(80); j > 0; j--) {
            int octet = 1 + random.nextInt(255);
            content.append((char) (octet == '\r' || octet == '\n' ? '.' : octet));
          }
        }
      }
      content.append("\r\n");
    }
    return content.toString();
  }

  static SmtpClient greeted(GatewayFixture gateway) throws IOException {
    SmtpClient client = new SmtpClient(gateway.port("plain"));
    client.lines();
    client.command("EHLO mail.partner.example");
    return client;
  }

  /** Goes on to 354. */
  static void begin(SmtpClient client, String from) throws IOException {
    assertTrue(client.command("MAIL FROM:<" + from + ">").startsWith("250 "));
    assertTrue(client.command("RCPT TO:<bob@example.com>").startsWith("250 "));
    assertTrue(client.command("DATA").startsWith("354 "));
  }

  /** A whole message; the reply to its final dot. */
  static String deliver(SmtpClient client, String from, String content) throws IOException {
    begin(client, from);
    return client.content(content);
  }
}
