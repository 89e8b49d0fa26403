package io.bloomgate.gateway.session;

import static io.bloomgate.gateway.testkit.SmtpClient.expect;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.bloomgate.gateway.testkit.ScriptedUpstream;
import io.bloomgate.gateway.testkit.SmtpClient;
import io.bloomgate.gateway.testkit.UpstreamConnection;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Mail for several servers behind one gateway: by domain and with backups. */
final class RoutesTest extends BeforeServers {

  private static final String MESSAGE = "Subject: hi\r\n\r\nbody\r\n";

  private static void send(SmtpClient client) throws Exception {
    expect("250", client.message(MESSAGE));
  }

  // ---- by domain

  @Test
  void oneServersRefusalIsNotAnothers() throws Exception {
    one.always("MAIL", connection -> connection.reply("550 5.7.1 we do not like alice"));
    startRouted();
    try (SmtpClient client = upToMail()) {
      expect("550 5.7.1", rcpt(client, BOB));
      expect("250", rcpt(client, SUE));
      expect("550 5.7.1", rcpt(client, BOB));
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
  void aMessageGoesToOneServerWhateverBecomesOfIt() throws Exception {
    one.on(ScriptedUpstream.FINAL_DOT, UpstreamConnection::drop);
    String backup = "port: " + one.port() + ", backups: ['127.0.0.1:" + other.port() + "']";
    start(backup);
    try (SmtpClient client = upToMail()) {
      expect("250", rcpt(client, BOB));
      expect("451 4.4.2", client.message(MESSAGE));
    }
    assertEquals(0, other.connections().size());
  }
}
