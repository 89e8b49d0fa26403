package io.bloomgate.gateway.session;

import io.bloomgate.gateway.log.Limit;
import io.bloomgate.gateway.smtp.Replies;
import io.bloomgate.gateway.smtp.Reply;
import io.bloomgate.gateway.wire.ClientWire;
import io.bloomgate.gateway.wire.ClientWire.ClientGone;
import io.bloomgate.gateway.wire.TlsRecords;
import io.bloomgate.gateway.wire.WatchedSocket;
import io.bloomgate.gateway.wire.tls.CertificateChoice;
import io.bloomgate.gateway.wire.tls.HelloRecords;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.util.Arrays;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;

/** The TLS handshake of a session, server side. Runs on the session's thread. */
final class TlsUpgrade {

  /** RFC 8996 forbids everything older. */
  private static final String[] PROTOCOLS = {"TLSv1.3", "TLSv1.2"};

  static {
    // The name that a client asks for (RFC 6066 section 3) was looked at when the certificate was
    // chosen. Java would read it again, and end the handshake for each name that is no host name to
    // it. It looks at this once, before the first handshake of a server.
    System.setProperty("jdk.tls.server.disableExtensions", "server_name");
  }

  private TlsUpgrade() {}

  /** Forward secrecy and authenticated encryption only, RFC 9325 section 4.2. */
  private static boolean isModern(String suite) {
    boolean forwardSecret =
        suite.startsWith("TLS_AES_")
            || suite.startsWith("TLS_CHACHA20_")
            || suite.startsWith("TLS_ECDHE_")
            || suite.startsWith("TLS_DHE_RSA_");
    return forwardSecret && (suite.contains("_GCM_") || suite.contains("CHACHA20"));
  }

  /**
   * The session's connection under TLS, after a whole handshake.
   *
   * @throws ClientGone when the handshake fails, which is reported then
   */
  static ClientWire of(Session session) throws IOException {
    Supplier<CertificateChoice> certificates = session.rules().tls();
    if (certificates == null) {
      throw new IllegalStateException("no certificate");
    }
    session.control().takes(Pressure.TLS_OCTETS);
    WatchedSocket plain = session.dialog().wire().plain();
    LongSupplier nanoTime = session.services().nanoTime();
    plain.begin(session.limits().commandTimeout());
    // From the first record on: before and within a handshake, too, a client can send records that
    // the runtime takes and that bring nothing, such as warnings.
    TlsRecords records = new TlsRecords();
    // The handshake counts as one command: octets that trickle are silence too.
    session.control().commandBegins(nanoTime.getAsLong());
    SSLSocket tls;
    try {
      SSLContext context = context(certificates.get(), plain);
      plain.counts(records);
      tls = socket(context, session, plain);
      tls.startHandshake();
      // A client could begin another one at any octet of TLS 1.2 (RFC 9325 section 3.5): without a
      // suite to agree on, none gets far. TLS 1.3 has no renegotiation.
      tls.setEnabledCipherSuites(new String[0]);
    } catch (SocketTimeoutException e) {
      // Between two protocols there is no reply that the client could read. Where the watchdog has
      // closed the socket, the end of the session counts it.
      if (session.control().closedFor() == null) {
        session.reporter().limitReached(Limit.COMMAND_TIMEOUT);
      }
      throw failed(session, "it took too long");
    } catch (TlsRecords.TooManyException e) {
      session.reporter().limitReached(Limit.TLS_RECORDS);
      throw failed(session, "too many TLS records");
    } catch (IOException e) {
      throw failed(session, String.valueOf(e.getMessage()));
    } finally {
      session.control().commandEnds(nanoTime.getAsLong());
    }
    return session.dialog().wire().under(tls, records);
  }

  /** The context with the certificate for this client; its first octets are read only for that. */
  private static SSLContext context(CertificateChoice choice, WatchedSocket plain)
      throws IOException {
    if (!choice.needsHello()) {
      return choice.first();
    }
    HelloRecords first = HelloRecords.read(plain.getInputStream());
    plain.unread(first.octets());
    return choice.forClient(first);
  }

  private static SSLSocket socket(SSLContext context, Session session, WatchedSocket plain)
      throws IOException {
    // The literal address as peer name: a null would make the socket ask DNS for it.
    SSLSocket tls =
        (SSLSocket)
            context
                .getSocketFactory()
                .createSocket(
                    plain, session.client().peer().address().toString(), plain.getPort(), true);
    tls.setUseClientMode(false);
    SSLParameters parameters = tls.getSSLParameters();
    parameters.setProtocols(PROTOCOLS);
    parameters.setCipherSuites(
        Arrays.stream(parameters.getCipherSuites())
            .filter(TlsUpgrade::isModern)
            .toArray(String[]::new));
    parameters.setUseCipherSuitesOrder(true);
    tls.setSSLParameters(parameters);
    return tls;
  }

  /** Records the reply that cannot go between two protocols, and returns the end of the session. */
  private static ClientGone failed(Session session, String why) {
    Reply reply = Replies.tlsFailed(why);
    session.reporter().sent(reply, null);
    return new ClientGone(reply.toString());
  }
}
