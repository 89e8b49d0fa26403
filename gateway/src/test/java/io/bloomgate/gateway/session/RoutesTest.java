package io.bloomgate.gateway.session;

import static io.bloomgate.gateway.testkit.SmtpClient.expect;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.config.settings.Settings;
import io.bloomgate.config.settings.SettingsFile;
import io.bloomgate.config.settings.SettingsResult;
import io.bloomgate.gateway.relay.ClientNames;
import io.bloomgate.gateway.relay.MailRoutes;
import io.bloomgate.gateway.relay.ServerMemory;
import io.bloomgate.gateway.testkit.ScriptedUpstream;
import io.bloomgate.gateway.testkit.SmtpClient;
import io.bloomgate.gateway.testkit.UpstreamConnection;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Mail for several servers behind one gateway: by domain, with backups, and by LMTP. */
final class RoutesTest {

  private static final String MESSAGE = "Subject: hi\r\n\r\nbody\r\n.\r\n";
  private static final String BOB = "bob@example.com";
  private static final String SUE = "sue@one.sub.example.com";

  private final ScriptedUpstream one = ScriptedUpstream.start();
  private final ScriptedUpstream other = ScriptedUpstream.start();

  @AfterEach
  void close() {
    one.close();
    other.close();
  }

  private static MailRoutes upstreams(String downstream) {
    String yaml =
        "domains: [example.com, .sub.example.com]\ndownstream: {host: 127.0.0.1, client_address:"
            + " none, "
            + downstream
            + "}\n";
    Settings settings =
        switch (SettingsFile.parse("test.yaml", yaml, Map.of(), () -> "mx.test.example")) {
          case SettingsResult.Loaded loaded -> loaded.settings();
          case SettingsResult.Invalid(var problems) -> throw new AssertionError(problems);
        };
    return new MailRoutes(
        settings.downstream(),
        "mx.test.example",
        System::nanoTime,
        () -> {},
        ServerMemory.ofProcess(),
        Runnable::run,
        ClientNames.OFF);
  }

  private MailRoutes routed() {
    return upstreams(
        "port: "
            + one.port()
            + ", routes: {.sub.example.com: {host: 127.0.0.1, port: "
            + other.port()
            + ", client_address: none}}");
  }

  private static SmtpClient upToMail(TestGateway gateway) throws Exception {
    SmtpClient client = gateway.connect();
    expect("220", client.reply());
    expect("250", client.ask("EHLO client.example"));
    expect("250", client.ask("MAIL FROM:<alice@sender.example>"));
    return client;
  }

  private static String rcpt(SmtpClient client, String to) throws Exception {
    return client.ask("RCPT TO:<" + to + ">");
  }

  private static void send(SmtpClient client) throws Exception {
    expect("354", client.ask("DATA"));
    client.raw(MESSAGE);
    expect("250", client.reply());
  }

  // ---- by domain

  @Test
  void recipientsOfAnotherRouteAreSentAgainByTheClient() throws Exception {
    try (MailRoutes upstreams = routed();
        TestGateway gateway = TestGateway.before(upstreams, new RecordingTelemetry());
        SmtpClient client = upToMail(gateway)) {
      expect("250", rcpt(client, BOB));
      expect("452 4.5.3", rcpt(client, SUE));
      expect("250", rcpt(client, "eve@example.com"));
      send(client);
      expect("250", client.ask("MAIL FROM:<alice@sender.example>"));
      expect("250", rcpt(client, SUE));
      expect("452 4.5.3", rcpt(client, BOB));
      send(client);
    }
    assertEquals(List.of("<" + BOB + ">", "<eve@example.com>"), one.nextDelivery().to());
    assertEquals(List.of("<" + SUE + ">"), other.nextDelivery().to());
  }

  @Test
  void oneServersRefusalIsNotAnothers() throws Exception {
    one.always("MAIL", connection -> connection.reply("550 5.7.1 we do not like alice"));
    try (MailRoutes upstreams = routed();
        TestGateway gateway = TestGateway.before(upstreams, new RecordingTelemetry());
        SmtpClient client = upToMail(gateway)) {
      expect("550 5.7.1", rcpt(client, BOB));
      expect("250", rcpt(client, SUE));
      expect("452 4.5.3", rcpt(client, BOB));
      send(client);
    }
    assertEquals(1, other.deliveredCount());
  }

  @Test
  void aDeadServerDoesNotStopTheOthersMail() throws Exception {
    one.always(ScriptedUpstream.CONNECT, UpstreamConnection::drop);
    try (MailRoutes upstreams = routed();
        TestGateway gateway = TestGateway.before(upstreams, new RecordingTelemetry());
        SmtpClient client = upToMail(gateway)) {
      expect("451 4.4.1", rcpt(client, BOB));
      expect("250", rcpt(client, SUE));
      send(client);
    }
    assertEquals(1, other.deliveredCount());
  }

