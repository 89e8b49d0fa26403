package io.bloomgate.gateway.session;

import io.bloomgate.config.name.IpAddress;
import io.bloomgate.gateway.log.Limit;
import io.bloomgate.gateway.relay.ContentBudget;
import io.bloomgate.gateway.relay.Upstream;
import io.bloomgate.gateway.relay.UpstreamSession;
import io.bloomgate.gateway.wire.WatchedSocket;
import io.bloomgate.gateway.wire.WireReader.WaitListener;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One live session as other threads see it, with its connections to mail servers. The session's
 * thread writes here what it does; the watchdog and the shutdown read that, and wake the session or
 * close its socket. Thread-safe.
 *
 * <p>There is one connection for most messages, and there are more where the recipients of a
 * message have different servers or must be answered apart. The first is kept from message to
 * message.
 */
final class SessionControl implements WaitListener {

  /** Time past its deadline after which the socket of a session is closed from outside. */
  private static final long GRACE_NANOS = 5_000_000_000L;

  /** Seconds for which content may wait for its client that count as one of silence. */
  private static final int SLOW_SECONDS = 10;

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
  private final Pressure pressure;
  private volatile long sessionDeadline;
  private final AtomicReference<State> state = new AtomicReference<>(State.BUSY);
  private volatile boolean awaitsUpstream;
  private volatile boolean closedAsOld;
  private volatile boolean leaving;
  private volatile long ownOctets;
  private volatile @Nullable ContentBudget memory;
  private volatile @Nullable Admission admission;
  private final List<KeptConnection> connections = new CopyOnWriteArrayList<>();
  private int connectionsInUse;
  private volatile @Nullable GenerationPin pin;

  /** Time since which its client gets no further; {@code null} while no command is awaited. */
  private volatile @Nullable Long stalledSince;

  /** Time that the client has taken for commands that brought it no further. */
  private long stalledNanos;

  /**
   * A session that just began.
   *
   * @param socket the plain one, also under TLS
   * @param thread the session's own
   * @param sessionDeadline of the monotonic clock, in nanoseconds
   * @param pressure where it counts what it takes
   */
  SessionControl(WatchedSocket socket, Thread thread, long sessionDeadline, Pressure pressure) {
    this.socket = socket;
    this.thread = thread;
    this.sessionDeadline = sessionDeadline;
    this.pressure = pressure;
  }

  // ---- the session's thread

  /** Returns the time at which the whole session must be over. */
  long sessionDeadline() {
    return sessionDeadline;
  }

  /** It has a place among the sessions of this listener. */
  void admitted(Admission by) {
    admission = by;
  }

  /** Its messages take memory there, as those of its client's network. */
  void messagesTake(ContentBudget from) {
    memory = from;
  }

  /** It takes this much memory in addition, until {@link #gone}. */
  void takes(long octets) {
    long before = ownOctets;
    ownOctets = before + octets;
    pressure.take(octets);
  }

  /** It is over, and gives its memory back. */
  void gone() {
    takes(-ownOctets);
    memory = null;
  }

