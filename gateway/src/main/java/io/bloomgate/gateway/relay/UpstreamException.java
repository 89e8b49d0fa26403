package io.bloomgate.gateway.relay;

import io.bloomgate.gateway.smtp.Reply;

/**
 * The upstream could not be used. Carries two texts: {@link #reply} is what the client hears
 * (always 4xx, contract section 4), the message is what the log hears.
 */
public final class UpstreamException extends Exception {
  private static final long serialVersionUID = 1L;

  private final transient Reply reply;
  private final Lost lost;
  private final Speaks speaks;

  /** What became of the connection. */
  enum Lost {
    /** The upstream refuses, stalls or talks nonsense: another connection would not do better. */
    NO,
    /** It was closed, by 421 or without a word. */
    BEFORE_FINAL_DOT,
    /** The same behind recipients that were refused: the upstream has had enough of this client. */
    BEHIND_REFUSALS,
    /** It was lost between the final dot and its reply. */
    BEHIND_FINAL_DOT
  }

  /** Of whom it says something. */
  enum Speaks {
    /** The server: it can serve nobody now, for all that is known. */
    OF_SERVER,
    /** The client in whose name we spoke; others may fare better. */
    OF_CLIENT,
    /** Nobody: the server is busy at this moment. */
    OF_MOMENT
  }

  UpstreamException(Reply reply, String logText, Lost lost) {
    this(reply, logText, lost, Speaks.OF_SERVER);
  }

  private UpstreamException(Reply reply, String logText, Lost lost, Speaks speaks) {
    super(logText);
    this.reply = reply;
    this.lost = lost;
    this.speaks = speaks;
  }

  /** The same, said to us in the name of one client, so that others may fare better. */
  UpstreamException toThisClient() {
    return new UpstreamException(reply, String.valueOf(getMessage()), lost, Speaks.OF_CLIENT);
  }

  /** The same, of a server that is busy now and may serve the next. */
  UpstreamException ofThisMoment() {
    return new UpstreamException(reply, String.valueOf(getMessage()), lost, Speaks.OF_MOMENT);
  }

  /** The same, behind recipients of this client that the upstream refused. */
  UpstreamException behindRefusals() {
    return new UpstreamException(
        reply, String.valueOf(getMessage()), Lost.BEHIND_REFUSALS, Speaks.OF_CLIENT);
  }

  Speaks speaks() {
    return speaks;
  }

  /**
   * The upstream refuses on a new connection what it took on the one before, which was closed as
   * idle: what the client heard then is true no more.
   */
  public static UpstreamException withdrawn(Reply refusal) {
    return UpstreamReplies.cannotUse(
        "upstream refuses on a new connection what it took before: " + refusal);
  }

  /** What the client hears: 451 with 4.3.0, 4.3.2, 4.4.1 or 4.4.2. */
  public Reply reply() {
    return reply;
  }

  /**
   * True when the connection was lost between the final dot and its reply: the upstream may have
   * the message.
   */
  public boolean outcomeUnknown() {
    return lost == Lost.BEHIND_FINAL_DOT;
  }

  /**
   * True when the upstream closed the connection after it had refused recipients: another
   * connection would only let the client go on guessing.
   */
  public boolean closedBehindRefusals() {
    return lost == Lost.BEHIND_REFUSALS;
  }

  /** True when the upstream closed the connection, as one does that was left idle for too long. */
  public boolean connectionClosed() {
    return lost == Lost.BEFORE_FINAL_DOT;
  }
}
