package io.bloomgate.gateway.session;

import io.bloomgate.gateway.log.Limit;
import io.bloomgate.gateway.smtp.Replies;
import io.bloomgate.gateway.smtp.Reply;
import io.bloomgate.gateway.wire.ClientWire;
import io.bloomgate.gateway.wire.ClientWire.ClientGone;
import io.bloomgate.gateway.wire.WatchedSocket;
import io.bloomgate.gateway.wire.tls.CertificateChoice;
import io.bloomgate.gateway.wire.tls.HelloRecords;
import io.bloomgate.gateway.wire.tls.TlsContext;
import io.bloomgate.gateway.wire.tls.TlsRecords;
import io.bloomgate.gateway.wire.tls.TlsSocket;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** STARTTLS and the TLS handshake of a session, server side. Runs on the session's thread. */
final class TlsUpgrade {

  private TlsUpgrade() {}

  /** RFC 3207. */
  static void startTls(Session session, String argument) throws IOException {
    Dialog dialog = session.dialog();
    if (!argument.isEmpty()) {
      dialog.own(Replies.NO_ARGUMENT);
    } else if (dialog.wire().encrypted()) {
      dialog.own(Replies.TLS_ACTIVE);
    } else if (!session.services().startTlsOffered()) {
      dialog.own(Replies.TLS_NOT_OFFERED);
    } else if (dialog.wire().reader().hasPending()) {
      // What a client sends in plain text behind STARTTLS must never be read as if it came under
      // TLS.
      dialog.answerAndEnd(Replies.TLS_INJECTION);
    } else if (session.control().isMemoryFull()) {
      session.reporter().limitReached(Limit.SESSIONS);
      dialog.answerAndEnd(Replies.TOO_MANY_SESSIONS);
    } else {
      dialog.own(Replies.READY_FOR_TLS);
      dialog.wire().flush();
      session.encrypted(of(session));
    }
  }

  /**
   * The session's connection under TLS, after a whole handshake.
   *
   * @throws ClientGone when the handshake fails, which is reported then
   */
  static ClientWire of(Session session) throws IOException {
    Supplier<CertificateChoice> certificates = session.services().tls();
    if (certificates == null) {
      throw new IllegalStateException("no certificate");
    }
    session.control().takes(Pressure.TLS_OCTETS);
    WatchedSocket plain = session.dialog().wire().plain();
    LongSupplier nanoTime = session.services().nanoTime();
    plain.begin(session.limits().commandTimeout());
    // The handshake counts as one command: octets that trickle are silence too.
    session.control().commandBegins(nanoTime.getAsLong());
    TlsSocket tls;
    try {
      tls = context(certificates.get(), plain).over(plain, session.client().peer().toString());
      tls.handshake();
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
    return session.dialog().wire().under(tls);
  }

  /** The context for this client; its first octets are read only for that. */
  private static TlsContext context(CertificateChoice choice, WatchedSocket plain)
      throws IOException {
    if (!choice.needsHello()) {
      return choice.first();
    }
    HelloRecords first = HelloRecords.read(plain.getInputStream());
    plain.unread(first.octets());
    return choice.forClient(first);
  }

  /** Records the reply that cannot go between two protocols, and returns the end of the session. */
  private static ClientGone failed(Session session, String why) {
    Reply reply = Replies.tlsFailed(why);
    session.reporter().sent(reply, null);
    return new ClientGone(reply.toString());
  }
}
