package io.bloomgate.blocklists.senders;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The time of day as far as it can be believed: when the wall clock leaps ahead of the monotonic
 * one, this one goes on at its own pace until the leap has lasted for {@link #DOUBT}. A clock that
 * is wrong for some hours ends no probation and no pause, and nothing is forgotten by it.
 *
 * <p>A clock that is set back is followed at once: to end late does no harm. So is one that is set
 * right soon after the start, as hosts without a clock of their own do. Thread-safe.
 */
public final class SteadyClock implements InstantSource {

  /** The time that a leap ahead has to last until it is believed. */
  public static final Duration DOUBT = Duration.ofDays(1);

  /** A step that is believed at once; more than correcting a drift takes. */
  static final Duration TOLERANCE = Duration.ofMinutes(5);

  /** Time after the start within which the clock may still be set right. */
  static final Duration START = Duration.ofMinutes(15);

  private final InstantSource wall;
  private final LongSupplier nanoTime;
  private final Instant start;
  private final long startNanos;
  private Instant believed;
  private long believedNanos;
  private @Nullable Long leapNanos;
  private long evenSinceNanos;

  /**
   * A clock that believes what it sees first.
   *
   * @param nanoTime monotonic time in nanoseconds
   */
  public SteadyClock(InstantSource wall, LongSupplier nanoTime) {
    this.wall = wall;
    this.nanoTime = nanoTime;
    this.startNanos = nanoTime.getAsLong();
    this.start = wall.instant();
    this.believed = start;
    this.believedNanos = startNanos;
    this.evenSinceNanos = startNanos;
  }

  @Override
  public synchronized Instant instant() {
    long nanos = nanoTime.getAsLong();
    Instant now = wall.instant();
    Instant expected = believed.plusNanos(nanos - believedNanos);
    if (Duration.between(expected, now).compareTo(TOLERANCE) > 0 && doubts(nanos)) {
      now = expected;
    } else {
      leapNanos = null;
      if (Duration.between(expected, now).abs().compareTo(TOLERANCE) > 0) {
        evenSinceNanos = nanos;
      }
    }
    believed = now;
    believedNanos = nanos;
    return now;
  }

  /**
   * The time of the start and what has passed since by the monotonic clock, which cannot be set:
   * for waits within this process. Never shown and never stored.
   */
  public Instant even() {
    return start.plusNanos(nanoTime.getAsLong() - startNanos);
  }

  private boolean doubts(long nanos) {
    if (nanos - startNanos < START.toNanos()) {
      return false;
    }
    if (leapNanos == null) {
      leapNanos = nanos;
    }
    return nanos - leapNanos < DOUBT.toNanos();
  }

  /** The earlier of a time that the wall clock gave and of the time that is believed. */
  public Instant atMost(Instant time) {
    Instant now = instant();
    return time.isAfter(now) ? now : time;
  }

  /**
   * True when the clock has gone evenly for {@link #DOUBT}, the time since the start included: what
   * is old by it is old.
   */
  public synchronized boolean isTrusted() {
    instant();
    return leapNanos == null && nanoTime.getAsLong() - evenSinceNanos >= DOUBT.toNanos();
  }
}
