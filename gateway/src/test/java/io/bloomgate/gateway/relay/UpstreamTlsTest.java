package io.bloomgate.gateway.relay;

import static io.bloomgate.gateway.relay.RelayFixture.client;
import static io.bloomgate.gateway.relay.RelayFixture.data;
import static io.bloomgate.gateway.relay.RelayFixture.mailAndRcpt;
import static io.bloomgate.gateway.relay.RelayFixture.message;
import static io.bloomgate.gateway.relay.RelayFixture.send;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.config.settings.Settings.Downstream.ClientAddress;
import io.bloomgate.config.settings.Settings.Downstream.UpstreamTls;
import io.bloomgate.gateway.testkit.ScriptedUpstream;
import io.bloomgate.gateway.testkit.TestCertificate;
import io.bloomgate.gateway.testkit.UpstreamConnection;
import io.bloomgate.gateway.wire.tls.TlsEngine;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Encryption towards the upstream. */
@ParameterizedClass
@EnumSource
class UpstreamTlsTest extends OneServer {

  private final TlsEngine engine;

  UpstreamTlsTest(TlsEngine engine) {
    this.engine = engine;
  }

  private final TestCertificate certificate = TestCertificate.shared("ip:127.0.0.1");
  private final TestCertificate wrongName = TestCertificate.shared("dns:elsewhere.example");

  /** With the authorities of the Java installation. */
  private MailServer upstream() {
    return fixture.to(server.port(), UpstreamConnector.encryption(fixture.tls, engine));
  }

  @BeforeEach
  void offer() {
    server.offering("STARTTLS", "PIPELINING").withTls(certificate.server());
  }

  @ParameterizedTest
  @EnumSource(names = {"OPPORTUNISTIC", "REQUIRED"})
  void encryptsWithAnyCertificateAndSaysEhloAgain(UpstreamTls tls) throws UpstreamException {
    fixture.tls = tls;
    server.withTls(wrongName.server());
    try (UpstreamSession session = upstream().open(client())) {
      assertFalse(session.extensions().startTls());
      assertEquals(250, message(session).code());
    }
    assertEquals(List.of("EHLO", "STARTTLS", "EHLO", "MAIL"), verbs(0).subList(0, 4));
  }

  @Test
  void neverEncryptsWithTlsOff() throws UpstreamException {
    upstream().open(client()).close();
    assertEquals(List.of("EHLO", "QUIT"), verbs(0));
  }

  @Test
  void verifiesChainAndName() throws UpstreamException {
    fixture.tls = UpstreamTls.VERIFY;
    fixture.to(server.port(), certificate.verifying(engine)).open(client()).close();
    assertRefused(fixture.to(server.port(), wrongName.verifying(engine)), "another authority");
    server.withTls(wrongName.server());
    assertRefused(fixture.to(server.port(), wrongName.verifying(engine)), "another name");
    assertRefused(upstream(), "the authorities of the Java installation");
  }

  @ParameterizedTest
  @EnumSource(names = {"REQUIRED", "VERIFY"})
  void noMailInTheClearWhenEncryptionIsRequired(UpstreamTls tls) {
    fixture.tls = tls;
    server.on("STARTTLS", "454 4.7.0 not now");
    assertRefused(fixture.to(server.port(), certificate.verifying(engine)), "STARTTLS refused");
    // Each engine tries it.
    server.on("STARTTLS", UpstreamConnection::drop, UpstreamConnection::drop);
    assertRefused(fixture.to(server.port(), certificate.verifying(engine)), "STARTTLS dropped");
    server.offering("PIPELINING");
    assertRefused(fixture.to(server.port(), certificate.verifying(engine)), "STARTTLS not offered");
    assertEquals(0, server.deliveredCount());
  }

  /** BoringSSL refuses it: the key signs in each handshake since TLS 1.3. */
  @Test
  void aCertificateThatMayNotSignIsTakenAndTheWayToItRemembered() throws UpstreamException {
    fixture.tls = UpstreamTls.REQUIRED;
    server.withTls(TestCertificate.createOnlyToEncrypt("ip:127.0.0.1").server());
    MailServer upstream = upstream();
    for (int i = 0; i < 2; i++) {
      try (UpstreamSession session = upstream.open(client())) {
        assertEquals(250, message(session).code());
      }
    }
    assertEquals(engine == TlsEngine.NATIVE ? 3 : 2, server.connections().size());
  }

  @Test
  void opportunisticGoesOnInTheClear() throws UpstreamException {
    fixture.tls = UpstreamTls.OPPORTUNISTIC;
    ScriptedUpstream.Action noTls =
        connection -> {
          connection.reply("220 go");
          connection.awaitInput();
          connection.raw(new byte[] {'n', 'o', ' ', 'T', 'L', 'S'});
          connection.drop();
        };
    server.on("STARTTLS", connection -> connection.reply("454 4.7.0 not now"), noTls, noTls);
    for (int i = 0; i < 2; i++) {
      try (UpstreamSession session = upstream().open(client())) {
        assertEquals(250, message(session).code());
      }
    }
    assertEquals(List.of("EHLO", "STARTTLS", "MAIL"), verbs(0).subList(0, 3));
    int last = engine == TlsEngine.NATIVE ? 3 : 2; // Java's engine tries it, too
    for (int i = 1; i < last; i++) {
      assertEquals(List.of("EHLO", "STARTTLS"), verbs(i));
    }
    assertEquals(List.of("EHLO", "MAIL"), verbs(last).subList(0, 2));
  }

  @Test
  void wordsBehindTheReplyToStarttlsAreNotBelieved() {
    fixture.tls = UpstreamTls.OPPORTUNISTIC;
    server.on("STARTTLS", "220 go\r\n250-injected\r\n250 XCLIENT ADDR");
    assertRefused(upstream(), "injected");
  }

  @Test
  void xclientComesAfterTls() throws UpstreamException {
    fixture.tls = UpstreamTls.REQUIRED;
    fixture.clientAddress = ClientAddress.XCLIENT;
    server.offering("STARTTLS", "XCLIENT ADDR");
    upstream().open(client()).close();
    assertEquals(List.of("EHLO", "STARTTLS", "EHLO", "XCLIENT", "EHLO", "QUIT"), verbs(0));
  }

  @Test
  void aYesBeforeTheFinalDotIsSeenThroughTheEncryption() throws Exception {
    fixture.tls = UpstreamTls.REQUIRED;
    CountDownLatch spoken = new CountDownLatch(1);
    server.on(
        "DATA",
        connection -> {
          connection.reply("354 go");
          connection.reply("250 2.0.0 queued already");
          spoken.countDown();
        });
    try (UpstreamSession session = upstream().open(client())) {
      mailAndRcpt(session);
      assertEquals(354, data(session).code());
      assertTrue(spoken.await(60, TimeUnit.SECONDS));
      send(session, "Subject: x\r\n\r\nbody\r\n");
      UpstreamException e = assertThrows(UpstreamException.class, session::endOfData);
      assertEquals("4.3.0", e.reply().enhanced());
      assertFalse(e.outcomeUnknown());
    }
    server.connections().getFirst().awaitEnd();
    assertEquals(0, server.deliveredCount());
  }

  private static void assertRefused(MailServer upstream, String why) {
    UpstreamException e = assertThrows(UpstreamException.class, () -> upstream.open(client()), why);
    assertEquals(451, e.reply().code(), why);
  }

  private List<String> verbs(int connection) {
    return server.connections().get(connection).commands().stream()
        .map(line -> line.split(" ", 2)[0])
        .toList();
  }
}
