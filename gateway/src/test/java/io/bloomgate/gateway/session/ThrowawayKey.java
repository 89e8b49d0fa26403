package io.bloomgate.gateway.session;

import io.bloomgate.gateway.testkit.TestCertificate;
import io.bloomgate.gateway.wire.HoldingSocket;
import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;

/** A certificate that nobody vouches for, and a client that believes it. */
final class ThrowawayKey {

  private ThrowawayKey() {}

  /** A client's context that trusts everybody. */
  static SSLContext client() throws GeneralSecurityException {
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, new TrustManager[] {new Credulous()}, new SecureRandom());
    return context;
  }

  /** The server's context as sessions ask for it. */
  static Supplier<SSLContext> serverContext(Path folder) {
    SSLContext context = TestCertificate.shared(folder, "dns:mx.test.example").server();
    return () -> context;
  }

  /** A client's side of TLS on the connection it has, without a handshake yet. */
  static SSLSocket over(SmtpClient client) throws IOException, GeneralSecurityException {
    return (SSLSocket)
        client().getSocketFactory().createSocket(client.socket(), "127.0.0.1", 25, true);
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

  private static final class Credulous implements X509TrustManager {
    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type) {}

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return new X509Certificate[0];
    }
  }
}
