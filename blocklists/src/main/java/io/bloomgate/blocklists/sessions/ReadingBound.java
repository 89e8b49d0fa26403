package io.bloomgate.blocklists.sessions;

import java.time.Duration;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Bounds the rows that are read for one question that looks at a great number of them, and the time
 * for it. Made by {@link AcceptedSessions}; one thread.
 */
final class ReadingBound {

  private final long rows;
  private final Duration time;
  private final LongSupplier nanoTime;
  private final long began;
  private long left;
  private @Nullable String reached;

  /**
   * A bound; the time begins now.
   *
   * @param rows of any kind
   * @param nanoTime monotonic time in nanoseconds
   */
  ReadingBound(long rows, Duration time, LongSupplier nanoTime) {
    this.rows = rows;
    this.time = time;
    this.nanoTime = nanoTime;
    this.began = nanoTime.getAsLong();
    this.left = rows;
  }

  /**
   * Asks for further rows, before they are read.
   *
   * @param wanted at least 1
   * @return how many may be read; 0 when the bound is reached
   */
  long grant(long wanted) {
    if (nanoTime.getAsLong() - began > time.toNanos()) {
      reached = time.toSeconds() + " s of reading";
    } else if (left == 0) {
      reached = "the newest " + rows + " kept sessions";
    }
    long granted = reached == null ? Math.min(wanted, left) : 0;
    left -= granted;
    return granted;
  }

  /** Names what ended the reading, as in "after ..."; empty while nothing did. */
  Optional<String> reached() {
    return Optional.ofNullable(reached);
  }
}