  @Test
  void aRecipientRefusedOnOneRouteLeavesTheWayFreeForAnother() throws Exception {
    one.on("RCPT", "550 5.1.1 nobody");
    try (MailRoutes upstreams = routed();
        TestGateway gateway = TestGateway.before(upstreams, new RecordingTelemetry());
        SmtpClient client = upToMail(gateway)) {
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
    try (MailRoutes upstreams = upstreams(backup);
        TestGateway gateway = TestGateway.before(upstreams, new RecordingTelemetry());
        SmtpClient client = upToMail(gateway)) {
      expect("250", rcpt(client, BOB));
      send(client);
      assertTrue(upstreams.isUp());
    }
    assertEquals(1, other.deliveredCount());
  }

  @Test
  void aMessageGoesToOneServerWhateverBecomesOfIt() throws Exception {
    one.on(ScriptedUpstream.FINAL_DOT, UpstreamConnection::drop);
    String backup = "port: " + one.port() + ", backups: ['127.0.0.1:" + other.port() + "']";
    try (MailRoutes upstreams = upstreams(backup);
        TestGateway gateway = TestGateway.before(upstreams, new RecordingTelemetry());
        SmtpClient client = upToMail(gateway)) {
      expect("250", rcpt(client, BOB));
      expect("354", client.ask("DATA"));
      client.raw(MESSAGE);
      expect("451 4.4.2", client.reply());
    }
    assertEquals(0, other.connections().size());
  }

  // ---- LMTP

  /** RFC 2033: no EHLO, no DATA without recipients, a reply for each recipient behind the dot. */
  private MailRoutes lmtp() {
    one.offering("PIPELINING", "ENHANCEDSTATUSCODES", "8BITMIME")
        .always("EHLO", connection -> connection.reply("500 5.5.1 LHLO here"))
        .always(
            ScriptedUpstream.FINAL_DOT,
            connection -> {
              for (String to : connection.recipients()) {
                connection.reply("250 2.1.5 " + to + " OK");
              }
            });
    return upstreams("protocol: lmtp, port: " + one.port());
  }

  @Test
  void lmtpHasOneRecipientInAMessage() throws Exception {
    try (MailRoutes upstreams = lmtp();
        TestGateway gateway = TestGateway.before(upstreams, new RecordingTelemetry());
        SmtpClient client = upToMail(gateway)) {
      expect("250", rcpt(client, BOB));
      expect("452 4.5.3", rcpt(client, "eve@example.com"));
      expect("354", client.ask("DATA"));
      client.raw(MESSAGE);
      assertEquals("250 2.1.5 <" + BOB + "> OK", client.reply());
      expect("250", client.ask("MAIL FROM:<alice@sender.example>"));
      expect("250", rcpt(client, "eve@example.com"));
      send(client);
    }
    assertEquals(List.of("<" + BOB + ">"), one.nextDelivery().to());
    assertEquals(List.of("<eve@example.com>"), one.nextDelivery().to());
    assertEquals("LHLO mx.test.example", one.connections().getFirst().commands().getFirst());
    assertTrue(
        one.connections().stream()
            .noneMatch(c -> c.commands().stream().anyMatch(line -> line.startsWith("EHLO"))));
  }

  @Test
  void lmtpTakesTheFirstRecipientThatIsNotRefused() throws Exception {
    try (MailRoutes upstreams = lmtp();
        TestGateway gateway = TestGateway.before(upstreams, new RecordingTelemetry());
        SmtpClient client = upToMail(gateway)) {
      one.on("RCPT", "550 5.1.1 <nobody@example.com> User doesn't exist");
      expect("550 5.1.1", rcpt(client, "nobody@example.com"));
      expect("250", rcpt(client, BOB));
      send(client);
    }
    assertEquals(List.of("<" + BOB + ">"), one.nextDelivery().to());
  }

  @Test
  void lmtpRefusalOfTheOneRecipientIsTheAnswer() throws Exception {
    try (MailRoutes upstreams = lmtp();
        TestGateway gateway = TestGateway.before(upstreams, new RecordingTelemetry());
        SmtpClient client = upToMail(gateway)) {
      // RFC 2033 section 4.2, the example's second recipient.
      one.on(ScriptedUpstream.FINAL_DOT, "452 4.2.2 <bob@example.com> is temporarily over quota");
      expect("250", rcpt(client, BOB));
      expect("354", client.ask("DATA"));
      client.raw(MESSAGE);
      assertEquals("452 4.2.2 <bob@example.com> is temporarily over quota", client.reply());
    }
    assertEquals(0, one.deliveredCount());
  }
}
