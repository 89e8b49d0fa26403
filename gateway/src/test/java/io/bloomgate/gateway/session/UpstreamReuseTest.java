package io.bloomgate.gateway.session;

import static io.bloomgate.gateway.testkit.SmtpClient.expect;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.gateway.relay.MailServer;
import io.bloomgate.gateway.testkit.LogLines;
import io.bloomgate.gateway.testkit.LoopbackServer;
import io.bloomgate.gateway.testkit.ScriptedUpstream;
import io.bloomgate.gateway.testkit.SmtpClient;
import io.bloomgate.gateway.testkit.UpstreamConnection;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A connection to the mail server that served another client before and turns out to be of no use:
 * the present client does not notice it.
 */
final class UpstreamReuseTest {

  private static final String MESSAGE = "Subject: hi\r\n\r\nbody\r\n";

  private final ScriptedUpstream server = ScriptedUpstream.start();
  private final MailServer upstream = before(Duration.ofSeconds(20), Duration.ofSeconds(20));
  private final TestGateway gateway = TestGateway.before(upstream, new RecordingTelemetry());

  /** For the gateway, which listens at once. */
  UpstreamReuseTest() throws IOException {}

  @AfterEach
  void close() {
    gateway.close();
    upstream.close();
    server.close();
  }

  private MailServer before(Duration step, Duration command) {
    return LoopbackServer.at(server.port())
        .idle(5, step)
        .step(step)
        .command(command)
        .server(System::nanoTime);
  }

  private void deliver() throws Exception {
    try (SmtpClient client = gateway.connect().upToContent()) {
      expect("250", client.content(MESSAGE));
      expect("221", client.ask("QUIT"));
    }
    gateway.awaitQuiet();
  }

  private void listUrl() {
    gateway.withFeeds("urls: {file: urls.txt, format: urls, checks: [url], action: reject}");
    gateway.lists.list("evil.example/x", "urls");
  }

  /** Held content was not begun: the connection never was inside DATA, and RSET is enough. */
  @Test
  void servesTheNextMessageAfterHeldContentWasRefused() throws Exception {
    listUrl();
    try (SmtpClient client = gateway.connect().upToContent()) {
      expect("554 5.7.1", client.content("Subject: hi\r\n\r\nhttp://evil.example/x\r\n"));
      expect("250", client.ask("MAIL FROM:<carol@sender.example>"));
      expect("250", client.ask("RCPT TO:<bob@example.com>"));
      expect("250", client.message(MESSAGE));
      expect("221", client.ask("QUIT"));
    }
    gateway.awaitQuiet();
    assertEquals(1, upstream.state().idleConnections());
    deliver();
    assertEquals(1, server.connections().size());
    assertEquals(2, server.deliveredCount());
  }

  /** Of content that was begun the server never gets the dot, so its connection ends. */
  @Test
  void isReplacedAfterContentOnItsWayWasRefused() throws Exception {
    listUrl();
    try (SmtpClient client = gateway.connect().upToContent()) {
      client.raw("Subject: hi\r\n\r\n" + "0123456789012345678901234567890123456\r\n".repeat(9_000));
      expect("554 5.7.1", client.content("http://evil.example/x\r\n"));
      expect("221", client.ask("QUIT"));
    }
    gateway.awaitQuiet();
    assertEquals(0, upstream.state().idleConnections());
    deliver();
    assertEquals(2, server.connections().size());
    assertEquals(1, server.deliveredCount());
    assertEquals(0, gateway.registry.contentBudget().takenOctets());
  }

  @Test
  void isReplacedAfterARestartOfTheServer() throws Exception {
    try (SmtpClient one = gateway.connect().upToContent();
        SmtpClient two = gateway.connect().upToContent()) {
      expect("250", one.content(MESSAGE));
      expect("250", two.content(MESSAGE));
    }
    gateway.awaitQuiet();
    assertEquals(2, upstream.state().idleConnections());
    server.connections().forEach(UpstreamConnection::drop);
    deliver();
    assertEquals(3, server.deliveredCount());
  }

  @Test
  void isReplacedWhereATransactionIsBegunAgain() throws Exception {
    try (SmtpClient slow = gateway.connect().upToMail("alice@sender.example")) {
      expect("250", slow.ask("RCPT TO:<bob@example.com>"));
      try (SmtpClient other = gateway.connect().upToContent()) {
        expect("250", other.content(MESSAGE));
        expect("221", other.ask("QUIT"));
        assertEquals(SmtpClient.END, other.reply());
        assertEquals(1, upstream.state().idleConnections());
      }
      // The server restarts: the connection of this transaction dies, and so does the idle one.
      server.connections().forEach(UpstreamConnection::drop);
      expect("250", slow.ask("RCPT TO:<carol@example.com>"));
      expect("250", slow.message(MESSAGE));
      server.nextDelivery();
      assertEquals(List.of("<bob@example.com>", "<carol@example.com>"), server.nextDelivery().to());
    }
  }

