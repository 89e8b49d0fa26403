package io.bloomgate.gateway.log;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** How often a line is said, and what the next one tells of those that were not. */
class WarningPaceTest {

  // Near the end of its range, where a monotonic clock may well be.
  private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - 5);
  private final List<String> lines = new ArrayList<>();

  private void say(WarningPace pace, int times) {
    for (int i = 0; i < times; i++) {
      int line = i;
      pace.say(more -> lines.add(line + more));
    }
  }

  @Test
  void aFloodBecomesItsFirstLinesAndACount() {
    WarningPace pace = new WarningPace(now::get, 2);
    say(pace, 1_000);
    assertEquals(List.of("0", "1"), lines);
    now.addAndGet(Duration.ofMinutes(1).toNanos() - 1);
    say(pace, 1);
    assertEquals(List.of("0", "1"), lines, "the minute is not over");
    now.incrementAndGet();
    say(pace, 3);
    assertEquals(List.of("0", "1", "0 (not logged since the last: 999)", "1"), lines);
    now.addAndGet(Duration.ofHours(1).toNanos());
    say(pace, 1);
    assertEquals("0 (not logged since the last: 1)", lines.getLast());
  }

  @Test
  void whatComesSeldomIsSaidAtOnce() {
    WarningPace pace = new WarningPace(now::get, 1);
    for (int i = 0; i < 3; i++) {
      say(pace, 1);
      now.addAndGet(Duration.ofMinutes(1).toNanos());
    }
    assertEquals(List.of("0", "0", "0"), lines);
  }
}
