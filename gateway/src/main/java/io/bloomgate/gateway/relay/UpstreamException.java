package io.bloomgate.gateway.relay;

import io.bloomgate.gateway.smtp.Reply;
import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;

/**
 * The mail server could not be used. Has two texts: {@link #reply} is for the client (always 4xx),
 * the message is for the log.
 */
public final class UpstreamException extends Exception {
  private static final long serialVersionUID = 1L;

  private static final Reply CANNOT_USE =
      Reply.of(451, "4.3.0", "Mail server cannot take mail now; try again later");
  private static final Reply BUSY = Reply.of(451, "4.3.2", "Mail server is busy; try again later");
  private static final Reply NOT_REACHED =
      Reply.of(451, "4.4.1", "No answer from mail server; try again later");
  static final Reply CONNECTION_LOST =
      Reply.of(451, "4.4.2", "Connection to mail server lost; try again later");

  private final transient Reply reply;
  private final Lost lost;
  private final Concerns concerns;

  /** The moment at which the connection was lost. */
  enum Lost {
    /**
     * The server refuses, is silent, or breaks the protocol: another connection would not do
     * better.
     */
    NO,
    /** The server closed it, with 421 or without a reply. */
    BEFORE_FINAL_DOT,
    /** The server closed it after it refused recipients: its limit of errors was reached. */
    BEHIND_REFUSALS,
    /** It was lost between the final dot and its reply. */
    BEHIND_FINAL_DOT
  }

  /** The subject of the failure. */
  enum Concerns {
    /** The server: as far as is known it can serve no client now. */
    SERVER,
    /** The client in whose name we spoke; others may be served. */
    CLIENT,
    /** This moment only: the server is busy. */
    MOMENT
  }

  private UpstreamException(Reply reply, String logText, Lost lost, Concerns concerns) {
    super(logText);
    this.reply = reply;
    this.lost = lost;
    this.concerns = concerns;
  }

  // ---- made in this package

  private static UpstreamException of(Reply reply, String logText, Lost lost) {
    return new UpstreamException(reply, logText, lost, Concerns.SERVER);
  }

  /**
   * An I/O failure before the final dot.
   *
   * @param where the current command, for the log
   */
  static UpstreamException of(IOException e, String where) {
    String detail = RawReply.excerpt(String.valueOf(e.getMessage()));
    return switch (e) {
      case ReplyReader.MalformedReplyException malformed ->
          cannotUse("mail server at " + where + ": " + detail);
      case SocketTimeoutException timeout -> {
        UpstreamException slow = notReached("mail server too slow at " + where + ": " + detail);
        slow.initCause(timeout);
        yield slow;
      }
      case UnknownHostException unknown ->
          notReached("the mail server's name is not known: " + detail);
      case ConnectException refused -> notReached("mail server not reached: " + detail);
      case UpstreamHandshake.TlsFailedException failed -> cannotUse(detail);
      default -> closed("mail server lost at " + where + ": " + detail);
    };
  }

  /** The server can be reached but not used. */
  static UpstreamException cannotUse(String logText) {
    return of(CANNOT_USE, logText, Lost.NO);
  }

  /** No connection is free, or the server said that it is busy. */
  static UpstreamException busy(String logText) {
    return of(BUSY, logText, Lost.NO);
  }

  /** The server answered 421: it closes the connection. */
  static UpstreamException goingAway(String logText) {
    return of(BUSY, logText, Lost.BEFORE_FINAL_DOT);
  }

  /** The server closed the connection before the final dot. */
  static UpstreamException closed(String logText) {
    return of(NOT_REACHED, logText, Lost.BEFORE_FINAL_DOT);
  }

  /** The server is unreachable or silent. */
  static UpstreamException notReached(String logText) {
    return of(NOT_REACHED, logText, Lost.NO);
  }

  /** The connection was lost between the final dot and its reply. */
  static UpstreamException lost(String logText) {
    return of(CONNECTION_LOST, logText, Lost.BEHIND_FINAL_DOT);
  }

  /** The same, which concerns one client or this moment only: others may be served. */
  UpstreamException concerning(Concerns subject) {
    return new UpstreamException(reply, String.valueOf(getMessage()), lost, subject);
  }

  /** The same, after the server refused recipients of this client. */
  UpstreamException behindRefusals() {
    return new UpstreamException(
        reply, String.valueOf(getMessage()), Lost.BEHIND_REFUSALS, Concerns.CLIENT);
  }

  /** True when a time limit ended the wait for the server. */
  boolean isSilent() {
    return getCause() instanceof SocketTimeoutException;
  }

  Concerns concerns() {
    return concerns;
  }

  /**
   * The server refuses on a new connection what it accepted on the one before, which was closed as
   * idle: the reply that the client got then is no longer true.
   */
  public static UpstreamException withdrawn(Reply refusal) {
    return cannotUse("mail server refuses on a new connection what it took before: " + refusal);
  }

  // ---- asked by sessions

  /** The reply for the client: 451 with 4.3.0, 4.3.2, 4.4.1 or 4.4.2. */
  public Reply reply() {
    return reply;
  }

  /**
   * True when the connection was lost between the final dot and its reply: the server may have the
   * message.
   */
  public boolean outcomeUnknown() {
    return lost == Lost.BEHIND_FINAL_DOT;
  }

  /**
   * True when the server closed the connection after it refused recipients: another connection
   * would only let the client try more addresses.
   */
  public boolean closedBehindRefusals() {
    return lost == Lost.BEHIND_REFUSALS;
  }

  /** True when the server closed the connection, as one does that was idle for too long. */
  public boolean connectionClosed() {
    return lost == Lost.BEFORE_FINAL_DOT;
  }
}
