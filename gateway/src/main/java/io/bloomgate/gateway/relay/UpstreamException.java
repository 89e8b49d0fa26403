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
  private final boolean ofThisClient;

  /** What became of the connection. */
  enum Lost {
    /** The upstream refuses, stalls or talks nonsense: another connection would not do better. */
    NO,
    /** It was closed, by 421 or without a word. */
    BEFORE_FINAL_DOT,
    /** It was lost between the final dot and its reply. */
    BEHIND_FINAL_DOT
  }

  UpstreamException(Reply reply, String logText, Lost lost) {
    this(reply, logText, lost, false);
  }

  private UpstreamException(Reply reply, String logText, Lost lost, boolean ofThisClient) {
    super(logText);
    this.reply = reply;
    this.lost = lost;
    this.ofThisClient = ofThisClient;
  }

  /** The same, said to us in the name of one client, so that others may fare better. */
  UpstreamException toThisClient() {
    return new UpstreamException(reply, String.valueOf(getMessage()), lost, true);
  }

  /** True when the upstream refused this client, for all that is known, and not the gateway. */
  boolean ofThisClient() {
    return ofThisClient;
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

  /** True when the upstream closed the connection, as one does that was left idle for too long. */
  public boolean connectionClosed() {
    return lost == Lost.BEFORE_FINAL_DOT;
  }
}
