package io.bloomgate.gateway.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.config.notation.Rate;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** How often each of many may do something, with a clock that the test turns. */
class RateTableTest {

  private static final long SECOND = 1_000_000_000L;
  private static final Rate THREE_A_MINUTE = new Rate(3, Duration.ofSeconds(20));

  private long now = Long.MAX_VALUE - 5; // it wraps

  @Test
  void nothingIsKeptOfWhoHasItsWholeBurst() {
    RateTable<String> table = new RateTable<>(() -> now);
    assertTrue(table.take("b", THREE_A_MINUTE));
    now += 60 * SECOND;
    for (int i = 0; i < 3; i++) {
      assertTrue(table.take("a", THREE_A_MINUTE));
    }
    assertFalse(table.has("a", THREE_A_MINUTE));
    now += 20 * SECOND - 1;
    assertFalse(table.take("a", THREE_A_MINUTE));
    assertEquals(1, table.size(), "b has its whole burst again, so nothing is kept of it");
  }

  /** A bucket for each key that never forgets and counts in whole tokens: the same answers. */
  @Test
  void itAnswersAsABucketForEachKeyWould() {
    Random random = new Random(0x6c4aL);
    RateTable<Integer> table = new RateTable<>(() -> now);
    Map<Integer, Deque<Long>> oracle = new HashMap<>();
    long time = 0;
    for (int i = 0; i < 5_000; i++) {
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
  void whatWasLetInElsewhereCountsAsIfItHadBeenLetInThen() {
    RateTable<String> table = new RateTable<>(() -> now);
    assertTrue(table.take("a", THREE_A_MINUTE));
    table.add("a", THREE_A_MINUTE, 1, 0);
    assertTrue(table.take("a", THREE_A_MINUTE));
    assertFalse(table.has("a", THREE_A_MINUTE), "two here and one there are three");
    table.add("b", THREE_A_MINUTE, 1, 60 * SECOND);
    table.add("b", THREE_A_MINUTE, 1, 19 * SECOND);
    assertTrue(table.take("b", THREE_A_MINUTE));
    assertTrue(table.take("b", THREE_A_MINUTE));
    assertFalse(table.take("b", THREE_A_MINUTE), "one of 19 s ago has not come back yet");
    now += SECOND;
    assertTrue(table.take("b", THREE_A_MINUTE));
    for (int i = 0; i < 1_000; i++) {
      table.add("c", THREE_A_MINUTE, 1, 0);
    }
    assertFalse(table.has("c", THREE_A_MINUTE));
    now += 20 * SECOND;
    assertTrue(table.take("c", THREE_A_MINUTE), "no more than a whole burst is owed");
    table.add("old", THREE_A_MINUTE, 1, 20 * SECOND);
    assertEquals(3, table.size(), "what is long over is not kept");
  }

  /** Over any number of nodes, in any order, merged at once: as one table would. */
  @Test
  void nodesTogetherLetInWhatOneWould() {
    Random random = new Random(0x51deL);
    RateTable<Integer> alone = new RateTable<>(() -> now);
    List<RateTable<Integer>> nodes = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      nodes.add(new RateTable<>(() -> now));
    }
    for (int i = 0; i < 5_000; i++) {
      now += random.nextInt(4) * SECOND;
      int key = random.nextInt(20);
      RateTable<Integer> at = nodes.get(random.nextInt(nodes.size()));
      boolean isLetIn = at.take(key, THREE_A_MINUTE);
      assertEquals(alone.take(key, THREE_A_MINUTE), isLetIn, "event " + i);
      if (isLetIn) {
        nodes.stream().filter(n -> n != at).forEach(n -> n.add(key, THREE_A_MINUTE, 1, 0));
      }
    }
  }

  @Test
  void whoFillsItNeitherFreesTheOneAtItsLimitNorLocksAnybodyOut() {
    RateTable<String> table = new RateTable<>(() -> now, 100);
    for (int i = 0; i < 3; i++) {
      assertTrue(table.take("busy", THREE_A_MINUTE));
    }
    for (int i = 0; i < 2_000; i++) {
      assertTrue(table.take("once " + i, THREE_A_MINUTE), "who comes once is never limited");
      now += SECOND / 200;
    }
    assertEquals(100, table.size());
    assertFalse(table.take("busy", THREE_A_MINUTE), "10 s are not 20");
    assertTrue(table.take("innocent", THREE_A_MINUTE));
    now += 60 * SECOND;
    assertTrue(table.take("x", THREE_A_MINUTE));
    assertTrue(table.size() <= 100);
  }
}
