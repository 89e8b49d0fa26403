package io.bloomgate.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.config.control.ControlRequest;
import io.bloomgate.config.json.JsonValue.JsonObject;
import io.bloomgate.gateway.testkit.ScriptedUpstream;
import io.bloomgate.gateway.testkit.SmtpClient;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;

/**
 * What {@code config/recipes.md} promises of every recipe, shown by mail: from a client, through
 * the gateway and the program of the recipe, to a last server that keeps what it gets.
 *
 * @param mails the next mail that arrived behind the program; waits for it
 * @param count of the mails that arrived
 */
record RecipeProof(GatewayFixture gateway, Mails mails, Count count) {

  /** Where mail arrives. */
  interface Mails {
    String next() throws IOException;
  }

  /** How much mail arrived. */
  interface Count {
    int now() throws IOException;
  }

  /** Addresses that no list names. */
  static final List<String> CLIENTS = List.of("192.0.2.10", "2001:db8::25");

  /** In drop.txt of {@link GatewayFixture}. */
  static final String LISTED = "203.0.113.7";

  /** What mail servers change when they may: dots, blanks, folds and octets above 127. */
  static final String CONTENT =
      "From: Alice <a@partner.example>\r\n"
          + "To: bob@example.com\r\n"
          + "Date: Tue, 24 Nov 2026 10:00:00 +0000\r\n"
          + "Message-ID: <recipe@partner.example>\r\n"
          + "MIME-Version: 1.0\r\n"
          + "Content-Type: text/plain; charset=ISO-8859-1\r\n"
          + "Content-Transfer-Encoding: 8bit\r\n"
          + "DKIM-Signature: v=1; a=rsa-sha256;\r\n\tb=abc;\r\n bh=def\r\n"
          + "Subject: x\r\n"
          + "\r\n"
          + ".\r\n..\r\n.starts with a dot\r\ntrailing blanks  \r\n\t\r\nFrom here on\r\n"
          + "Gr\u00fc\u00dfe\r\n"
          + "x".repeat(900)
          + "\r\n\r\nthe end\r\n";

  /** For a program that sends all mail for example.com to this server. */
  static RecipeProof into(GatewayFixture gateway, ScriptedUpstream sink) {
    return new RecipeProof(gateway, () -> sink.nextDelivery().content(), sink::deliveredCount);
  }

  /** A last server that takes 8-bit mail, so that nobody has a reason to recode it. */
  static ScriptedUpstream startSink() {
    return ScriptedUpstream.start().offering("8BITMIME", "PIPELINING");
  }

  /** The whole of it, with clients that a trusted proxy names. */
  void holds() throws IOException {
    for (String address : CLIENTS) {
      try (SmtpClient client = client(address)) {
        mailPasses(client, address);
      }
    }
    listedSenderIsRefused();
    serverRelaysForNobody();
    doctorIsContent();
  }

  /** A connection between two addresses of this machine. */
  static SmtpClient from(String own, String address, int port) throws IOException {
    return new SmtpClient(
        new Socket(InetAddress.ofLiteral(address), port, InetAddress.ofLiteral(own), 0));
  }

  private SmtpClient client(String address) throws IOException {
    return SmtpClient.proxied(gateway.port("mx"), address);
  }

  /** The server wrote the client's address into its trace field, and changed nothing below. */
  void mailPasses(SmtpClient client, String address) throws IOException {
    client.lines();
    client.command("EHLO mail.partner.example");
    String reply = ContentEqualityTest.deliver(client, "a@partner.example", CONTENT);
    assertTrue(reply.startsWith("250 "), reply);
    String arrived = mails.next();
    String above = arrived.substring(0, Math.max(0, arrived.length() - CONTENT.length()));
    assertEquals(CONTENT, arrived.substring(above.length()));
    // The field of the last server that trusted nobody is above the gateway's.
    String ofServer =
        above
            .replaceAll("\r\n[ \t]+", " ")
            .lines()
            .filter(line -> line.startsWith("Received: "))
            .findFirst()
            .orElse("");
    assertTrue(ofServer.contains(address + "]"), above);
  }

  private void listedSenderIsRefused() throws IOException {
    int before = count.now();
    try (SmtpClient client = client(LISTED)) {
      String reply = client.rcpt("mail.partner.example", "a@partner.example", "bob@example.com");
      assertTrue(reply.startsWith("554 5.7.1 "), reply);
      assertTrue(reply.contains("blocked using drop"), reply);
      client.command("QUIT");
    }
    assertEquals(before, count.now());
  }

  /** Neither for a domain that the gateway lets pass by mistake, nor for any other. */
  private void serverRelaysForNobody() throws IOException {
    try (SmtpClient client = client(CLIENTS.getFirst())) {
      String byServer =
          client.rcpt("mail.partner.example", "a@partner.example", "x@foreign.example");
      assertTrue(byServer.startsWith("5"), byServer);
      assertFalse(byServer.contains("not a domain of this gateway"), byServer);
      String byGateway = client.command("RCPT TO:<x@elsewhere.example>");
      assertTrue(byGateway.startsWith("554 5.7.1 "), byGateway);
    }
  }

  /** A server that just started may be slow, and the doctor says then to try again. */
  private void doctorIsContent() throws IOException {
    List<JsonObject> wrong = new ArrayList<>();
    try {
      Conditions.await(
          "the doctor is content",
          () -> {
            List<JsonObject> findings =
                gateway.control(new ControlRequest.Doctor(true, true, false, false)).items();
            assertFalse(findings.isEmpty());
            wrong.clear();
            findings.stream()
                .filter(finding -> !finding.text("state").orElse("").equals("ok"))
                .forEach(wrong::add);
            return wrong.isEmpty();
          });
    } catch (AssertionError e) {
      throw new AssertionError("the doctor found " + wrong, e);
    }
  }
}
