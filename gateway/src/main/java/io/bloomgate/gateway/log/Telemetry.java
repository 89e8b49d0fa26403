package io.bloomgate.gateway.log;

import java.time.Duration;

/**
 * Receives what the SMTP edge reports; a report that a receiver does not take goes nowhere. Report
 * only: nothing here decides, blocks or throws. Called on session threads.
 */
public interface Telemetry {

  /** A decision that the client got as a reply, or a message with its outcome. */
  default void decided(DecisionRecord decision) {}

  /** The same after too many of the same kind: it is counted, and a sum is written for it. */
  default void repeated(DecisionRecord decision) {}

  /** The sum that is written for decisions that were {@link #repeated}; it is not counted. */
  default void summed(DecisionRecord sum) {}

  /** A transaction ended without an answer that another record has: only kept, not logged. */
  default void unfinished(DecisionRecord transaction) {}

  /** A session began. */
  default void sessionOpened() {}

  /** A session ended. */
  default void sessionClosed() {}

  /** A connection ended, for its line; {@link #sessionClosed} follows. */
  default void connectionEnded(ConnectionEnd end) {}

  /** A limit was reached and acted on. */
  default void limitReached(Limit limit) {}

  /** The content of a mail asked for a tag when its header had been sent already. */
  default void tagTooLate() {}

  /** Header fields were removed from a message because they have our names. */
  default void fieldsRemoved(int fields) {}

  /** A recipient domain that is not ours was asked for, as a lower-case A-label text. */
  default void unknownDomain(String domain) {}

  /**
   * A message was delivered to the mail server, or that failed: {@code accepted}, {@code refused},
   * {@code failed}.
   */
  default void downstream(String result, Duration took) {}
}
