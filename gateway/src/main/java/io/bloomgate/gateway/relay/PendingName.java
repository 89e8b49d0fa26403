package io.bloomgate.gateway.relay;

/**
 * A client's name that is being looked up since its session began. Asked by the session's thread
 * when the mail server is told who the client is.
 */
@FunctionalInterface
public interface PendingName {

  /** Nobody looks it up. */
  PendingName NONE = () -> ReverseName.NONE;

  /**
   * Blocks until the answer is in, or until the time is over that a look-up has; then the answer is
   * {@link ReverseName#DEAD}.
   */
  ReverseName await();
}
