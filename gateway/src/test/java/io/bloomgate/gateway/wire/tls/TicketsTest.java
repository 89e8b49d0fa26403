package io.bloomgate.gateway.wire.tls;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.bloomgate.gateway.testkit.TestCertificate;
import io.netty.handler.ssl.util.TrustManagerFactoryWrapper;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Clients that come again: without a whole handshake they ask nobody about the certificate. */
final class TicketsTest {

  private static final TestCertificate CERTIFICATE = TestCertificate.shared("dns:localhost");
  private static final Instant NOW = Instant.parse("2026-11-30T09:00:00Z");

  /** Goes over to TLS on a connection; the same sessions are known to all of its connections. */
  interface Client {
    Socket over(Socket plain) throws IOException;
  }

  enum Kind {
    JAVA_13,
    JAVA_12,
    OURS_NATIVE,
    OURS_JDK;

    Client client(Trust trust) throws GeneralSecurityException {
      return switch (this) {
        case JAVA_13 -> java(trust, "TLSv1.3");
        case JAVA_12 -> java(trust, "TLSv1.2");
        case OURS_NATIVE -> ours(trust, TlsEngine.NATIVE);
        case OURS_JDK -> ours(trust, TlsEngine.JDK);
      };
    }

    private static Client java(Trust trust, String version) throws GeneralSecurityException {
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, new TrustManager[] {trust}, null);
      return plain -> {
        SSLSocket tls =
            (SSLSocket) context.getSocketFactory().createSocket(plain, "localhost", 25, true);
        tls.setEnabledProtocols(new String[] {version});
        tls.startHandshake();
        return tls;
      };
    }

    private static Client ours(Trust trust, TlsEngine engine) {
      TlsContext context = TlsContext.verified(engine, new TrustManagerFactoryWrapper(trust));
      return plain -> {
        TlsSocket tls = context.over(plain, "localhost");
        tls.handshake();
        return tls;
      };
    }
  }

  /** Trusts all, and counts how often it is asked. */
  static final class Trust extends TestCertificate.AnyServer {
    private int asked;

    @Override
    protected void isAsked() {
      asked++;
    }
  }

  @BeforeEach
  void needsTheNativeEngine() {
    assumeTrue(TlsEngine.inUse() == TlsEngine.NATIVE);
  }

  /** The keys of a node whose secret is this. */
  private static TicketKeys keys(String secret) {
    return new TicketKeys(purpose -> {
      try {
        return MessageDigest.getInstance("SHA-256").digest((secret + purpose).getBytes(US_ASCII));
      } catch (NoSuchAlgorithmException e) {
        throw new IllegalStateException(e);
      }
    });
  }

  private static TlsContext server(TicketKeys keys, Instant now) {
    TlsContext context = CERTIFICATE.server(TlsEngine.NATIVE);
    context.renewTickets(keys, now);
    return context;
  }

  /** Connects to each of these in turn; returns the number of whole handshakes. */
  private static int handshakes(Kind kind, TlsContext... servers) throws Exception {
    Trust trust = new Trust();
    Client client = kind.client(trust);
    try (ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      for (TlsContext context : servers) {
        Thread server = Thread.ofVirtual().start(() -> serve(listener, context));
        try (Socket plain = new Socket(listener.getInetAddress(), listener.getLocalPort());
            Socket tls = client.over(plain)) {
          assertEquals('x', tls.getInputStream().read());
        }
        server.join();
      }
    }
    return trust.asked;
  }

  private static void serve(ServerSocket listener, TlsContext context) {
    try (Socket plain = listener.accept();
        TlsSocket tls = context.over(plain, "client.example")) {
      tls.handshake();
      tls.getOutputStream().write('x');
      assertEquals(-1, tls.getInputStream().read());
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  @ParameterizedTest
  @EnumSource
  void ticketsOutliveAReloadAndCountOnAllNodes(Kind kind) throws Exception {
    TlsContext later = server(keys("a"), NOW.plus(TicketKeys.PERIOD));
    assertEquals(1, handshakes(kind, server(keys("a"), NOW), later));
  }

  @ParameterizedTest
  @EnumSource
  void ticketsOfAnotherSecretCountForNothing(Kind kind) throws Exception {
    assertEquals(2, handshakes(kind, server(keys("a"), NOW), server(keys("b"), NOW)));
  }

  /** Java's engine makes the keys of each context. */
  @ParameterizedTest
  @EnumSource
  void theOtherEngineGivesTicketsToo(Kind kind) throws Exception {
    TlsContext java = CERTIFICATE.server(TlsEngine.JDK);
    java.renewTickets(keys("a"), NOW);
    assertEquals(1, handshakes(kind, java, java));
  }

  @Test
  void ticketsEndWithTheirKeys() throws Exception {
    TlsContext later = server(keys("a"), NOW);
    assertEquals(1, handshakes(Kind.JAVA_13, server(keys("a"), NOW), later));
    later.renewTickets(
        keys("a"), NOW.plus(TicketKeys.PERIOD.multipliedBy(TicketKeys.OLDER_PERIODS + 1)));
    assertEquals(2, handshakes(Kind.JAVA_13, server(keys("a"), NOW), later));
  }

  @Test
  void aNodeWhoseClockIsAheadIsUnderstood() throws Exception {
    TlsContext ahead = server(keys("a"), NOW.plus(TicketKeys.PERIOD));
    assertEquals(1, handshakes(Kind.JAVA_13, ahead, server(keys("a"), NOW)));
  }

  /** Keys of a process are kept while they open tickets, and then forgotten. */
  @Test
  void theKeysOfAProcessAreForgotten() {
    TicketKeys keys = TicketKeys.ofThisProcess(new SecureRandom());
    long period = TicketKeys.period(NOW);
    Set<Integer> first = names(keys, period);
    assertEquals(first, names(keys, period));
    Set<Integer> later = names(keys, period + TicketKeys.OLDER_PERIODS);
    assertTrue(first.removeAll(later));
    assertFalse(first.isEmpty());
    keys.of(period + 10L * TicketKeys.OLDER_PERIODS);
    later.removeAll(names(keys, period + TicketKeys.OLDER_PERIODS));
    assertEquals(TicketKeys.OLDER_PERIODS + 2, later.size());
  }

  private static Set<Integer> names(TicketKeys keys, long period) {
    Set<Integer> names = new HashSet<>();
    for (var key : keys.of(period)) {
      names.add(Arrays.hashCode(key.name()));
    }
    return names;
  }
}
