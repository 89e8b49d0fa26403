package io.bloomgate.gateway.session;

import static io.bloomgate.gateway.testkit.SmtpClient.expect;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.gateway.log.Limit;
import io.bloomgate.gateway.testkit.SmtpClient;
import io.bloomgate.gateway.wire.HoldingSocket;
import io.bloomgate.gateway.wire.tls.TlsEngine;
import io.bloomgate.gateway.wire.tls.TlsRecords;
import java.io.IOException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** STARTTLS with a real handshake, and what may not be smuggled around it. */
@ParameterizedClass
@EnumSource
final class StartTlsTest {

  /** One after the other, more of which BoringSSL takes for an attack. */
  private static final int NATIVE_UPDATES = 32;

  private final TlsEngine engine;

  StartTlsTest(TlsEngine engine) {
    this.engine = engine;
  }

  private TestGateway gateway(String tls) throws IOException {
    return gateway(tls, new ScriptedUpstream());
  }

  private TestGateway gateway(String tls, ScriptedUpstream upstream) throws IOException {
    return TestGateway.underTls(engine, "tls: " + tls, "", upstream);
  }

  @Test
  void relaysUnderTlsAndForgetsWhatWasSaidBefore() throws Exception {
    for (String protocol : List.of("TLSv1.3", "TLSv1.2")) {
      try (TestGateway gateway = gateway("starttls");
          SmtpClient client = gateway.connect()) {
        expect("220", client.reply());
        assertTrue(client.ask("EHLO before.example").contains("250-STARTTLS\n"));
        expect("220 2.0.0", client.ask("STARTTLS"));
        ThrowawayKey.handshake(client, protocol);
        expect("503", client.ask("MAIL FROM:<a@b.example>"));
        assertFalse(client.ask("EHLO after.example").contains("STARTTLS"));
        expect("503 5.5.1", client.ask("STARTTLS"));
        expect("250", client.ask("MAIL FROM:<a@b.example>"));
        expect("250", client.ask("RCPT TO:<bob@example.com>"));
        expect("250", client.message("A: b\r\n\r\n" + "0123456789\r\n".repeat(20_000)));
        assertEquals("221 2.0.0 Bye", client.ask("QUIT"));
        assertEquals(SmtpClient.END, client.reply());
        gateway.awaitQuiet();
        String content = gateway.upstream.taken.getFirst().content();
        assertTrue(content.contains("from after.example"), content.substring(0, 200));
        assertTrue(content.contains("with ESMTPS id"), content.substring(0, 200));
        assertTrue(content.endsWith("0123456789\r\n".repeat(20_000)));
        assertEquals("ESMTPS", gateway.telemetry.decisions.getFirst().protocol());
      }
    }
  }

  private static SSLSocket startTls(SmtpClient client, String protocol) throws Exception {
    expect("220", client.reply());
    expect("220", client.ask("STARTTLS"));
    return ThrowawayKey.handshake(client, protocol);
  }

  /** A wait in which the idle upstream is given back must not lose what was read of a record. */
  @Test
  void recordInTwoHalvesSurvivesTheWaitBetweenThem() throws Exception {
    for (String protocol : List.of("TLSv1.3", "TLSv1.2")) {
      ScriptedUpstream upstream = new ScriptedUpstream();
      // Before the client connects: a session asks for it once, at its start.
      upstream.idleLimit = Duration.ofMillis(200);
      try (TestGateway gateway = gateway("starttls", upstream).tended();
          HoldingSocket socket = new HoldingSocket(gateway.port());
          SmtpClient client = new SmtpClient(socket)) {
        startTls(client, protocol);
        expect("250", client.ask("EHLO client.example"));
        expect("250", client.ask("MAIL FROM:<a@b.example>"));
        expect("250", client.ask("RCPT TO:<bob@example.com>"));
        socket.hold();
        client.raw("NOOP\r\n");
        socket.send(10);
        upstream.awaitClose();
        socket.release();
        expect("250", client.reply());
        expect("250", client.message("A: b\r\n\r\nbody\r\n"));
      }
    }
  }

  @Test
  void clientsMayNotRenegotiate() throws Exception {
    try (TestGateway gateway = gateway("starttls");
        SmtpClient client = gateway.connect()) {
      SSLSocket tls = startTls(client, "TLSv1.2");
      expect("250", client.ask("EHLO client.example"));
      tls.startHandshake(); // begins it, no more
      assertThrows(SSLException.class, () -> client.ask("NOOP"));
      gateway.awaitQuiet();
    }
  }

