package io.bloomgate.gateway.wire;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * Somebody who goes round and ends waits that are overdue. A read that has a timeout of its own
 * wakes a thread of the runtime when it begins and when it ends, which is a third of what a small
 * message costs; under a watch a long wait needs none, and may last a round longer than it should.
 *
 * <p>Gone round by housekeeping about once a second, asked by the threads of sessions. While nobody
 * goes round, as before the start and in checks without a gateway, every wait is timed.
 */
public final class Watch {

  /** A shorter wait is timed, so that a round more or less does not matter. */
  public static final Duration WORTH_WATCHING = Duration.ofSeconds(5);

  /** So long after the last round nobody is believed to go round any more. */
  private static final Duration ASLEEP = Duration.ofSeconds(3);

  private final LongSupplier nanoTime;
  private volatile long lastRound;

  /**
   * Nobody goes round yet.
   *
   * @param nanoTime a monotonic clock, nanoseconds
   */
  public Watch(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
    this.lastRound = nanoTime.getAsLong() - ASLEEP.toNanos();
  }

  /** A round begins. */
  public void round() {
    lastRound = nanoTime.getAsLong();
  }

  /**
   * True when a wait needs no timeout of its own.
   *
   * @param now of the monotonic clock
   * @param nanos how long it may last
   */
  public boolean covers(long now, long nanos) {
    return nanos >= WORTH_WATCHING.toNanos() && now - lastRound < ASLEEP.toNanos();
  }
}
