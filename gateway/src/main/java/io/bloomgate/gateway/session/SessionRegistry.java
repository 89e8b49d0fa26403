package io.bloomgate.gateway.session;

import io.bloomgate.gateway.relay.ContentBudget;
import io.bloomgate.gateway.relay.UpstreamSession;
import io.bloomgate.gateway.wire.Watchdog;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;

/**
 * All live sessions of the gateway, as other threads see them: which are overdue, which may be
 * ended, how many there are. One a gateway, shared by its listeners; thread-safe.
 *
 * <p>Java's sockets have no timeout for writing, and one for reading costs too much to be used for
 * each command; so the gateway's housekeeping calls {@link #tick} about once a second, and what is
 * overdue is ended from outside (ARCHITECTURE section 7).
 */
public final class SessionRegistry {

  /**
   * Octets that all messages together, with their recipients, may take in memory while their
   * clients are sending them; less where there is little memory in all.
   */
  static final long HELD_CONTENT_OCTETS =
      Math.min(64L * 1024 * 1024, Runtime.getRuntime().maxMemory() / 8);

  private final ContentBudget contentBudget;
  private final Pressure pressure;
  private final Set<SessionControl> sessions = ConcurrentHashMap.newKeySet();
  private final Set<SocketAddress> probes = ConcurrentHashMap.newKeySet();
  private final LongSupplier nanoTime;
  private final Executor closing;
  private final Watchdog watchdog;
  private volatile boolean draining;
  private boolean ending;

  /**
   * Starts without sessions.
   *
   * @param nanoTime the same monotonic time that the sessions use
   * @param closing runs what may block for some seconds
   * @param listOctets what lists need of the heap
   */
  public SessionRegistry(LongSupplier nanoTime, Executor closing, LongSupplier listOctets) {
    this(
        nanoTime,
        closing,
        HELD_CONTENT_OCTETS,
        new Pressure.Heap(Runtime.getRuntime().maxMemory(), listOctets));
  }

  /** Makes a registry for tests: with another bound on what messages may take, and another heap. */
  SessionRegistry(
      LongSupplier nanoTime, Executor closing, long heldContentOctets, Pressure.Heap heap) {
    this.nanoTime = nanoTime;
    this.closing = closing;
    this.watchdog = new Watchdog(nanoTime);
    this.contentBudget = new ContentBudget(heldContentOctets);
    this.pressure = new Pressure(contentBudget, heap);
  }

  /** Goes round with {@link #tick}. */
  Watchdog watchdog() {
    return watchdog;
  }

  /** Returns what all sessions together may hold of messages. */
  ContentBudget contentBudget() {
    return contentBudget;
  }

  /** Returns the limits of what sessions hold open. */
  Pressure pressure() {
    return pressure;
  }

  /** Returns what sessions use up, a sentence each. */
  public List<String> alarms() {
    return pressure.alarms();
  }

  /** Octets of messages that are held now, of all sessions. */
  public long heldContentOctets() {
    return contentBudget.takenOctets();
  }

  /** A session that comes from here is the doctor's, until {@link #endProbe}. */
  public void expectProbe(SocketAddress from) {
    probes.add(from);
  }

  /** No further session comes from there. */
  public void endProbe(SocketAddress from) {
    probes.remove(from);
  }

  /** True when a session from there is the doctor's, which is no mail. */
  boolean isProbe(SocketAddress from) {
    return !probes.isEmpty() && probes.contains(from);
  }

  /** Live sessions, those included that are being refused. */
  public int count() {
    return sessions.size();
  }

  /** True from {@link #drain} to {@link #resume}. */
  public boolean draining() {
    return draining;
  }

  /**
   * Ends what is overdue: a wait for a client, which gets 421; a write that the client does not
   * take, a handshake without end, a session past {@code session_timeout} (unless it waits for the
   * verdict on a message that was sent whole), whose sockets are closed; and what has to go because
   * sessions or memory are used up, see {@link Pressure}. Takes mail-server connections from
   * sessions that do not use them, longest unused first, with the session where its client is
   * silent or slow within content; and lists that are kept for too long. Called by the
   * housekeeping, about once a second.
   */
  public void tick() {
    long now = watchdog.round();
    long patience = pressure.relieve(sessions, now);
    List<Keeping> keeping = new ArrayList<>();
    for (SessionControl session : sessions) {
      session.endIfOverdue(now, patience);
      session.expirePin();
      long unused = session.unusedNanos(now);
      if (unused > 0) {
        keeping.add(new Keeping(session, unused));
      }
    }
    keeping.sort(Comparator.comparingLong(Keeping::unusedNanos).reversed());
    reclaim(keeping);
  }

  /** A session that may keep a connection while it waits for its client. */
  private record Keeping(SessionControl session, long unusedNanos) {}

  /**
   * No more than are waited for, unless they are overdue. A connection that was taken counts for
   * the waiters of every server, so a waiter of another server may have to wait for the next round.
   */
  private void reclaim(List<Keeping> longestFirst) {
    int given = 0;
    for (Keeping keeping : longestFirst) {
      UpstreamSession unused = keeping.session().reclaimUpstream(given);
      if (unused != null) {
        given++;
        closing.execute(unused::close);
      } else if (keeping.session().leaveContent(given, keeping.unusedNanos())) {
        given++;
      }
    }
  }

  /**
   * Drains for ever: {@link #resume} has no effect any more. Returns at once, as {@link #drain}.
   */
  public void end() {
    synchronized (this) {
      ending = true;
    }
    drain();
  }

  /**
   * Takes mail again after {@link #drain}.
   *
   * @return false when the gateway is ending
   */
  public synchronized boolean resume() {
    if (!ending) {
      draining = false;
    }
    return !ending;
  }

  /**
   * Ends all sessions: idle ones get 421 4.3.2 at once, others after the message that is under way;
   * sessions that begin from now on get it as their banner. Returns at once.
   */
  public void drain() {
    draining = true;
    for (SessionControl session : sessions) {
      session.dismissIfIdle();
    }
  }

  /**
   * Waits until no session is left.
   *
   * @return false when some were left at the end of that time
   */
  public boolean awaitEmpty(Duration patience) throws InterruptedException {
    long deadline = nanoTime.getAsLong() + patience.toNanos();
    synchronized (this) {
      while (!sessions.isEmpty()) {
        long left = deadline - nanoTime.getAsLong();
        if (left <= 0) {
          return false;
        }
        wait(Math.max(1, left / 1_000_000));
      }
      return true;
    }
  }

  /** Closes every socket and interrupts whatever its session waits for. */
  public void closeAll() {
    end();
    for (SessionControl session : sessions) {
      session.abort();
    }
  }

  void enter(SessionControl session) {
    session.takes(Pressure.SESSION_OCTETS);
    sessions.add(session);
  }

  void leave(SessionControl session) {
    session.gone();
    sessions.remove(session);
    if (sessions.isEmpty()) {
      synchronized (this) {
        notifyAll();
      }
    }
  }
}
