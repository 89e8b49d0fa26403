package io.bloomgate.gateway.relay;

import io.bloomgate.gateway.smtp.MailCommand;
import io.bloomgate.gateway.smtp.RcptCommand;
import io.bloomgate.gateway.smtp.Reply;
import java.util.List;

/**
 * One connection to the mail server that carries one client's identity. Used by one session's
 * thread; replies returned here are ready for the client: printable, bounded, with an enhanced
 * code, and never one of those that become 451 (these are thrown). After an {@link
 * UpstreamException} the session is dead; only {@link #close} may follow.
 */
public interface UpstreamSession extends AutoCloseable {

  /** Returns what this connection offers. */
  UpstreamExtensions extensions();

  /**
   * True when the current transaction is not the first on this connection: a failure at its start
   * may come from the connection, which was kept too long or used too often, and not from the
   * message.
   */
  boolean usedBefore();

  /**
   * Returns the number of other sessions that wait for a connection and could have this one: a
   * session between two messages, or one whose client is slow, gives it back.
   */
  int awaited();

  /**
   * MAIL and the first RCPT, pipelined where the mail server offers it; parameters that it does not
   * offer are left out.
   *
   * @return the reply to RCPT, or the refusal of MAIL
   */
  Reply mailAndRcpt(MailCommand mail, RcptCommand rcpt) throws UpstreamException;

  /** True when the last MAIL was taken. */
  boolean mailTaken();

  /** A further RCPT. */
  Reply rcpt(RcptCommand rcpt) throws UpstreamException;

  /**
   * DATA; positive means 354, and then whole blocks of what is held go out at once, the rest with
   * what follows.
   */
  Reply data(OutgoingContent held) throws UpstreamException;

  /**
   * Sends further content octets, dot-stuffed on the way (RFC 5321 section 4.5.2); every line ends
   * with CRLF.
   */
  void content(byte[] octets, int offset, int length) throws UpstreamException;

  /** The reply of a mail server to a message for one recipient, or for all of them. */
  record MessageReply(Reply reply, Source source) {

    /** 2, 4 or 5. */
    public int kind() {
      return reply.code() / 100;
    }
  }

  /** The certainty of a reply to a message. */
  enum Source {
    /** The mail server gave it now. */
    NOW,
    /** It gave it at an earlier try. */
    REMEMBERED,
    /** It was lost, and nobody knows whether the mail server has the message. */
    UNKNOWN,
    /** There is none: the mail server could not be used. */
    FAILED
  }

  /**
   * Sends the final dot and awaits the reply to the message: one, or where the mail server answers
   * for each recipient (RFC 2033 section 4.2) one for each accepted recipient, in their order.
   *
   * @throws UpstreamException when there is no reply at all
   */
  List<MessageReply> endOfData() throws UpstreamException;

  /** RSET between messages; throws when the mail server does not take it. */
  void rset() throws UpstreamException;

  /**
   * Gives the connection back. Where it cannot serve another client: says QUIT when the dialog is
   * between commands, then closes; inside content closes without the final dot.
   */
  @Override
  void close();
}