  /** Longer than a test may take. */
  private static final Duration NEVER = Duration.ofMinutes(10);

  /** It is seen to be gone when the client goes on, and nobody answers on another connection. */
  @ParameterizedTest
  @CsvSource({"RCPT, false", "RCPT, true", "DATA, false", "DATA, true"})
  void aServerThatClosedInsideATransactionAndIsGoneIsNotWaitedFor(String step, boolean reset)
      throws Exception {
    try (MailServer patient = before(NEVER, NEVER);
        SmtpClient client = gateway.relayTo(patient).connect().upToRcpt()) {
      server.stopListening();
      for (UpstreamConnection connection : server.connections()) {
        if (reset) {
          connection.reset();
        } else {
          connection.drop();
        }
      }
      goesOnInVain(client, step);
    }
  }

  /** Nothing came from it, not even an end: {@code downstream.command_timeout} bounds the wait. */
  @ParameterizedTest
  @ValueSource(strings = {"RCPT", "DATA"})
  void aServerThatVanishedInsideATransactionIsWaitedForAsTheSettingsSay(String step)
      throws Exception {
    try (MailServer patient = before(NEVER, Duration.ofSeconds(2));
        SmtpClient client = gateway.relayTo(patient).connect().upToRcpt()) {
      server.always(step, UpstreamConnection::stall);
      goesOnInVain(client, step);
    }
  }

  private static void goesOnInVain(SmtpClient client, String step) throws IOException {
    if (step.equals("DATA")) {
      expect("451 4.4.1", client.message(MESSAGE));
    } else {
      expect("451 4.4.1", client.ask("RCPT TO:<eve@example.com>"));
      expect("451 4.4.1", client.ask("DATA"));
    }
  }

  /**
   * When many messages reach a server's own limit for one client, the log has only a few lines of
   * it.
   */
  @Test
  void whatEachMessageIsRefusedDoesNotFillTheLog() throws Exception {
    try (LogLines log = new LogLines(RecipientGroup.class)) {
      server.always("MAIL", c -> c.reply("421 4.7.0 too much mail from you"));
      for (int i = 0; i < 30; i++) {
        try (SmtpClient client = gateway.connect().upToMail("alice@sender.example")) {
          expect("451 4.3.2", client.ask("RCPT TO:<bob@example.com>"));
        }
      }
      assertEquals(SessionServices.Reporting.UPSTREAM_LINES, log.warnings().size());
    }
  }

  @Test
  void aSenderThatIsPutOffDoesNotUseUpAllConnections() throws Exception {
    try (SmtpClient one = gateway.connect().upToContent();
        SmtpClient two = gateway.connect().upToContent();
        SmtpClient three = gateway.connect().upToContent()) {
      for (SmtpClient client : List.of(one, two, three)) {
        expect("250", client.content(MESSAGE));
      }
    }
    gateway.awaitQuiet();
    assertEquals(3, upstream.state().idleConnections());
    server.always("MAIL", c -> c.reply("451 4.1.8 sender cannot be verified now"));
    try (SmtpClient client = gateway.connect().upToMail("alice@sender.example")) {
      expect("451 4.1.8", client.ask("RCPT TO:<bob@example.com>"));
    }
    gateway.awaitQuiet();
    assertEquals(1, upstream.state().idleConnections());
    assertEquals(3, server.connections().size());
  }

  /** Where it goes away after bad recipients, another connection would only help to guess on. */
  @ParameterizedTest
  @ValueSource(strings = {"RCPT", "RSET", "MAIL"})
  void isNotReplacedWhereTheServerHasHadEnoughOfBadRecipients(String step) throws Exception {
    try (SmtpClient client = gateway.connect()) {
      server.on("MAIL", "250 2.1.0 ok").on("RCPT", "250 2.1.5 ok", "550 5.1.1 nobody");
      server.on(step, "421 4.7.0 too many errors");
      client.upToMail("alice@sender.example");
      expect("250", client.ask("RCPT TO:<bob@example.com>"));
      expect("550", client.ask("RCPT TO:<a@example.com>"));
      if (!step.equals("RCPT")) {
        expect("250", client.ask("RSET"));
        expect("250", client.ask("MAIL FROM:<alice@sender.example>"));
      }
      expect("451 4.3.2", client.ask("RCPT TO:<b@example.com>"));
      expect("451 4.3.2", client.ask("RCPT TO:<c@example.com>"));
      assertEquals(1, server.connections().size());
      assertTrue(upstream.state().up());
    }
  }
}
