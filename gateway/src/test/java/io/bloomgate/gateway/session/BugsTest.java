package io.bloomgate.gateway.session;

import static io.bloomgate.gateway.session.ScriptedUpstream.KNOWN;
import static io.bloomgate.gateway.testkit.SmtpClient.expect;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.bloomgate.gateway.testkit.LogLines;
import io.bloomgate.gateway.testkit.SmtpClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.SocketException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is left of a session that ends by a bug. */
final class BugsTest extends OneGateway {

  private static final ScriptedUpstream.Script BUG =
      _ -> {
        throw new IllegalStateException("a bug");
      };
  private static final String MESSAGE = "Subject: hi\r\n\r\nbody\r\n";

  /** A bug at any step of a message: it is logged, and no connection or permit is lost. */
  @ParameterizedTest
  @CsvSource({"RCPT, abandoned", "DATA, abandoned", "content, abandoned", "., unknown"})
  void aBugLeavesNeitherMemoryNorConnectionNorSilence(String step, String outcome)
      throws Exception {
    ScriptedUpstream upstream = gateway.upstream;
    switch (step) {
      case "RCPT" -> upstream.onRcpt = to -> to.startsWith("eve@") ? BUG.at(to) : KNOWN;
      case "DATA" -> upstream.onData = BUG;
      case "content" -> upstream.onContent = () -> BUG.at("");
      default -> upstream.onFinalDot = BUG;
    }
    try (LogLines log = new LogLines(SubethaListener.class);
        SmtpClient client = gateway.connect().upToRcpt()) {
      client.raw("RCPT TO:<eve@example.com>\r\n");
      if (!step.equals("RCPT")) {
        expect("250", client.reply());
        client.raw("DATA\r\n");
        expect("354", client.reply());
        sendContent(client);
      }
      expect("421 4.3.0", client.reply());
      gateway.awaitQuiet();
      assertEquals(List.of(outcome), gateway.telemetry.outcomes());
      assertEquals(0, gateway.registry.contentBudget().takenOctets());
      assertEquals("CLOSE", gateway.upstream.commands.getLast());
      assertEquals(List.of("ERROR session of 127.0.0.1 ended by a bug"), log.warnings());
    }
  }

  /** A client that finds a message with such an effect could send it for ever. */
  @Test
  void bugsDoNotFillTheLog() throws Exception {
    ScriptedUpstream upstream = gateway.upstream;
    upstream.onRcpt = BUG;
    try (LogLines log = new LogLines(SubethaListener.class)) {
      for (int i = 0; i < 20; i++) {
        try (SmtpClient client = gateway.connect()) {
          client.raw("EHLO me.example\r\nMAIL FROM:<>\r\nRCPT TO:<bob@example.com>\r\n");
          expect("220", client.reply());
          expect("250", client.reply());
          expect("250", client.reply());
          expect("421 4.3.0", client.reply());
          assertEquals(SmtpClient.END, client.reply());
        }
      }
      gateway.awaitQuiet();
      assertEquals(5, log.warnings().size(), log.warnings().toString());
    }
  }

  /** The gateway may close before it has read all of it; its reply is there anyway. */
  private static void sendContent(SmtpClient client) {
    try {
      client.raw(MESSAGE + "line\r\n".repeat(100_000) + ".\r\n");
    } catch (SocketException e) {
      // The reply is read next.
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
