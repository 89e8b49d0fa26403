package io.bloomgate.gateway.session;

import static io.bloomgate.gateway.testkit.SmtpClient.expect;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.bloomgate.gateway.testkit.ScriptedUpstream;
import io.bloomgate.gateway.testkit.SmtpClient;
import io.bloomgate.gateway.testkit.UpstreamConnection;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Mail for several servers behind one gateway: by domain and with backups. */
final class RoutesTest extends BeforeServers {

  private static final String MESSAGE = "Subject: hi\r\n\r\nbody\r\n";

  private static void send(SmtpClient client) throws Exception {
    expect("250", client.message(MESSAGE));
  }

  // ---- by domain

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
      send(client);
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
      expect("451 4.4.2", client.message(MESSAGE));
    }
    assertEquals(0, other.connections().size());
  }
}
