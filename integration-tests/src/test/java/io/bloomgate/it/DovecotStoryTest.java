package io.bloomgate.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.gateway.testkit.SmtpClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** In front of a real Dovecot, which takes mail by LMTP (RFC 2033). */
class DovecotStoryTest {

  private static final String MESSAGE = "Subject: x\r\n\r\nHello\r\n";

  @TempDir Path folder;
  private @Nullable DovecotServer started;

  @AfterEach
  void stopDovecot() throws IOException {
    if (started != null) {
      started.close();
    }
  }

  private DovecotServer dovecot() throws IOException {
    // Its mail user must be able to come here.
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
    DovecotServer dovecot = DovecotServer.startOrSkip(folder.resolve("dovecot"));
    started = dovecot;
    return dovecot;
  }

  private GatewayFixture before(DovecotServer dovecot, String clientAddress) throws IOException {
    String downstream =
        "{host: 127.0.0.1, protocol: lmtp, port: %d, client_address: %s, reverse_names: off}"
            .formatted(dovecot.port(), clientAddress);
    return GatewayFixture.in(Files.createDirectory(folder.resolve("gateway")), 1)
        .with("downstream", downstream)
        .start();
  }

  @Test
  void contentIsStoredOctetForOctet() throws IOException {
    DovecotServer dovecot = dovecot();
    String content =
        "From: Alice <a@partner.example>\r\n"
            + "X-Long: "
            + "h".repeat(2_000)
            + "\r\n"
            + "DKIM-Signature: v=1; a=rsa-sha256;\r\n\tb=abc;  \r\n bh=def\r\n"
            + "Subject: Gr\u00fc\u00dfe\r\n"
            + "\r\n"
            + ".\r\n..\r\n.starts with a dot\r\ntrailing blanks  \r\n\t\r\nFrom here on\r\n"
            + "Gr\u00fc\u00dfe \u0001\u007f\u0080\u00ff\r\n"
            + "x".repeat(100_000)
            + "\r\n\r\n\r\n";
    try (GatewayFixture gateway = before(dovecot, "none");
        SmtpClient client = ContentEqualityTest.greeted(gateway)) {
      String reply = ContentEqualityTest.deliver(client, "a@partner.example", content);
      assertTrue(reply.matches("250 2\\.0\\.0 <bob@example\\.com> \\S+ Saved"), reply);
    }
    String stored = dovecot.mailbox("bob").getFirst();
    String above = stored.substring(0, Math.max(0, stored.length() - content.length()));
    assertEquals(content, stored.substring(above.length()));
    List<String> fields = above.replaceAll("\r\n[ \t]", " ").lines().toList();
    assertEquals(4, fields.size(), above);
    assertEquals("Return-Path: <a@partner.example>", fields.get(0));
    assertEquals("Delivered-To: bob@example.com", fields.get(1));
    assertTrue(fields.get(2).startsWith("Received: from mx.example.com ([127.0.0.1])"), above);
    assertTrue(fields.get(2).contains(" by dovecot.example.com with LMTP "), above);
    assertTrue(
        fields
            .get(3)
            .startsWith(
                "Received: from mail.partner.example (unknown [127.0.0.1])"
                    + " by mx.example.com (bloomgate) with ESMTP id "),
        above);
  }

  @Test
  void allRecipientsGoInOneTransaction() throws IOException {
    DovecotServer dovecot = dovecot();
    try (GatewayFixture gateway = before(dovecot, "none");
        SmtpClient client = ContentEqualityTest.greeted(gateway)) {
      for (int round = 0; round < 3; round++) {
        mail(client);
        expect("250 2.1.5 OK", rcpt(client, "bob"));
        assertEquals(
            "550 5.1.1 <nobody@example.com> User doesn't exist: nobody@example.com",
            rcpt(client, "nobody"));
        expect("250 2.1.5 OK", rcpt(client, "alice"));
        expect("250 2.0.0 <alice@example.com> ", data(client));
      }
    }
    assertEquals(3, dovecot.mailbox("bob").size());
    assertEquals(3, dovecot.mailbox("alice").size());
    List<String> withMail = sessionsWith(dovecot, "MAIL FROM:");
    assertEquals(1, withMail.size(), "one session of the client, one of ours");
    assertEquals(3, count("(?m)^MAIL FROM:", withMail.getFirst()), withMail.getFirst());
    assertEquals(9, count("(?m)^RCPT TO:", withMail.getFirst()), withMail.getFirst());
  }

  @Test
  void aMailboxOverQuotaStopsNobodyElse() throws IOException {
    DovecotServer dovecot = dovecot();
    String content = "Subject: x\r\n\r\n" + "x".repeat(DovecotServer.FULL_OCTETS) + "\r\n";
    try (GatewayFixture gateway = before(dovecot, "none");
        SmtpClient client = ContentEqualityTest.greeted(gateway)) {
      mail(client);
      for (String name : List.of("bob", "full", "alice")) {
        expect("250 2.1.5 OK", rcpt(client, name));
      }
      expect("451 4.2.0 Taken for 2 of 3 recipients", data(client, content));
      // At the sender's next try each gets the answer that is his.
      mail(client);
      expect("250 2.1.5 OK", rcpt(client, "bob"));
      expect("451 4.5.3 ", rcpt(client, "full"));
      expect("250 2.1.5 OK", rcpt(client, "alice"));
      expect("250 2.0.0 <alice@example.com> ", data(client, content));
      mail(client);
      expect("250 2.1.5 OK", rcpt(client, "full"));
      assertEquals(
          "552 5.2.2 <full@example.com> Quota exceeded (mailbox for user is full)",
          data(client, content));
    }
    assertEquals(1, dovecot.mailbox("bob").size());
    assertEquals(1, dovecot.mailbox("alice").size());
    assertEquals(0, dovecot.mailbox("full").size());
  }

