package io.bloomgate.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.icegreen.greenmail.util.GreenMail;
import com.icegreen.greenmail.util.ServerSetup;
import io.bloomgate.gateway.testkit.ScriptedUpstream;
import io.bloomgate.gateway.testkit.SmtpClient;
import jakarta.mail.MessagingException;
import jakarta.mail.internet.MimeMessage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a sender sent is what the mail server gets, octet for octet, below our trace fields. */
class ContentEqualityTest {

  @TempDir Path folder;

  @Test
  void greenMailStoresWhatWasSent() throws IOException, MessagingException {
    GreenMail mailServer =
        new GreenMail(new ServerSetup(0, "127.0.0.1", ServerSetup.PROTOCOL_SMTP));
    mailServer.start();
    try (GatewayFixture gateway =
        GatewayFixture.in(folder, mailServer.getSmtp().getPort()).start()) {
      String content =
          "From: Alice <a@partner.example>\r\n"
              + "To: bob@example.com\r\n"
              + "Subject: =?UTF-8?B?R3LDvMOfZQ==?=\r\n"
              + "DKIM-Signature: v=1; a=rsa-sha256;\r\n\tb=abc;  \r\n bh=def\r\n"
              + "Content-Type: text/plain; charset=ISO-8859-1\r\n"
              + "Content-Transfer-Encoding: 8bit\r\n"
              + "\r\n"
              + ".\r\n..\r\n.starts with a dot\r\ntrailing blanks  \r\n\t\r\n"
              + "Gr\u00fc\u00dfe\r\n"
              + "x".repeat(3_000)
              + "\r\n\r\n\r\n";
      try (SmtpClient client = greeted(gateway)) {
        assertTrue(deliver(client, "a@partner.example", content).startsWith("250 "));
      }
      assertTrue(mailServer.waitForIncomingEmail(20_000, 1));
      MimeMessage stored = mailServer.getReceivedMessages()[0];
      ByteArrayOutputStream octets = new ByteArrayOutputStream();
      stored.writeTo(octets);
      String whole = octets.toString(StandardCharsets.ISO_8859_1);
      // This mail server keeps the last line end for itself.
      String kept = content.substring(0, content.length() - 2);
      String ours = whole.substring(0, Math.max(0, whole.length() - kept.length()));
      assertEquals(kept, whole.substring(ours.length()));
      assertTrue(ours.contains("\r\nReceived: from mail.partner.example"), ours);
    } finally {
      mailServer.stop();
    }
  }

  @Test
  void anyContentArrivesUnchangedHoweverItIsCutIntoPackets() throws IOException {
    long seed = Long.getLong("seed", System.nanoTime());
    Random random = new Random(seed);
    try (ScriptedUpstream upstream = ScriptedUpstream.start();
        GatewayFixture gateway = GatewayFixture.in(folder, upstream.port()).start();
        SmtpClient client = greeted(gateway)) {
      for (int round = 0; round < 150; round++) {
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
