package io.bloomgate.gateway.log;

import java.time.Duration;

/**
 * Where the SMTP edge reports what happened. Report only: nothing here decides, blocks or throws.
 * Called on session threads.
 */
public interface Telemetry {

  /** A decision that was spoken, or a message that was concluded. */
  void decided(DecisionRecord decision);

  /** The same where too many like it came before: it is counted, and a sum is written for it. */
  void repeated(DecisionRecord decision);

  /** What is written for decisions that were {@link #repeated}; nothing of it is counted. */
  void summed(DecisionRecord sum);

  /** A session began. */
  void sessionOpened();

  /** A session ended. */
  void sessionClosed();

  /** A limit was reached and acted on. */
  void limitReached(Limit limit);

  /** So many header fields were taken out of a message because they have names of ours. */
  void fieldsRemoved(int fields);

  /** A recipient domain that is not ours was asked for, as a lower-case A-label text. */
  void unknownDomain(String domain);

  /**
   * One message was given to the upstream, or it failed to be: {@code accepted}, {@code refused},
   * {@code failed}.
   */
  void downstream(String result, Duration took);
}
