package io.bloomgate.gateway.log;

import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Limits how often a minute a line is logged that clients can cause at will; the next line says how
 * many were left out. One object for each kind of line. Thread-safe.
 */
public final class WarningPace {

  private static final long MINUTE_NANOS = Duration.ofMinutes(1).toNanos();
  private static final long TOO_MANY = -1;

  private final LongSupplier nanoTime;
  private final int linesAMinute;
  private long minuteBegan;
  private int said;
  private long suppressed;

  /**
   * @param nanoTime a monotonic clock, nanoseconds
   */
  public WarningPace(LongSupplier nanoTime, int linesAMinute) {
    this.nanoTime = nanoTime;
    this.linesAMinute = linesAMinute;
    this.minuteBegan = nanoTime.getAsLong();
  }

  /**
   * Logs a line, or counts it as left out.
   *
   * @param line writes it to the log, with the given text at its end
   */
  public void say(Consumer<String> line) {
    long before = admit();
    if (before != TOO_MANY) {
      line.accept(before == 0 ? "" : " (not logged since the last: " + before + ")");
    }
  }

  /**
   * Returns the number of lines that were left out since the last one; {@link #TOO_MANY} when this
   * one is left out.
   */
  private synchronized long admit() {
    long now = nanoTime.getAsLong();
    if (now - minuteBegan >= MINUTE_NANOS) {
      minuteBegan = now;
      said = 0;
    }
    if (said >= linesAMinute) {
      suppressed++;
      return TOO_MANY;
    }
    said++;
    long before = suppressed;
    suppressed = 0;
    return before;
  }
}
