package io.bloomgate.gateway.session;

import io.bloomgate.gateway.relay.Upstream;
import io.bloomgate.gateway.relay.UpstreamSession;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The place where a connection to the upstream lies while its session waits for its client: whoever
 * takes it out has it. Filled and emptied by {@link SessionUpstream} on the session's thread,
 * emptied by housekeeping too; thread-safe.
 */
final class ParkedConnection {

  /** So long a transaction may keep a connection for nothing while others wait for one. */
  private static final Duration COMMAND_PATIENCE = Duration.ofSeconds(3);

  private final LongSupplier nanoTime;
  private final long idleNanos;
  private final AtomicReference<@Nullable Parked> place = new AtomicReference<>();

  private record Parked(UpstreamSession session, boolean inTransaction, long lastUse) {}

  /**
   * Empty.
   *
   * @param idleLimit as of {@link Upstream#idleLimit}
   */
  ParkedConnection(LongSupplier nanoTime, Duration idleLimit) {
    this.nanoTime = nanoTime;
    this.idleNanos = idleLimit.toNanos();
  }

  /**
   * Puts one here.
   *
   * @param lastUse when something was said on it last, of the monotonic clock
   */
  void put(UpstreamSession session, boolean inTransaction, long lastUse) {
    place.set(new Parked(session, inTransaction, lastUse));
  }

  /** Takes it back; false when it is gone. */
  boolean takeBack() {
    return place.getAndSet(null) != null;
  }

  /** Since when nothing was said on it; {@code null} when there is none. */
  @Nullable Long unusedSince() {
    Parked at = place.get();
    return at == null ? null : at.lastUse();
  }

  /**
   * Takes it for good: after the idle limit, and while others wait for one at once, or in a
   * transaction after {@link #COMMAND_PATIENCE}. To be called about once a second.
   *
   * @param given how many of those that wait will be served by what was taken from others
   * @return what the caller must close, which may take its time; {@code null} for nothing
   */
  @Nullable UpstreamSession reclaim(int given) {
    Parked at = place.get();
    if (at == null) {
      return null;
    }
    long unused = nanoTime.getAsLong() - at.lastUse();
    boolean mayBeMissed = !at.inTransaction() || unused >= COMMAND_PATIENCE.toNanos();
    boolean wanted = mayBeMissed && at.session().awaited() > given;
    return (unused >= idleNanos || wanted) && place.compareAndSet(at, null) ? at.session() : null;
  }
}