  @Test
  void keysOfTls13MayChange() throws Exception {
    try (TestGateway gateway = gateway("starttls");
        SmtpClient client = gateway.connect()) {
      SSLSocket tls = startTls(client, "TLSv1.3");
      expect("250", client.ask("EHLO client.example"));
      tls.startHandshake();
      expect("250", client.ask("NOOP"));
      expect("250", client.ask("EHLO again.example"));
    }
  }

  /** 27 octets each, which cost the gateway more than a whole command. */
  @ParameterizedTest
  @CsvSource({"NOOP, 0", "NOOP, 7", "DATA, 0", "DATA, 7"})
  void endlessKeyUpdatesEndTheSession(String stage, int updatesBetweenTexts) throws Exception {
    try (TestGateway gateway = gateway("starttls")) {
      int updates = updatesUntilTheEnd(gateway, stage, updatesBetweenTexts);
      boolean nativeBound = engine == TlsEngine.NATIVE && updatesBetweenTexts == 0;
      int least = nativeBound ? NATIVE_UPDATES : TlsRecords.MAX_EMPTY_RECORDS;
      assertTrue(updates >= least, updates + " were taken");
      gateway.awaitQuiet();
      assertEquals(List.of(Limit.TLS_RECORDS), gateway.telemetry.limits);
      assertEquals(List.of(), gateway.upstream.taken);
    }
  }

  private static int updatesUntilTheEnd(TestGateway gateway, String stage, int updatesBetweenTexts)
      throws Exception {
    int updates = 0;
    try (SmtpClient client = gateway.connect()) {
      SSLSocket tls = startTls(client, "TLSv1.3");
      client.fromGreetingToRcpt();
      expect(stage.equals("DATA") ? "354" : "250", client.ask(stage));
      try {
        while (updates < 5_000) {
          // Counted first: the update that ends the session is taken, and fails here.
          updates++;
          tls.startHandshake();
          if (updatesBetweenTexts > 0 && updates % updatesBetweenTexts == 0) {
            client.raw("X\r\n");
          }
        }
      } catch (IOException closed) {
        // The gateway has had enough.
      }
    }
    return updates;
  }

  /** Before any hello the runtime takes warnings, 7 octets each, for as long as they come. */
  @Test
  void endlessWarningsBeforeTheHandshakeEndTheSession() throws Exception {
    try (TestGateway gateway = gateway("starttls");
        SmtpClient client = gateway.connect()) {
      expect("220", client.reply());
      expect("220", client.ask("STARTTLS"));
      byte[] userCanceled = HexFormat.of().parseHex("1503030002015a");
      byte[] flood = HexFormat.of().parseHex("1503030002015a".repeat(1_000));
      int sent = 0;
      try {
        while (sent < 100_000) {
          client.socket().getOutputStream().write(flood);
          sent += flood.length / userCanceled.length;
        }
      } catch (IOException closed) {
        // The gateway has had enough.
      }
      gateway.awaitQuiet();
      assertEquals(List.of(Limit.TLS_RECORDS), gateway.telemetry.limits);
    }
  }

  /** A record an octet, in all the sizes that reads can have: none is taken for an empty one. */
  @Test
  void smallRecordsAreNoFlood() throws Exception {
    for (String protocol : List.of("TLSv1.3", "TLSv1.2")) {
      try (TestGateway gateway = gateway("starttls");
          SmtpClient client = gateway.connect()) {
        startTls(client, protocol);
        client.fromGreetingToRcpt();
        expect("354", client.ask("DATA"));
        client.raw("A: b\r\n\r\n");
        for (int i = 0; i < 5_000; i++) {
          client.raw("x");
        }
        expect("250", client.content("\r\n" + "0123456789\r\n".repeat(20_000)));
        assertEquals(List.of(), gateway.telemetry.limits);
      }
    }
  }

  @Test
  void drainReachesIdleSessionsUnderTls() throws Exception {
    try (TestGateway gateway = gateway("starttls");
        SmtpClient client = gateway.connect()) {
      startTls(client, "TLSv1.3");
      expect("250", client.ask("EHLO client.example"));
      gateway.registry.drain();
      expect("421 4.3.2", client.reply());
      assertTrue(gateway.registry.awaitEmpty(Duration.ofSeconds(60)));
    }
  }
}
