package io.bloomgate.it;

import static io.bloomgate.gateway.testkit.SmtpClient.expect;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.bloomgate.config.control.ControlRequest;
import io.bloomgate.config.json.JsonValue.JsonObject;
import io.bloomgate.gateway.testkit.ScriptedUpstream;
import io.bloomgate.gateway.testkit.SmtpClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A report of spam that comes through a real Postfix. */
class TrapStoryTest {

  private static final String SPAM = "Subject: You have won\r\n\r\nhttp://prize.example/now\r\n";

  @TempDir Path folder;

  /** A user of Postfix sends the report; what comes from there does not go back there. */
  @Test
  void aReportThroughPostfixIsReadAndEndsHere() throws Exception {
    int port = FreePort.next();
    try (ScriptedUpstream sink = ScriptedUpstream.start();
        GatewayFixture gateway =
            GatewayFixture.in(own(), sink.port())
                .with("reports", "{address: spam@example.com}")
                .start();
        PostfixServer _ = relaying(port, gateway.port("plain"))) {
      try (SmtpClient client = new SmtpClient(port)) {
        client.reply();
        client.command("EHLO desk.example.com");
        expect("250", client.command("MAIL FROM:<alice@example.com>"));
        expect("250", client.command("RCPT TO:<spam@example.com>"));
        expect(
            "250",
            client.message(
                "Subject: look\r\nMIME-Version: 1.0\r\n"
                    + "Content-Type: multipart/mixed; boundary=b\r\n\r\n"
                    + "--b\r\n\r\nthis came\r\n--b\r\nContent-Type: message/rfc822\r\n\r\n"
                    + SPAM
                    + "--b--\r\n"));
      }
      Conditions.await(
          "the audit has the report",
          () -> gateway.control(new ControlRequest.Audit(null, 9)).json().contains("report spam"));
      JsonObject audit = gateway.control(new ControlRequest.Audit(null, 9)).items().getFirst();
      assertEquals("alice@example.com at 127.0.0.1", audit.text("author").orElse(""));
      assertEquals(0, sink.deliveredCount());
    }
  }

  private Path own() throws IOException {
    return Files.createDirectory(folder.resolve("gateway"));
  }

  private PostfixServer relaying(int port, int gateway) throws IOException, InterruptedException {
    return PostfixServer.start(
        folder,
        "transport_maps = inline:{{spam@example.com = smtp:[127.0.0.1]:%d}}\n".formatted(gateway),
        """
        127.0.0.1:%d inet n - n - 10 smtpd
        relay unix - - n - - smtp
        smtp unix - - n - - smtp
        error unix - - n - - error
        retry unix - - n - - error
        defer unix - - n - 0 bounce
        trace unix - - n - 0 bounce
        """
            .formatted(port),
        port);
  }
}
