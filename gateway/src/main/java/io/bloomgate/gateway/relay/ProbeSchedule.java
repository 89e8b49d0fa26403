package io.bloomgate.gateway.relay;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * When a server is probed between the regular times: while it is down, ever more seldom, and when
 * there is doubt. Used by {@link MailServerHealth} on session and probing threads; thread-safe.
 */
final class ProbeSchedule {

  /** A server that is down is asked after this, then after twice as long, and so on. */
  private static final Duration FIRST_BACK_OFF = Duration.ofSeconds(5);

  private static final Duration LONGEST_BACK_OFF = Duration.ofMinutes(1);

  private final LongSupplier nanoTime;
  private final AtomicBoolean doubted = new AtomicBoolean();
  private final AtomicBoolean probing = new AtomicBoolean();
  // Both only for whoever set probing.
  private long dueNanos;
  private Duration backOff = FIRST_BACK_OFF;

  /**
   * A probe may be made at once.
   *
   * @param nanoTime a monotonic clock, nanoseconds
   */
  ProbeSchedule(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
    this.dueNanos = nanoTime.getAsLong();
  }

  /** A client was not served: a probe shall find out about all others. */
  void doubt() {
    doubted.set(true);
  }

  /**
   * Probes if it is time to. Where a probe is still under way nothing is done.
   *
   * @param up without doubt the server needs no probe then
   * @param servesNobody though it answers: its probes grow rarer even when they succeed
   * @param probe true when it went well
   */
  void ifDue(boolean up, BooleanSupplier servesNobody, BooleanSupplier probe) {
    if (probing.compareAndSet(false, true)) {
      try {
        unlessWell(up, servesNobody, probe);
      } finally {
        probing.set(false);
      }
    }
  }

  private void unlessWell(boolean up, BooleanSupplier servesNobody, BooleanSupplier probe) {
    if (up && !doubted.get()) {
      if (!servesNobody.getAsBoolean()) {
        backOff = FIRST_BACK_OFF;
      }
      return;
    }
    if (nanoTime.getAsLong() - dueNanos < 0) {
      return;
    }
    // Before the probe: who is not served meanwhile is doubt anew.
    doubted.set(false);
    boolean well = probe.getAsBoolean();
    dueNanos = nanoTime.getAsLong() + backOff.toNanos();
    if (!well || servesNobody.getAsBoolean()) {
      Duration twice = backOff.multipliedBy(2);
      backOff = twice.compareTo(LONGEST_BACK_OFF) < 0 ? twice : LONGEST_BACK_OFF;
    }
  }
}
