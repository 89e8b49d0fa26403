package io.bloomgate.gateway.session;

import io.bloomgate.gateway.relay.ClientIdentity;
import io.bloomgate.gateway.relay.Upstream;
import io.bloomgate.gateway.relay.UpstreamException;
import io.bloomgate.gateway.relay.UpstreamExtensions;
import io.bloomgate.gateway.relay.UpstreamSession;
import io.bloomgate.gateway.smtp.MailCommand;
import io.bloomgate.gateway.smtp.RcptCommand;
import io.bloomgate.gateway.smtp.Reply;
import org.jspecify.annotations.Nullable;

/**
 * The session's connection to the upstream: opened after the first recipient passed, kept for
 * further messages of the same client, thrown away after any doubt. Used by one session's thread.
 */
final class UpstreamLink {

  private enum State {
    /** Between messages. */
    CLEAN,
    /** MAIL was said there; RSET must come before another. */
    IN_TRANSACTION
  }

  private final Upstream upstream;
  private @Nullable UpstreamSession session;
  private @Nullable ClientIdentity identity;
  private State state = State.CLEAN;

  UpstreamLink(Upstream upstream) {
    this.upstream = upstream;
  }

  /** What became of MAIL and the first RCPT; {@code answer} is the word on the recipient. */
  record Begun(boolean mailTaken, Answer answer) {}

  /**
   * Says MAIL and the first RCPT on a connection that carries this identity. A kept connection that
   * died meanwhile is replaced once: nothing of the message has been offered on it.
   */
  Begun begin(ClientIdentity client, MailCommand mail, RcptCommand rcpt) throws UpstreamException {
    boolean kept = keep(client);
    if (kept) {
      try {
        return sayMail(client, mail, rcpt);
      } catch (UpstreamException e) {
        discard();
      }
    }
    try {
      return sayMail(client, mail, rcpt);
    } catch (UpstreamException e) {
      discard();
      throw e;
    }
  }

  /** A further recipient. */
  Reply rcpt(RcptCommand rcpt) throws UpstreamException {
    try {
      return open().rcpt(rcpt.to(), rcpt.parameters());
    } catch (UpstreamException e) {
      discard();
      throw e;
    }
  }

  /** The connection in a transaction, for content. */
  UpstreamSession open() {
    if (session == null) {
      throw new IllegalStateException("no upstream connection");
    }
    return session;
  }

  /** The upstream has said its word on the message: the next MAIL may follow. */
  void concluded() {
    state = State.CLEAN;
  }

  /** Drops the connection; inside content this is before the final dot. */
  void discard() {
    UpstreamSession dropped = session;
    session = null;
    identity = null;
    state = State.CLEAN;
    if (dropped != null) {
      dropped.close();
    }
  }

  /** True when the connection at hand may be used again for this client. */
  private boolean keep(ClientIdentity client) {
    if (session == null) {
      return false;
    }
    if (!client.equals(identity)) {
      discard();
      return false;
    }
    if (state == State.IN_TRANSACTION) {
      try {
        session.rset();
        state = State.CLEAN;
      } catch (UpstreamException e) {
        discard();
        return false;
      }
    }
    return true;
  }

  private Begun sayMail(ClientIdentity client, MailCommand mail, RcptCommand rcpt)
      throws UpstreamException {
    UpstreamSession at = session;
    if (at == null) {
      at = upstream.open(client);
      session = at;
      identity = client;
    }
    UpstreamExtensions offered = at.extensions();
    Reply lacking = Extensions.lacking(mail.parameters(), rcpt.parameters(), offered);
    if (lacking != null) {
      return new Begun(false, Answer.own(lacking));
    }
    state = State.IN_TRANSACTION;
    UpstreamSession.MailAndRcpt replies =
        at.mailAndRcpt(mail.from(), mail.parameters(), rcpt.to(), rcpt.parameters());
    boolean mailTaken = replies.mail().positive();
    return new Begun(mailTaken, Answer.relayed(mailTaken ? replies.rcpt() : replies.mail()));
  }
}
