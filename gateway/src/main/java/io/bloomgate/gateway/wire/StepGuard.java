package io.bloomgate.gateway.wire;

/**
 * Limits a step that cannot time out by itself: a write, a handshake. Called on the session's
 * thread; the watchdog closes the socket when the step is still going on at its deadline.
 */
public interface StepGuard {

  /**
   * A step begins.
   *
   * @param deadline on the monotonic clock, in nanoseconds
   */
  void stepBegins(long deadline);

  /** The step has ended. */
  void stepEnds();
}
