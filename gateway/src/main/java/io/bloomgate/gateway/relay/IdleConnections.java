package io.bloomgate.gateway.relay;

import io.bloomgate.config.settings.Settings.Downstream.Pool;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Connections to one server that wait for the next client. Filled and emptied by {@link MailServer}
 * on session threads, cleaned by housekeeping; thread-safe.
 *
 * <p>The newest is used first, so that connections left over from a peak reach their age limit. A
 * connection gets here right after it delivered a message: by then the server has forgotten the
 * transaction and its count of errors (RFC 5321 section 4.1.1.4), so no state of one client reaches
 * the next.
 */
final class IdleConnections {

  /** A connection with more messages is not kept: servers limit the messages of one session. */
  static final int MAX_TRANSACTIONS = 100;

  /** An older connection is not kept, so that a changed configuration of the server is noticed. */
  static final long MAX_AGE_NANOS = 300_000_000_000L;

  private final int maxIdle;
  private final long idleNanos;
  private final LongSupplier nanoTime;
  private final Consumer<UpstreamClient> onGone;
  private final Deque<UpstreamClient> waiting = new ArrayDeque<>();
  private List<UpstreamClient> leaving = List.of();
  private boolean closed;

  /**
   * None yet.
   *
   * @param onGone called for each connection that was closed here
   */
  IdleConnections(Pool settings, LongSupplier nanoTime, Consumer<UpstreamClient> onGone) {
    this.maxIdle = settings.maxIdle();
    this.idleNanos = settings.idleTimeout().toNanos();
    this.nanoTime = nanoTime;
    this.onGone = onGone;
  }

  /**
   * Keeps it for another client.
   *
   * @return false when it is not to be kept; then the caller closes it
   */
  boolean offer(UpstreamClient connection) {
    long now = nanoTime.getAsLong();
    if (connection.transactions() >= MAX_TRANSACTIONS
        || now - connection.openedNanos() > MAX_AGE_NANOS) {
      return false;
    }
    synchronized (this) {
      if (closed || waiting.size() >= maxIdle) {
        return false;
      }
      connection.idleFrom(now);
      waiting.addLast(connection);
      return true;
    }
  }

  /**
   * A connection on which the server has sent nothing since it was kept: it could only send 421.
   */
  @Nullable UpstreamClient take() {
    UpstreamClient next = newest();
    while (next != null) {
      if (quiet(next)) {
        return next;
      }
      gone(next);
      next = newest();
    }
    return null;
  }

  /** Returns the number of connections that are kept. */
  synchronized int size() {
    return waiting.size();
  }

  /** True when none waits and none is being closed. Only for the thread of {@link #tick}. */
  synchronized boolean empty() {
    return waiting.isEmpty() && leaving.isEmpty();
  }

  /**
   * Says QUIT on those that waited too long, and closes those that got QUIT the last time, so that
   * no thread waits for a server's 221. To be called about once a second, by one thread.
   */
  void tick() {
    leaving.forEach(this::gone);
    leaving = overdue();
    leaving.forEach(IdleConnections::sayQuit);
  }

  /** Closes all that wait: a server that lost one has probably lost them all. */
  void clear() {
    drain().forEach(this::gone);
  }

  /** Says QUIT to all and closes them; keeps none from now on. */
  void close() {
    retire();
    tick();
    tick();
  }

  /** All are closed from the next {@link #tick} on, and none is kept from now on. */
  synchronized void retire() {
    closed = true;
  }

  private synchronized @Nullable UpstreamClient newest() {
    return waiting.pollLast();
  }

  private synchronized List<UpstreamClient> drain() {
    List<UpstreamClient> all = List.copyOf(waiting);
    waiting.clear();
    return all;
  }

  private synchronized List<UpstreamClient> overdue() {
    long now = nanoTime.getAsLong();
    List<UpstreamClient> old = new ArrayList<>();
    while (!waiting.isEmpty() && (closed || now - waiting.getFirst().idleNanos() >= idleNanos)) {
      old.add(waiting.removeFirst());
    }
    return old;
  }

  private static void sayQuit(UpstreamClient connection) {
    try {
      connection.sayQuit();
    } catch (IOException e) {
      // It is closed soon in any case.
    }
  }

  private static boolean quiet(UpstreamClient connection) {
    try {
      return !connection.replyPending();
    } catch (IOException e) {
      return false;
    }
  }

  private void gone(UpstreamClient connection) {
    connection.abandon();
    onGone.accept(connection);
  }
}
