package io.bloomgate.gateway.session;

import io.bloomgate.gateway.relay.ClientIdentity;
import io.bloomgate.gateway.relay.Upstream;
import io.bloomgate.gateway.relay.UpstreamException;
import io.bloomgate.gateway.relay.UpstreamSession;
import io.bloomgate.gateway.wire.WireReader.WaitListener;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A connection to a mail server as its session keeps it: opened for a client, used for one message
 * after the other, and parked while the session waits for its client.
 *
 * <pre>
 *   NONE --open--&gt; CLEAN --MAIL--&gt; IN_TRANSACTION --DATA--&gt; IN_CONTENT --verdict--&gt; CLEAN
 *                   ^                    | the client gave the message up
 *                   +------- RSET ------ RESET_DUE
 *   while the client is waited for, but not IN_CONTENT:
 *   open --park--&gt; parked --take back--&gt; open
 *                     +---reclaim (idle for long, or others wait)--&gt; NONE
 * </pre>
 *
 * <p>Used by {@link RecipientGroup} on the session's thread, {@link #unusedSince} and {@link
 * #reclaim} by housekeeping.
 */
final class KeptConnection implements WaitListener {

  /** The state of its dialog. */
  enum State {
    /** The dialog is between messages. */
    CLEAN,
    /** MAIL was sent, and the client may go on with its message. */
    IN_TRANSACTION,
    /** MAIL was sent, and the client has given the message up; RSET must come before another. */
    RESET_DUE,
    /** DATA was taken and the verdict is not in. */
    IN_CONTENT
  }

  /**
   * Time that a client's commands may take within a transaction while others wait for the
   * connection; those that get an answer count as well.
   */
  private static final Duration COMMAND_PATIENCE = Duration.ofSeconds(3);

  private final LongSupplier nanoTime;
  private final long idleNanos;

  /** The number of the wait for which it is parked now; 0 while it is not. */
  private final AtomicLong parked = new AtomicLong();

  private long waits;
  private Upstream route;
  private volatile @Nullable UpstreamSession session;
  private @Nullable ClientIdentity identity;
  private volatile State state = State.CLEAN;
  private volatile long lastUse;

  /**
   * Time that the client has taken since it was opened or carried a message, but for the wait of
   * now.
   */
  private volatile long clientNanos;

  /** Start of the wait for the client; {@code null} when it is not waited for. */
  private volatile @Nullable Long waitBegan;

  /**
   * None yet.
   *
   * @param upstream whose idle limit counts
   */
  KeptConnection(Upstream upstream, LongSupplier nanoTime) {
    this.route = upstream;
    this.nanoTime = nanoTime;
    this.idleNanos = upstream.idleLimit().toNanos();
  }

  // ---- the session's thread

  boolean isOpen() {
    return session != null;
  }

  /** True when it carried a message before. */
  boolean usedBefore() {
    return session != null && session.usedBefore();
  }

  /** The open one. */
  UpstreamSession session() {
    if (session == null) {
      throw new IllegalStateException("no connection to a mail server");
    }
    return session;
  }

  /** The open one, or a new one on the route of {@link #prepare}. */
  UpstreamSession openFor(ClientIdentity client) throws UpstreamException {
    UpstreamSession open = session;
    if (open == null) {
      open = route.open(client);
      session = open;
      clientNanos = 0;
      identity = client;
      used();
    }
    return open;
  }

  /** Keeps the open one only if it may carry a message of this client on this route. */
  void prepare(ClientIdentity client, Upstream wanted) throws UpstreamException {
    boolean elsewhere = !wanted.equals(route);
    route = wanted;
    UpstreamSession open = session;
    if (open == null) {
      return;
    }
    if (elsewhere || !client.equals(identity)) {
      close();
    } else if (state != State.CLEAN) {
      try {
        open.rset();
        state = State.CLEAN;
      } catch (UpstreamException e) {
        close();
        if (e.closedBehindRefusals()) {
          throw e;
        }
      }
    }
  }

  /** The mail server has answered. */
  void used() {
    lastUse = nanoTime.getAsLong();
  }

  /** Notes the new state of the dialog. */
  void enters(State now) {
    state = now;
    if (now == State.CLEAN) {
      clientNanos = 0;
    }
  }

  /** The client has given up its transaction, if there is one. */
  void transactionOver() {
    if (state == State.IN_TRANSACTION) {
      state = State.RESET_DUE;
    }
  }

  /** Drops it; inside content this is before the final dot. */
  void close() {
    UpstreamSession dropped = session;
    forget();
    if (dropped != null) {
      dropped.close();
    }
  }

  private void forget() {
    session = null;
    identity = null;
    state = State.CLEAN;
  }

  /** Parks it. */
  @Override
  public void waitBegins() {
    waitBegan = nanoTime.getAsLong();
    if (session != null && state != State.IN_CONTENT) {
      parked.set(++waits);
    }
  }

  /** Takes it back, if it is still there. */
  @Override
  public void waitEnds() {
    clientNanos = clientNanos();
    waitBegan = null;
    if (session != null && state != State.IN_CONTENT && parked.getAndSet(0) == 0) {
      forget();
    }
  }

  // ---- any thread

  /** Returns the number of sessions that wait for it while content goes through it; else 0. */
  int awaitedInContent() {
    UpstreamSession open = session;
    return open == null || state != State.IN_CONTENT ? 0 : open.awaited();
  }

  /** Returns the time that the client was waited for, since it was opened or carried a message. */
  long clientNanos() {
    Long began = waitBegan;
    return clientNanos + (began == null ? 0 : nanoTime.getAsLong() - began);
  }

  /** Returns the time since which a parked one is unused; {@code null} when none is parked. */
  @Nullable Long unusedSince() {
    return parked.get() == 0 ? null : lastUse;
  }

  /**
   * Takes a parked one for good: after the idle limit, or while others wait for one, which in a
   * transaction counts only after {@link #COMMAND_PATIENCE}. To be called about once a second.
   *
   * @param given how many of those that wait will be served by what was taken from others
   * @return what the caller must close, which may take its time; {@code null} for nothing
   */
  @Nullable UpstreamSession reclaim(int given) {
    long at = parked.get();
    // All that is read from here on is of that wait, or the last line says that the wait has ended.
    UpstreamSession open = session;
    if (at == 0 || open == null) {
      return null;
    }
    long unused = nanoTime.getAsLong() - lastUse;
    boolean mayBeMissed =
        state != State.IN_TRANSACTION || clientNanos() >= COMMAND_PATIENCE.toNanos();
    boolean wanted = mayBeMissed && open.awaited() > given;
    return (unused >= idleNanos || wanted) && parked.compareAndSet(at, 0) ? open : null;
  }
}