  /** True when there is no memory for anything that has not begun. */
  boolean isMemoryFull() {
    return pressure.isFull();
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

  /**
   * The wait for a command begins, and takes as long as its line does.
   *
   * @param now of the monotonic clock, as below
   */
  void commandBegins(long now) {
    stalledSince = now - stalledNanos;
  }

  /** Its line has come; until it is answered, the client is not waited for. */
  void commandEnds(long now) {
    Long since = stalledSince;
    stalledNanos = since == null ? 0 : now - since;
    stalledSince = null;
  }

  /** The answer brought the client further than it had been. */
  void progressed() {
    stalledNanos = 0;
  }

  /** The wait for a command begins, and no accepted recipient waits for its message. */
  void idleBegins() {
    state.compareAndSet(State.BUSY, State.IDLE);
  }

  /** Ends the waiting; false when the session was dismissed in the meantime. */
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

  // ---- the session's thread: connections to mail servers

  /** A connection that the current transaction does not use yet. */
  KeptConnection nextConnection(Upstream upstream, LongSupplier nanoTime) {
    if (connectionsInUse == connections.size()) {
      connections.add(new KeptConnection(upstream, nanoTime));
    }
    return connections.get(connectionsInUse++);
  }

  /** The client has given up its transaction, if there is one. */
  void transactionOver() {
    connectionsInUse = 0;
    for (int i = connections.size() - 1; i > 0; i--) {
      connections.remove(i).close();
    }
    connections.forEach(KeptConnection::transactionOver);
  }

  /** Drops every connection; inside content this is before the final dot. */
  void discardConnections() {
    connections.forEach(KeptConnection::close);
  }

  /** Parks every connection while the client is waited for. */
  @Override
  public void waitBegins() {
    connections.forEach(KeptConnection::waitBegins);
  }

  @Override
  public void waitEnds() {
    connections.forEach(KeptConnection::waitEnds);
  }

  // ---- other threads

  /** Returns the admission where it has a place; {@code null} for none. */
  @Nullable Admission admission() {
    return admission;
  }

  /** The network of its client, as limits count it; {@code null} before it is known. */
  @Nullable IpAddress network() {
    ContentBudget of = memory;
    return of == null ? null : of.network();
  }

  /** Octets of the heap that it takes, about. */
  long octets() {
    ContentBudget messages = memory;
    return ownOctets + (messages == null ? 0 : messages.heldOctets());
  }

  /** True while its client has begun a mail, unless no recipient was accepted yet. */
  boolean inTransaction() {
    return pin != null && state.get() == State.BUSY;
  }

  /**
   * Returns the silence of {@link WatchedSocket#silentSince}; but where a command is waited for,
   * silence begins with the last one that brought the client further, whatever it has said since.
   * Our time for the replies does not count.
   */
  @Nullable Long silentSince() {
    Long stalled = stalledSince;
    Long waits = socket.silentSince();
    return waits == null || stalled == null ? waits : stalled;
  }

  /** True when its end has begun. */
  boolean leaving() {
    return leaving;
  }

  /** Ends it with 421 for this limit; false when it does not wait for its client. */
  boolean leave(Limit because) {
    boolean ends = socket.endSilence(because);
    if (ends) {
      leaving = true;
    }
    return ends;
  }

  /**
   * Ends what is overdue: a wait for the client first, so that the client still gets 421, and the
   * session in another round.
   *
   * @param patienceNanos how long a wait may last under {@link Pressure}; not that for a client
   *     which is slow to take the reply to its message
   */
  void endIfOverdue(long now, long patienceNanos) {
    long patience = awaitsUpstream ? Long.MAX_VALUE : patienceNanos;
    Long since = silentSince();
    if (socket.endIfOverdue(now, patience)) {
      leaving = true;
    } else if (since != null && now - since > patience) {
      boolean _ = leave(Limit.SESSIONS);
    } else if (!awaitsUpstream && now - sessionDeadline > GRACE_NANOS) {
      closedAsOld = true;
      socket.closeQuietly();
    }
  }

  /** Expires the pin, as {@link GenerationPin#expire}. */
  void expirePin() {
    GenerationPin kept = pin;
    if (kept != null) {
      kept.expire();
    }
  }

  /** Reclaims by {@link KeptConnection#reclaim}, one at a time. */
  @Nullable UpstreamSession reclaimUpstream(int given) {
    for (KeptConnection one : connections) {
      UpstreamSession unused = one.reclaim(given);
      if (unused != null) {
        return unused;
      }
    }
    return null;
  }

  /**
   * Returns the time for which its client keeps a connection that it does not use: parked, or
   * within content, where {@value #SLOW_SECONDS} s of waiting in all count as one of silence. 0 for
   * none.
   */
  long unusedNanos(long now) {
    Long parked = parkedSince();
    Long silent = silentSince();
    if (parked != null || silent == null || connections.isEmpty()) {
      return parked == null ? 0 : now - parked;
    }
    long client = connections.stream().mapToLong(KeptConnection::clientNanos).max().orElse(0);
    return Math.max(now - silent, client / SLOW_SECONDS);
  }

  /** Returns since when the one that was parked longest is unused; {@code null} for none. */
  private @Nullable Long parkedSince() {
    Long longest = null;
    for (KeptConnection one : connections) {
      Long since = one.unusedSince();
      if (since != null && (longest == null || since - longest < 0)) {
        longest = since;
      }
    }
    return longest;
  }

  /**
   * Ends it where content goes through a connection that others wait for, and its client is silent
   * or slow for {@link Pressure#LEAST_SILENCE}.
   *
   * @param given how many of those that wait will be served by what was taken from others
   */
  boolean leaveContent(int given, long unusedNanos) {
    return unusedNanos >= Pressure.LEAST_SILENCE.toNanos()
        && connections.stream().anyMatch(one -> one.awaitedInContent() > given)
        && leave(Limit.SESSIONS);
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
