package io.bloomgate.gateway.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** A flood of records becomes its first ones and one with a count, and no id is lost. */
final class RecordPaceTest {

  // Near the end of its range, where a monotonic clock may well be.
  private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - 5);
  private int ids;
  private final RecordPace pace =
      new RecordPace(
          now::get, () -> "ID" + ++ids, new RecordPace.Bounds(2, 9, 9), new Semaphore(9));

  private static RecordPace.Kind kind(String verdict) {
    return new RecordPace.Kind(verdict, "");
  }

  private DecisionRecord next(String kind) {
    String id = pace.id(kind(kind));
    return Decisions.with(Decisions.refused("203.0.113.7", "drop"), id, Decisions.NOW);
  }

  private static List<String> shown(List<DecisionRecord> sums) {
    return sums.stream().map(sum -> sum.id() + " x" + sum.times()).toList();
  }

  @Test
  void whatIsBeyondSharesOneIdAndOneSum() {
    assertTrue(pace.admit(kind("a"), next("a")));
    assertTrue(pace.admit(kind("a"), next("a")));
    for (int i = 0; i < 10; i++) {
      DecisionRecord beyond = next("a");
      assertEquals("ID3", beyond.id());
      assertFalse(pace.admit(kind("a"), beyond));
    }
    assertTrue(pace.admit(kind("b"), next("b")), "another kind has its own pace");
    now.addAndGet(Duration.ofMinutes(1).toNanos() - 1);
    assertEquals(List.of(), pace.due());
    now.incrementAndGet();
    assertEquals(List.of("ID3 x10"), shown(pace.due()));
    assertEquals(List.of(), pace.due());
  }

  @Test
  void anotherMinuteBeginsAfreshAndTheEndLeavesNothing() {
    for (int i = 0; i < 5; i++) {
      pace.admit(kind("a"), next("a"));
    }
    now.addAndGet(Duration.ofMinutes(2).toNanos());
    for (int i = 0; i < 3; i++) {
      pace.admit(kind("a"), next("a"));
    }
    assertEquals(List.of("ID3 x3", "ID6 x1"), shown(pace.rest()));
    assertEquals(List.of(), pace.rest());
  }

  @Test
  void aSumCountsForAllThatItStandsFor() {
    pace.admit(kind("a"), next("a"));
    pace.admit(kind("a"), next("a"));
    pace.admit(kind("a"), next("a").standingFor(30));
    pace.admit(kind("a"), next("a").standingFor(12));
    assertEquals(List.of("ID3 x42"), shown(pace.rest()));
  }
}
