package io.bloomgate.gateway.wire;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * Decides whether waits of {@link WatchedSocket}s that are overdue are ended by housekeeping. A
 * read that has a timeout wakes a thread of the runtime when it begins and when it ends, which is a
 * third of what a small message costs. Under a watchdog a long wait needs no timeout, and may last
 * one round longer than it should.
 *
 * <p>Housekeeping makes a round about once a second; the threads of sessions ask. While there are
 * no rounds (before the start, and in checks without a gateway) every wait has a timeout.
 */
public final class Watchdog {

  /** A shorter wait has a timeout, so that one round more or less does not matter. */
  public static final Duration WORTH_WATCHING = Duration.ofSeconds(5);

  /** The time without a round after which there are none any more. */
  private static final Duration ASLEEP = Duration.ofSeconds(3);

  private final LongSupplier nanoTime;
  private volatile long lastRound;

  /**
   * Begins without a round.
   *
   * @param nanoTime a monotonic clock, nanoseconds
   */
  public Watchdog(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
    this.lastRound = nanoTime.getAsLong() - ASLEEP.toNanos();
  }

  /**
   * A round begins.
   *
   * @return its time, for {@link WatchedSocket#endIfOverdue}
   */
  public long round() {
    long now = nanoTime.getAsLong();
    lastRound = now;
    return now;
  }

  /**
   * True when a wait needs no timeout.
   *
   * @param now of the monotonic clock
   * @param nanos how long it may last
   */
  boolean covers(long now, long nanos) {
    return nanos >= WORTH_WATCHING.toNanos() && now - lastRound < ASLEEP.toNanos();
  }
}
