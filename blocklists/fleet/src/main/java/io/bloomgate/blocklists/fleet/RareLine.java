package io.bloomgate.blocklists.fleet;

import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Lines of one kind about what others write, one a minute at most: a client that fills the stream
 * must not fill the log. Thread-safe.
 */
final class RareLine {

  private static final Duration EVERY = Duration.ofMinutes(1);

  private final LongSupplier nanoTime;
  private final Consumer<String> lines;
  private boolean hasLine;
  private long lineNanos;
  private long suppressed;

  RareLine(LongSupplier nanoTime, Consumer<String> lines) {
    this.nanoTime = nanoTime;
    this.lines = lines;
  }

  /** Notes several; there may be none. */
  void lines(List<String> all) {
    if (!all.isEmpty()) {
      line(all.getFirst(), all.size());
    }
  }

  /**
   * Notes that something happened.
   *
   * @param first the line of the first of them
   * @param count how many there are
   */
  synchronized void line(String first, int count) {
    long now = nanoTime.getAsLong();
    suppressed += count;
    if (hasLine && now - lineNanos < EVERY.toNanos()) {
      return;
    }
    lines.accept(suppressed == 1 ? first : first + "; and " + (suppressed - 1) + " more");
    hasLine = true;
    lineNanos = now;
    suppressed = 0;
  }
}
