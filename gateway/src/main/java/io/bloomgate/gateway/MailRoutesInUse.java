package io.bloomgate.gateway;

import io.bloomgate.gateway.relay.MailRoutes;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/**
 * The mail routes that new sessions use, and those of earlier settings that older sessions still
 * use. Retired routes are watched until their last session is over: a session that needs no
 * connection now may need one for its next message.
 *
 * <p>Made and changed by {@link LiveSettings}: {@link #current} on any thread, {@link #replace} on
 * the thread of a reload, one at a time, {@link #tick} on that of housekeeping.
 */
final class MailRoutesInUse {

  /** Sessions are cut a few seconds after {@code session_timeout}. */
  private static final Duration MARGIN = Duration.ofMinutes(1);

  private final LongSupplier nanoTime;
  private final Map<MailRoutes, Long> retiredUntil = new ConcurrentHashMap<>();
  private volatile MailRoutes current;

  /**
   * Begins with the routes of the first settings.
   *
   * @param nanoTime monotonic time in nanoseconds
   */
  MailRoutesInUse(MailRoutes first, LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
    this.current = first;
  }

  /** The routes of a session that begins now. */
  MailRoutes current() {
    return current;
  }

  /**
   * New sessions use other routes from now on.
   *
   * @param sessionTimeout of the settings that the earlier routes belong to
   */
  void replace(MailRoutes fresh, Duration sessionTimeout) {
    MailRoutes old = current;
    current = fresh;
    old.retire();
    retiredUntil.put(old, nanoTime.getAsLong() + sessionTimeout.plus(MARGIN).toNanos());
  }

  /** Watches the writes of all routes, and forgets those that no session can use any more. */
  void tick() {
    current.tick();
    long now = nanoTime.getAsLong();
    retiredUntil.keySet().forEach(MailRoutes::tick);
    retiredUntil
        .entrySet()
        .removeIf(retired -> now - retired.getValue() >= 0 && retired.getKey().unused());
  }

  /** Returns the number of retired routes that are watched. */
  int retired() {
    return retiredUntil.size();
  }

  void close() {
    current.close();
    retiredUntil.keySet().forEach(MailRoutes::close);
  }
}
