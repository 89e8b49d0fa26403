package io.bloomgate.gateway;

import io.bloomgate.gateway.relay.MailRoutes;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/**
 * Upstreams of former settings, which sessions that began under these still use. Their writes are
 * watched until the last such session is over; one that needs no connection now may want another
 * for its next message. Used by {@link UpstreamsInUse} on the threads of reloads and housekeeping.
 */
final class RetiredUpstreams {

  /** Sessions are cut a few seconds behind {@code session_timeout}. */
  private static final Duration MARGIN = Duration.ofMinutes(1);

  private final LongSupplier nanoTime;
  private final Map<MailRoutes, Long> keptUntil = new ConcurrentHashMap<>();

  /**
   * None yet.
   *
   * @param nanoTime monotonic time in nanoseconds
   */
  RetiredUpstreams(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
  }

  /**
   * Takes one that no new session will use.
   *
   * @param sessionTimeout of the settings that it belongs to
   */
  void add(MailRoutes upstream, Duration sessionTimeout) {
    upstream.retire();
    keptUntil.put(upstream, nanoTime.getAsLong() + sessionTimeout.plus(MARGIN).toNanos());
  }

  /** Watches the writes and forgets those that nobody can use any more. */
  void tick() {
    long now = nanoTime.getAsLong();
    keptUntil.keySet().forEach(MailRoutes::tick);
    keptUntil.entrySet().removeIf(kept -> now - kept.getValue() >= 0 && kept.getKey().unused());
  }

  /** How many are watched. */
  int count() {
    return keptUntil.size();
  }

  void close() {
    keptUntil.keySet().forEach(MailRoutes::close);
  }
}
