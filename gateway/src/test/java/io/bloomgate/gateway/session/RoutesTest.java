package io.bloomgate.gateway.session;

import static io.bloomgate.gateway.testkit.SmtpClient.expect;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.gateway.relay.AnswerMemory;
import io.bloomgate.gateway.testkit.ScriptedUpstream;
import io.bloomgate.gateway.testkit.SmtpClient;
import io.bloomgate.gateway.testkit.UpstreamConnection;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Mail for several servers behind one gateway: by domain, with backups, and by LMTP. */
final class RoutesTest extends BeforeServers {

  private static final String MESSAGE = "Subject: hi\r\n\r\nbody\r\n.\r\n";

  @BeforeEach
  void rememberNothing() {
    memory.close();
    memory = AnswerMemory.none();
  }

  private static void send(SmtpClient client) throws Exception {
    expect("354", client.ask("DATA"));
    client.raw(MESSAGE);
    expect("250", client.reply());
  }

  // ---- by domain

  @Test
  void recipientsOfAnotherRouteAreSentAgainByTheClient() throws Exception {
    startRouted();
    try (SmtpClient client = upToMail()) {
      expect("250", rcpt(client, BOB));
      expect("451 4.5.3", rcpt(client, SUE));
      expect("250", rcpt(client, EVE));
      send(client);
      expect("250", client.ask("MAIL FROM:<alice@sender.example>"));
      expect("250", rcpt(client, SUE));
      expect("451 4.5.3", rcpt(client, BOB));
      send(client);
    }
    assertEquals(List.of("<" + BOB + ">", "<eve@example.com>"), one.nextDelivery().to());
    assertEquals(List.of("<" + SUE + ">"), other.nextDelivery().to());
  }

  @Test
  void oneServersRefusalIsNotAnothers() throws Exception {
    one.always("MAIL", connection -> connection.reply("550 5.7.1 we do not like alice"));
    startRouted();
    try (SmtpClient client = upToMail()) {
      expect("550 5.7.1", rcpt(client, BOB));
      expect("250", rcpt(client, SUE));
      expect("451 4.5.3", rcpt(client, BOB));
      send(client);
    }
    assertEquals(1, other.deliveredCount());
  }

  @Test
  void aDeadServerDoesNotStopTheOthersMail() throws Exception {
    one.always(ScriptedUpstream.CONNECT, UpstreamConnection::drop);
    startRouted();
    try (SmtpClient client = upToMail()) {
      expect("451 4.4.1", rcpt(client, BOB));
      expect("250", rcpt(client, SUE));
      send(client);
    }
    assertEquals(1, other.deliveredCount());
  }

  @Test
  void aRecipientRefusedOnOneRouteLeavesTheWayFreeForAnother() throws Exception {
    one.on("RCPT", "550 5.1.1 nobody");
    startRouted();
    try (SmtpClient client = upToMail()) {
      expect("550 5.1.1", rcpt(client, BOB));
      expect("250", rcpt(client, SUE));
      send(client);
    }
    assertEquals(List.of("<" + SUE + ">"), other.nextDelivery().to());
    assertEquals(0, one.deliveredCount());
  }

  // ---- backups

  @Test
  void clientsDoNotNoticeThatABackupTookOver() throws Exception {
    one.always(ScriptedUpstream.CONNECT, connection -> connection.reply("554 5.3.2 down"));
    String backup = "port: " + one.port() + ", backups: ['127.0.0.1:" + other.port() + "']";
    start(backup);
    try (SmtpClient client = upToMail()) {
      expect("250", rcpt(client, BOB));
      send(client);
      assertTrue(routes().isUp());
    }
    assertEquals(1, other.deliveredCount());
  }

  @Test
  void aMessageGoesToOneServerWhateverBecomesOfIt() throws Exception {
    one.on(ScriptedUpstream.FINAL_DOT, UpstreamConnection::drop);
    String backup = "port: " + one.port() + ", backups: ['127.0.0.1:" + other.port() + "']";
    start(backup);
    try (SmtpClient client = upToMail()) {
      expect("250", rcpt(client, BOB));
      expect("354", client.ask("DATA"));
      client.raw(MESSAGE);
      expect("451 4.4.2", client.reply());
    }
    assertEquals(0, other.connections().size());
  }

  // ---- LMTP

  private void startLmtp() throws IOException {
    startLmtp(connection -> {
      for (String to : connection.recipients()) {
        connection.reply("250 2.1.5 " + to + " OK");
      }
    });
  }

  @Test
  void lmtpHasOneRecipientInAMessage() throws Exception {
    startLmtp();
    try (SmtpClient client = upToMail()) {
      expect("250", rcpt(client, BOB));
      expect("451 4.5.3", rcpt(client, EVE));
      expect("354", client.ask("DATA"));
      client.raw(MESSAGE);
      assertEquals("250 2.1.5 <" + BOB + "> OK", client.reply());
      expect("250", client.ask("MAIL FROM:<alice@sender.example>"));
      expect("250", rcpt(client, EVE));
      send(client);
    }
    assertEquals(List.of("<" + BOB + ">"), one.nextDelivery().to());
    assertEquals(List.of("<eve@example.com>"), one.nextDelivery().to());
    assertEquals("LHLO mx.test.example", one.connections().getFirst().commands().getFirst());
    assertTrue(
        one.connections().stream()
            .noneMatch(c -> c.commands().stream().anyMatch(line -> line.startsWith("EHLO"))));
  }
}
