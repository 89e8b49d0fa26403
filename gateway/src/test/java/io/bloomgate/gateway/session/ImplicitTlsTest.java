package io.bloomgate.gateway.session;

import static io.bloomgate.gateway.testkit.SmtpClient.expect;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.gateway.log.Limit;
import io.bloomgate.gateway.testkit.SmtpClient;
import io.bloomgate.gateway.wire.HoldingSocket;
import java.io.IOException;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Listeners that begin with a handshake, RFC 8314 section 3. */
final class ImplicitTlsTest {

  private static final String PROXIES = ", proxy_protocol: both, trusted_proxies: [127.0.0.0/8]";

  /** A record with an alert, RFC 8446 section 6. */
  private static final int ALERT_OCTETS = 7;

  private static TestGateway gateway(String more) throws Exception {
    return TestGateway.underTls(
        "tls: implicit" + more, "policy: {reject_at: connect}", new ScriptedUpstream());
  }

  @ParameterizedTest
  @CsvSource({"TLSv1.3", "TLSv1.2"})
  void relaysFromTheFirstOctetOnUnderTls(String protocol) throws Exception {
    try (TestGateway gateway = gateway("");
        SmtpClient client = gateway.connect()) {
      ThrowawayKey.handshake(client, protocol);
      expect("220 mx.test.example", client.reply());
      assertFalse(client.ask("EHLO client.example").contains("STARTTLS"));
      expect("503 5.5.1", client.ask("STARTTLS"));
      expect("250", client.ask("MAIL FROM:<a@b.example>"));
      expect("250", client.ask("RCPT TO:<bob@example.com>"));
      expect("250", client.message("A: b\r\n\r\nbody\r\n"));
      assertEquals("221 2.0.0 Bye", client.ask("QUIT"));
      assertEquals(SmtpClient.END, client.reply());
      gateway.awaitQuiet();
      String content = gateway.upstream.taken.getFirst().content();
      assertTrue(content.contains("with ESMTPS id"), content);
    }
  }

  /** The socket of TLS has none of its kind beside that of the connection. */
  @Test
  @EnabledOnOs(OS.LINUX)
  void aSessionHoldsOneDescriptor() throws Exception {
    int sessions = 20;
    try (TestGateway gateway = gateway("")) {
      long before = sockets();
      for (int i = 0; i < sessions; i++) {
        SmtpClient client = gateway.connect();
        ThrowawayKey.handshake(client, "TLSv1.3");
        expect("220 mx.test.example", client.reply());
      }
      // One of the client and one of the gateway; a few of the connection to the mail server.
      assertTrue(sockets() - before < 2.5 * sessions, before + " and " + sockets());
    }
  }

  private static long sockets() throws IOException {
    try (Stream<Path> files = Files.list(Path.of("/proc/self/fd"))) {
      return files.filter(ImplicitTlsTest::isSocket).count();
    }
  }

  private static boolean isSocket(Path descriptor) {
    try {
      return Files.readSymbolicLink(descriptor).toString().startsWith("socket:");
    } catch (IOException e) {
      return false; // it was closed meanwhile
    }
  }

  /** The header is the proxy's own, and it may share a segment with the client's first octets. */
  @Test
  void proxyHeaderComesBeforeTheHandshake() throws Exception {
    try (TestGateway gateway = gateway(PROXIES);
        HoldingSocket socket = new HoldingSocket(gateway.port());
        SmtpClient client = new SmtpClient(socket)) {
      gateway.lists.list("203.0.113.7", "drop");
      socket.hold();
      client.raw("PROXY TCP4 203.0.113.7 192.0.2.1 40000 465\r\n");
      socket.joinNext();
      ThrowawayKey.handshake(client, "TLSv1.3");
      expect("554 5.7.1 Service unavailable; Client host [203.0.113.7]", client.reply());
      expect("503 5.5.1", client.ask("EHLO client.example"));
    }
  }

  @ParameterizedTest
  @CsvSource({
    "', max_sessions: 1', SESSIONS",
    "', max_sessions_per_ip: 1', SESSIONS_PER_IP",
    "', connection_rate: 1/m', CONNECTION_RATE"
  })
  void whoGetsNoPlaceGetsNoHandshake(String limits, Limit limit) throws Exception {
    try (TestGateway gateway = gateway(limits)) {
      try (SmtpClient first = gateway.connect()) {
        ThrowawayKey.handshake(first, "TLSv1.3");
        expect("220", first.reply());
        try (SmtpClient second = gateway.connect()) {
          assertEquals(SmtpClient.END, second.reply());
        }
        expect("250", first.ask("EHLO client.example"));
        expect("221", first.ask("QUIT"));
      }
      gateway.awaitQuiet();
      assertEquals(List.of(limit), gateway.telemetry.limits);
    }
  }

  @Test
  void plaintextIsNotAnsweredAsSmtp() throws Exception {
    try (TestGateway gateway = gateway("");
        SmtpClient client = gateway.connect()) {
      client.raw("EHLO client.example\r\nQUIT\r\n");
      byte[] heard = new byte[0];
      try {
        heard = client.socket().getInputStream().readAllBytes();
      } catch (SocketException reset) {
        // Nothing was said.
      }
      assertTrue(heard.length <= ALERT_OCTETS, new String(heard, StandardCharsets.ISO_8859_1));
      gateway.awaitQuiet();
      assertEquals(0, gateway.telemetry.open.get());
    }
  }

  @Test
  void handshakeThatIsNotBegunIsClosedAndCounted() throws Exception {
    try (TestGateway gateway = gateway("").tickedOnce();
        SmtpClient client = gateway.connect()) {
      while (gateway.registry.count() == 0) {
        LockSupport.parkNanos(1_000_000);
      }
      gateway.goRoundUntilEmpty();
      assertEquals(SmtpClient.END, client.reply());
      assertEquals(List.of(Limit.COMMAND_TIMEOUT), gateway.telemetry.limits);
    }
  }

  @Test
  void whoTalksBeforeTheBannerIsRefusedUnderTls() throws Exception {
    try (TestGateway gateway = gateway(", banner_delay: 30s");
        SmtpClient client = gateway.connect()) {
      ThrowawayKey.handshake(client, "TLSv1.3");
      expect("554 5.5.1", client.ask("EHLO client.example"));
    }
  }
}
