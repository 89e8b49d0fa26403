package io.bloomgate.gateway.session;

import io.bloomgate.gateway.log.Limit;
import io.bloomgate.gateway.relay.UpstreamSession;
import io.bloomgate.gateway.wire.WatchedSocket;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * One live session as other threads see it. The session's thread writes here what it does; the
 * watchdog and the shutdown read that, and wake the session or close its socket. Thread-safe.
 */
final class SessionControl {

  /** How long past its deadline a session may be before its socket is closed from outside. */
  private static final long GRACE_NANOS = 5_000_000_000L;

  private enum State {
    /** The session's thread works, or waits inside a transaction. */
    BUSY,
    /** It waits for a command, and no recipient has been accepted. */
    IDLE,
    /** It was woken to send 421 and end. */
    DISMISSED
  }

  private final WatchedSocket socket;
  private final Thread thread;
  private volatile long sessionDeadline;
  private final AtomicReference<State> state = new AtomicReference<>(State.BUSY);
  private volatile boolean awaitsUpstream;
  private volatile boolean closedAsOld;
  private volatile @Nullable SessionUpstreams upstream;
  private volatile @Nullable GenerationPin pin;

  /**
   * A session that just began.
   *
   * @param socket the plain one, also under TLS
   * @param thread the session's own
   * @param sessionDeadline of the monotonic clock, in nanoseconds
   */
  SessionControl(WatchedSocket socket, Thread thread, long sessionDeadline) {
    this.socket = socket;
    this.thread = thread;
    this.sessionDeadline = sessionDeadline;
  }

  // ---- the session's thread

  /** When the whole session must be over. */
  long sessionDeadline() {
    return sessionDeadline;
  }

  /** The connections that may be taken from it while it waits. */
  void uses(SessionUpstreams connections) {
    upstream = connections;
  }

  /** The lists that its transaction keeps; {@code null} without one. */
  void pins(@Nullable GenerationPin kept) {
    pin = kept;
  }

  /**
   * The mail server works on the message: session_timeout must not cut the wait for its answer, nor
   * keep the answer from the client.
   */
  void awaitsUpstream(boolean waiting) {
    awaitsUpstream = waiting;
  }

  /** The session may last longer by the time that the mail server took; in nanoseconds. */
  void prolong(long nanos) {
    long before = sessionDeadline;
    sessionDeadline = before + nanos;
  }

  /** The wait for a command begins, and no accepted recipient waits for its message. */
  void idleBegins() {
    state.compareAndSet(State.BUSY, State.IDLE);
  }

  /** That waiting has ended; false when the session was dismissed in the meantime. */
  boolean idleEnds() {
    return state.compareAndSet(State.IDLE, State.BUSY);
  }

  /** The limit for which the watchdog has closed the socket; {@code null} when it has not. */
  @Nullable Limit closedFor() {
    if (socket.closedAsOverdue()) {
      return Limit.COMMAND_TIMEOUT;
    }
    return closedAsOld ? Limit.SESSION_TIMEOUT : null;
  }

  // ---- other threads

  /**
   * Ends what is overdue: a wait for the client first, so that the client still gets 421, and the
   * session in another round.
   */
  void endIfOverdue(long now) {
    if (!socket.endIfOverdue(now) && !awaitsUpstream && now - sessionDeadline > GRACE_NANOS) {
      closedAsOld = true;
      socket.closeQuietly();
    }
  }

  /** As {@link GenerationPin#expire}. */
  void expirePin() {
    GenerationPin kept = pin;
    if (kept != null) {
      kept.expire();
    }
  }

  /** As {@link SessionUpstreams#unusedSince}. */
  @Nullable Long upstreamUnusedSince() {
    SessionUpstreams connections = upstream;
    return connections == null ? null : connections.unusedSince();
  }

  /** As {@link SessionUpstreams#reclaim}. */
  @Nullable UpstreamSession reclaimUpstream(int given) {
    SessionUpstreams connections = upstream;
    return connections == null ? null : connections.reclaim(given);
  }

  /** Makes the session's own thread see the end of its input and send 421. */
  void dismissIfIdle() {
    if (state.compareAndSet(State.IDLE, State.DISMISSED)) {
      try {
        socket.shutdownInput();
      } catch (IOException e) {
        socket.closeQuietly();
      }
    }
  }

  void abort() {
    socket.closeQuietly();
    // Wakes the thread where it waits for the mail server: an interrupt ends the waits of virtual
    // threads on sockets.
    thread.interrupt();
  }
}
