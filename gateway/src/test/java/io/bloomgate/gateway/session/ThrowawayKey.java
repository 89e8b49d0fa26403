package io.bloomgate.gateway.session;

import io.bloomgate.gateway.testkit.SmtpClient;
import io.bloomgate.gateway.testkit.TestCertificate;
import io.bloomgate.gateway.wire.HoldingSocket;
import io.bloomgate.gateway.wire.tls.CertificateChoice;
import io.bloomgate.gateway.wire.tls.TlsEngine;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.stream.Stream;
import javax.net.ssl.SSLSocket;

/** TLS of sessions under test: a certificate of the tests, and clients that accept it. */
final class ThrowawayKey {

  private static final Map<TlsEngine, Supplier<CertificateChoice>> SHARED =
      new ConcurrentHashMap<>();

  private ThrowawayKey() {}

  /** The server's certificate as sessions ask for it. */
  static Supplier<CertificateChoice> serverCertificate() {
    return serverCertificate(TlsEngine.inUse());
  }

  /** The same by this engine; all tests of this process have it in common. */
  static Supplier<CertificateChoice> serverCertificate(TlsEngine engine) {
    return SHARED.computeIfAbsent(
        engine, _ -> choice(engine, TestCertificate.shared("dns:mx.test.example")));
  }

  /** The choice between these certificates. */
  static Supplier<CertificateChoice> choice(TlsEngine engine, TestCertificate... certificates) {
    CertificateChoice choice =
        new CertificateChoice(
            Stream.of(certificates)
                .map(each ->
                    CertificateChoice.Candidate.of(
                        each.server(engine), each.certificate(), Instant.now()))
                .toList());
    return () -> choice;
  }

  /** A client's side of TLS on the connection it has, without a handshake yet. */
  static SSLSocket over(SmtpClient client) throws IOException, GeneralSecurityException {
    return TestCertificate.clientOfAnyServer(client.socket());
  }

  /** Goes over to TLS, of one of these versions. */
  static SSLSocket handshake(SmtpClient client, String... protocols)
      throws IOException, GeneralSecurityException {
    SSLSocket tls = over(client);
    tls.setEnabledProtocols(protocols);
    tls.startHandshake();
    client.continueOn(tls);
    return tls;
  }

  /** A client that has said STARTTLS, on a socket that can keep back what it sends. */
  static SmtpClient encrypted(HoldingSocket socket) throws IOException, GeneralSecurityException {
    SmtpClient client = new SmtpClient(socket);
    SmtpClient.expect("220", client.reply());
    SmtpClient.expect("220", client.ask("STARTTLS"));
    handshake(client, "TLSv1.3");
    return client;
  }
}