  @Test
  void clientsAreOfferedWhatDovecotTakes() throws IOException {
    DovecotServer dovecot = dovecot();
    try (GatewayFixture gateway = before(dovecot, "none");
        SmtpClient client = new SmtpClient(gateway.port("plain"))) {
      client.lines();
      client.raw("EHLO mail.partner.example\r\n");
      // Its CHUNKING, XCLIENT and XRCPTFORWARD are not for clients; it has no SMTPUTF8 and no DSN.
      assertEquals(
          List.of(
              "250-mx.example.com",
              "250-PIPELINING",
              "250-SIZE 52428800",
              "250-ENHANCEDSTATUSCODES",
              "250 8BITMIME"),
          client.lines());
      expect("555 5.5.4 ", client.command("MAIL FROM:<a@partner.example> SMTPUTF8"));
      mail(client);
      expect("555 5.5.4 ", client.command("RCPT TO:<bob@example.com> NOTIFY=NEVER"));
      client.command("RSET");
      expect("552 5.3.4 ", client.command("MAIL FROM:<a@partner.example> SIZE=52428801"));
      mail(client);
      expect("250 ", rcpt(client, "bob"));
      expect("502 5.5.1 ", client.command("BDAT 7 LAST\r\nHello"));
      client.command("RSET");
      expect("250 ", client.command("MAIL FROM:<a@partner.example> BODY=8BITMIME SIZE=100"));
      expect("250 ", rcpt(client, "bob"));
      expect("250 2.0.0 ", data(client));
    }
    assertEquals(1, dovecot.mailbox("bob").size());
    String heard = String.join("", dovecot.heard());
    assertTrue(heard.contains("MAIL FROM:<a@partner.example> BODY=8BITMIME\r\n"), heard);
    for (String neverSaid : List.of("EHLO", "BDAT", "SMTPUTF8", "NOTIFY", "SIZE")) {
      assertEquals(0, count(neverSaid, heard), neverSaid);
    }
  }

  @Test
  void killedDovecotLosesNothing() throws IOException {
    DovecotServer dovecot = dovecot();
    try (GatewayFixture gateway = before(dovecot, "none");
        SmtpClient client = ContentEqualityTest.greeted(gateway)) {
      expect(
          "250 ", ContentEqualityTest.deliver(client, "a@partner.example", "Subject: 1\r\n\r\n"));
      dovecot.kill();
      mail(client);
      expect("451 4.", rcpt(client, "bob"));
      dovecot.startAgain();
      client.command("RSET");
      mail(client);
      expect("250 2.1.5 OK", rcpt(client, "bob"));
      // The same between the reply to RCPT and the content.
      dovecot.kill();
      expect("451 4.", data(client));
      dovecot.startAgain();
      expect(
          "250 ", ContentEqualityTest.deliver(client, "a@partner.example", "Subject: 2\r\n\r\n"));
      // And in the middle of content of which it has a part already.
      ContentEqualityTest.begin(client, "a@partner.example");
      client.raw("Subject: broken off\r\n\r\n" + ("x".repeat(998) + "\r\n").repeat(2_000));
      Conditions.await(
          "Dovecot has a part", () -> !sessionsWith(dovecot, "Subject: broken off").isEmpty());
      dovecot.kill();
      expect("451 4.", client.content("the end\r\n"));
      dovecot.startAgain();
      expect(
          "250 ", ContentEqualityTest.deliver(client, "a@partner.example", "Subject: 3\r\n\r\n"));
    }
    List<String> subjects =
        dovecot.mailbox("bob").stream()
            .map(mail -> mail.substring(mail.indexOf("Subject: "), mail.indexOf("\r\n\r\n")))
            .sorted()
            .toList();
    assertEquals(List.of("Subject: 1", "Subject: 2", "Subject: 3"), subjects);
  }

  @Test
  void dovecotLearnsTheClientByXclient() throws IOException {
    DovecotServer dovecot = dovecot();
    try (GatewayFixture gateway = before(dovecot, "auto")) {
      for (String address : List.of("192.0.2.10", "2001:db8::25")) {
        try (SmtpClient client = SmtpClient.proxied(gateway.port("mx"), address)) {
          client.lines();
          client.command("EHLO mail.partner.example");
          expect("250 ", ContentEqualityTest.deliver(client, "a@partner.example", MESSAGE));
        }
        String shown =
            "\r\nReceived: from mail.partner.example (["
                + address
                + "])\r\n\tby dovecot.example.com with LMTP";
        List<String> stored = dovecot.mailbox("bob");
        assertTrue(stored.stream().anyMatch(mail -> mail.contains(shown)), stored::toString);
      }
    }
  }

  private static void mail(SmtpClient client) throws IOException {
    expect("250 ", client.command("MAIL FROM:<a@partner.example>"));
  }

  private static String rcpt(SmtpClient client, String name) throws IOException {
    return client.command("RCPT TO:<" + name + "@example.com>");
  }

  /** DATA with a small message; the last reply. */
  private static String data(SmtpClient client) throws IOException {
    return data(client, MESSAGE);
  }

  private static String data(SmtpClient client, String content) throws IOException {
    String reply = client.message(content);
    return reply.substring(reply.lastIndexOf('\n') + 1);
  }

  private static void expect(String start, String reply) {
    assertTrue(reply.startsWith(start), () -> "not " + start + " but " + reply);
  }

  private static List<String> sessionsWith(DovecotServer dovecot, String words) throws IOException {
    return dovecot.heard().stream().filter(session -> session.contains(words)).toList();
  }

  private static int count(String regex, String text) {
    return text.split(regex, -1).length - 1;
  }
}
