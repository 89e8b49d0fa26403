package io.bloomgate.gateway.session;

import java.io.IOException;
import java.net.Socket;
import java.util.concurrent.atomic.AtomicReference;

/**
 * One live session as other threads see it. The session's thread says what it is doing; the
 * watchdog and the shutdown read that and may close the socket. Thread-safe.
 */
final class SessionHandle {

  /** How long past its deadline a session may be before its socket is closed from outside. */
  private static final long GRACE_NANOS = 5_000_000_000L;

  private enum State {
    /** The session's thread works, or waits inside a transaction. */
    BUSY,
    /** It waits for a command outside a transaction. */
    IDLE,
    /** Somebody else has said good-bye for it. */
    DISMISSED
  }

  private final Socket socket;
  private final Thread thread;
  private final AtomicReference<State> state = new AtomicReference<>(State.BUSY);
  private volatile long sessionDeadline;
  private volatile boolean awaitsVerdict;
  private volatile long stepDeadline;
  private volatile boolean stepLimited;
  private volatile Runnable farewell = () -> {};

  /**
   * A session that just began.
   *
   * @param thread the session's own
   * @param sessionDeadline of the monotonic clock, in nanoseconds
   */
  SessionHandle(Socket socket, Thread thread, long sessionDeadline) {
    this.socket = socket;
    this.thread = thread;
    this.sessionDeadline = sessionDeadline;
  }

  // ---- the session's thread

  /** When the whole session must be over. */
  long sessionDeadline() {
    return sessionDeadline;
  }

  /** What another thread runs to say 421 to an idle session; changes when TLS begins. */
  void farewell(Runnable action) {
    farewell = action;
  }

  /** A step that cannot time out by itself (a write, a handshake) begins. */
  void stepBegins(long deadline) {
    stepDeadline = deadline;
    stepLimited = true;
  }

  /** It has ended. */
  void stepEnds() {
    stepLimited = false;
  }

  /** The final dot went upstream: session_timeout must not cut the wait for its reply. */
  void awaitsVerdict(boolean waiting) {
    awaitsVerdict = waiting;
  }

  /** Waiting for a command outside a transaction begins; false when the session is over. */
  boolean idleBegins() {
    return state.compareAndSet(State.BUSY, State.IDLE);
  }

  /** That waiting has ended; false when somebody dismissed the session meanwhile. */
  boolean idleEnds() {
    return state.compareAndSet(State.IDLE, State.BUSY);
  }

  // ---- other threads

  void closeIfOverdue(long now) {
    boolean stuck = stepLimited && now - stepDeadline > 0;
    boolean old = !awaitsVerdict && now - sessionDeadline > GRACE_NANOS;
    if (stuck || old) {
      close();
    }
  }

  void dismissIfIdle() {
    if (state.compareAndSet(State.IDLE, State.DISMISSED)) {
      farewell.run();
      close();
    }
  }

  void abort() {
    close();
    // Wakes the thread where it waits for the upstream: sockets of virtual threads heed interrupts.
    thread.interrupt();
  }

  void close() {
    try {
      socket.close();
    } catch (IOException e) {
      // Nothing is left to be done with a socket that cannot even be closed.
    }
  }
}
