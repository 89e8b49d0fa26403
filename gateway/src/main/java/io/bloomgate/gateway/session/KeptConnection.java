package io.bloomgate.gateway.session;

import io.bloomgate.gateway.relay.ClientIdentity;
import io.bloomgate.gateway.relay.Upstream;
import io.bloomgate.gateway.relay.UpstreamException;
import io.bloomgate.gateway.relay.UpstreamSession;
import io.bloomgate.gateway.wire.WireReader.WaitListener;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
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
 * <p>Used by {@link SessionUpstream} on the session's thread, {@link #unusedSince} and {@link
 * #reclaim} by housekeeping.
 */
final class KeptConnection implements WaitListener {

  /** Where its dialog is. */
  enum State {
    /** Between messages. */
    CLEAN,
    /** MAIL was sent, and the client may go on with its message. */
    IN_TRANSACTION,
    /** MAIL was sent, and the client has given the message up; RSET must come before another. */
    RESET_DUE,
    /** DATA was taken and the verdict is not in. */
    IN_CONTENT
  }

  /** In a transaction an unused connection is kept at least this long while others wait for it. */
  private static final Duration COMMAND_PATIENCE = Duration.ofSeconds(3);

  private record Parked(UpstreamSession session, boolean inTransaction, long lastUse) {}

  private final LongSupplier nanoTime;
  private final long idleNanos;
  private final AtomicReference<@Nullable Parked> parked = new AtomicReference<>();
  private WaitListener others = WaitListener.NOTHING;
  private Upstream route;
  private @Nullable UpstreamSession session;
  private @Nullable ClientIdentity identity;
  private State state = State.CLEAN;
  private long lastUse;

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

  /** What may be parked while this one waits for a connection: the other ones of the session. */
  void beside(WaitListener otherConnections) {
    others = otherConnections;
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
      open = opened(client);
      session = open;
      identity = client;
      used();
    }
    return open;
  }

  private UpstreamSession opened(ClientIdentity client) throws UpstreamException {
    others.waitBegins();
    try {
      return route.open(client);
    } finally {
      others.waitEnds();
    }
  }

  /** Keeps the open one only if it may carry a message of this client on this route. */
  void prepare(ClientIdentity client, Upstream wanted) throws UpstreamException {
    boolean elsewhere = !wanted.equals(route);
    route = wanted;
    UpstreamSession open = session;
    if (open == null) {
      return;
    }
    if (elsewhere || !client.equals(identity) || open.exhausted()) {
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
    UpstreamSession open = session;
    if (open != null && state != State.IN_CONTENT) {
      parked.set(new Parked(open, state == State.IN_TRANSACTION, lastUse));
    }
  }

  /** Takes it back, if it is still there. */
  @Override
  public void waitEnds() {
    if (session != null && state != State.IN_CONTENT && parked.getAndSet(null) == null) {
      forget();
    }
  }

  // ---- any thread

  /** Since when a parked one is unused; {@code null} when none is parked. */
  @Nullable Long unusedSince() {
    Parked at = parked.get();
    return at == null ? null : at.lastUse();
  }

  /**
   * Takes a parked one for good: after the idle limit, or while others wait for one, which in a
   * transaction counts only after {@link #COMMAND_PATIENCE}. To be called about once a second.
   *
   * @param given how many of those that wait will be served by what was taken from others
   * @return what the caller must close, which may take its time; {@code null} for nothing
   */
  @Nullable UpstreamSession reclaim(int given) {
    Parked at = parked.get();
    if (at == null) {
      return null;
    }
    long unused = nanoTime.getAsLong() - at.lastUse();
    boolean mayBeMissed = !at.inTransaction() || unused >= COMMAND_PATIENCE.toNanos();
    boolean wanted = mayBeMissed && at.session().awaited() > given;
    return (unused >= idleNanos || wanted) && parked.compareAndSet(at, null) ? at.session() : null;
  }
}
