package io.bloomgate.gateway.wire;

/**
 * What others may do with a session's things while it waits for its client. Told by {@link
 * WireReader} on the session's thread, before and after each wait.
 */
public interface WaitListener {

  /** Nothing is left to others. */
  WaitListener NOTHING =
      new WaitListener() {
        @Override
        public void waitBegins() {}

        @Override
        public void waitEnds() {}
      };

  /** Until {@link #waitEnds}, others may. Must not throw. */
  void waitBegins();

  /** The session goes on, with what was left to it. Must not throw. */
  void waitEnds();
}
