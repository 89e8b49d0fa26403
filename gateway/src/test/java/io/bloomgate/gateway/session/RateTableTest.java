package io.bloomgate.gateway.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.config.settings.Rate;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** How often each of many may do something, with a clock that the test turns. */
class RateTableTest {

  private static final long SECOND = 1_000_000_000L;
  private static final Rate THREE_A_MINUTE = new Rate(3, Duration.ofSeconds(20));

  private long now = Long.MAX_VALUE - 5; // it wraps

  @Test
  void theRateIsOneOfEachKeyAndMadeGoodByTime() {
    RateTable<String> table = new RateTable<>(() -> now);
    for (int i = 0; i < 3; i++) {
      assertTrue(table.take("a", THREE_A_MINUTE));
    }
    assertFalse(table.has("a", THREE_A_MINUTE));
    assertFalse(table.take("a", THREE_A_MINUTE));
    assertTrue(table.take("b", THREE_A_MINUTE));
    now += 20 * SECOND - 1;
    assertFalse(table.take("a", THREE_A_MINUTE));
    now += 1;
    assertTrue(table.take("a", THREE_A_MINUTE));
    assertFalse(table.take("a", THREE_A_MINUTE));
    now += 60 * SECOND;
    for (int i = 0; i < 3; i++) {
      assertTrue(table.take("a", THREE_A_MINUTE), "the whole burst is there again");
    }
    assertEquals(1, table.size(), "b has its whole burst again, so nothing is kept of it");
  }

  /** A bucket for each key that never forgets and counts in whole tokens: the same answers. */
  @Test
  void itAnswersAsABucketForEachKeyWould() {
    Random random = new Random(0x6c4aL);
    RateTable<Integer> table = new RateTable<>(() -> now);
    Map<Integer, Deque<Long>> oracle = new HashMap<>();
    long time = 0;
    for (int i = 0; i < 100_000; i++) {
      long step = random.nextInt(4) * SECOND;
      now += step;
      time += step;
      int key = random.nextInt(20);
      Deque<Long> regained = oracle.computeIfAbsent(key, k -> new ArrayDeque<>());
      while (!regained.isEmpty() && regained.getFirst() <= time) {
        regained.removeFirst();
      }
      boolean free = regained.size() < 3;
      if (free) {
        long from = regained.isEmpty() ? time : regained.getLast();
        regained.addLast(from + 20 * SECOND);
      }
      assertEquals(free, table.take(key, THREE_A_MINUTE), "event " + i);
    }
  }

  @Test
  void whoFillsItNeitherFreesTheOneAtItsLimitNorLocksAnybodyOut() {
    RateTable<String> table = new RateTable<>(() -> now, 100);
    for (int i = 0; i < 3; i++) {
      assertTrue(table.take("busy", THREE_A_MINUTE));
    }
    for (int i = 0; i < 10_000; i++) {
      assertTrue(table.take("once " + i, THREE_A_MINUTE), "who comes once is never limited");
      now += SECOND / 1_000;
    }
    assertEquals(100, table.size());
    assertFalse(table.take("busy", THREE_A_MINUTE), "10 s are not 20");
    assertTrue(table.take("innocent", THREE_A_MINUTE));
    now += 60 * SECOND;
    assertTrue(table.take("x", THREE_A_MINUTE));
    assertTrue(table.size() <= 100);
  }
}
