package io.bloomgate.it;

import static io.bloomgate.gateway.testkit.SmtpClient.expect;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.config.control.ControlRequest;
import io.bloomgate.config.json.JsonValue.JsonObject;
import io.bloomgate.gateway.testkit.ScriptedUpstream;
import io.bloomgate.gateway.testkit.SmtpClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Traps and reports with a real Postfix, and entries that end when they are of no use. */
class TrapStoryTest {

  private static final String SPAM = "Subject: You have won\r\n\r\nhttp://prize.example/now\r\n";

  @TempDir Path folder;

  /** What a trap got, and who asks for addresses that nobody has. */
  @Test
  void whatPostfixDoesNotKnowEndsHere() throws Exception {
    int port = FreePort.next();
    try (ScriptedUpstream sink = ScriptedUpstream.start();
        PostfixServer _ = knowing(port, sink.port());
        GatewayFixture gateway =
            GatewayFixture.in(own(), port)
                .with("traps", "{addresses: [nobody@example.com, old@example.com]}")
                .start()) {
      expect("250", gateway.send("192.0.2.10", "a@partner.example", SPAM, "nobody@example.com"));
      assertEquals(0, sink.deliveredCount());
      expect("250", gateway.send("203.0.113.7", "a@partner.example", SPAM, "old@example.com"));
      expect("250", gateway.send("192.0.2.11", "a@partner.example", SPAM, "old@example.com"));
      assertTrue(sink.nextDelivery().content().contains("prize.example"));
      for (int i = 0; i < 5; i++) {
        expect("550", gateway.rcpt("198.18." + i + ".1", "a@partner.example", "gone@example.com"));
      }
      Instant since = Instant.now().minus(Duration.ofHours(1));
      List<JsonObject> traps = gateway.control(new ControlRequest.Traps(since, 0, 9)).items();
      assertEquals("nobody@example.com 1 1", row(traps.getFirst()));
      assertEquals("old@example.com 2 2", row(traps.getLast()));
      List<JsonObject> asked = gateway.control(new ControlRequest.Traps(since, 5, 9)).items();
      assertEquals(
          List.of("gone@example.com 5 5"), asked.stream().map(TrapStoryTest::row).toList());
      assertEquals(0, gateway.control(new ControlRequest.Traps(since, 6, 9)).items().size());
    }
  }

  private static String row(JsonObject row) {
    return row.text("trap").orElse("")
        + " "
        + row.number("mails").orElse(-1)
        + " "
        + row.number("networks").orElse(-1);
  }

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

  /** Passes all on but mail for two that it does not know. */
  private PostfixServer knowing(int port, int sink) throws IOException, InterruptedException {
    return PostfixServer.start(
        folder,
        """
        smtpd_recipient_restrictions = check_recipient_access
          inline:{{nobody@example.com = 550 5.1.1 User unknown}, {gone@example.com = 550 5.1.1 User unknown}}
        """,
        "127.0.0.1:%d inet n - n - 10 smtpd\n  -o smtpd_proxy_filter=127.0.0.1:%d\n"
            .formatted(port, sink),
        port);
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
