package io.bloomgate.gateway.session;

/**
 * Something that falls due while a session waits for its client. {@link WireReader} asks before
 * each wait and runs it in between, on the session's thread.
 */
interface Meanwhile {

  /** Nothing will be due. */
  long NEVER = Long.MAX_VALUE;

  /** Nanoseconds until {@link #run} should be called; 0 or less for now, {@link #NEVER}. */
  long dueInNanos();

  /** Does it. Must not throw. */
  void run();
}
