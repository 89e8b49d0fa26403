package io.bloomgate.gateway.observe;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.config.json.JsonValue.JsonObject;
import io.bloomgate.config.settings.LogSettings.Privacy;
import io.bloomgate.gateway.observe.DecisionRecord.Outcome;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What {@code status}, {@code feeds list} and {@code tail} show of the recent past. */
final class VerdictCountsTest {

  private Instant now = Decisions.NOW;
  private final VerdictCounts counts = new VerdictCounts(() -> now);

  private void refuse(String feed) {
    counts.count(Decisions.with(Decisions.refused("203.0.113.7", feed), Decisions.ID, now));
  }

  @Test
  void anHourLaterTheVerdictIsOutAndADayLaterTheHit() {
    refuse("drop");
    now = now.plus(Duration.ofMinutes(59));
    refuse("drop");
    assertEquals(
        Map.of("accept", 0L, "tag", 0L, "tempfail", 0L, "reject", 2L), counts.verdictsLastHour());
    now = now.plus(Duration.ofMinutes(1));
    assertEquals(1, counts.verdictsLastHour().get("reject"));
    assertEquals(2, counts.feedHitsLastDay("drop"));
    now = now.plus(Duration.ofHours(23));
    assertEquals(1, counts.feedHitsLastDay("drop"));
    assertEquals(0, counts.feedHitsLastDay("other"));
    now = now.plus(Duration.ofHours(1));
    assertEquals(0, counts.feedHitsLastDay("drop"));
  }

  @Test
  void mailThatModeObserveSparedCountsOnce() {
    DecisionRecord refused = Decisions.refused("203.0.113.7", "drop");
    for (Outcome outcome : List.of(Outcome.WOULD_REFUSE, Outcome.DELIVERED)) {
      counts.count(
          Decisions.record(
              "203.0.113.7",
              outcome,
              refused.verdict(),
              refused.reply(),
              "h.example",
              "a@spam.example",
              "bob@example.com"));
    }
    assertEquals(1, counts.verdictsLastHour().get("reject"));
    assertEquals(1, counts.feedHitsLastDay("drop"));
  }

  @Test
  void inventedDomainsFillNoMemory() {
    for (int i = 0; i < 5000; i++) {
      counts.countUnknown("d" + i + ".example");
    }
    counts.countUnknown("d7.example");
    Map<String, Long> top = counts.unknownDomains(2);
    assertEquals(List.of("(others)", "d7.example"), List.copyOf(top.keySet()));
    assertEquals(List.of(4000L, 2L), List.copyOf(top.values()));
    assertEquals(1001, counts.unknownDomains(5000).size());
  }

  @Test
  void watchersSeeWhatTheyAskedForAndLearnWhatTheyMissed() throws InterruptedException {
    TailHub hub = new TailHub();
    try (TailHub.Watcher drops = hub.watch("reject", "drop", Privacy.FULL).orElseThrow();
        TailHub.Watcher tags = hub.watch("tag", null, Privacy.FULL).orElseThrow()) {
      hub.publish(Decisions.refused("203.0.113.7", "other"));
      for (int i = 0; i < 1100; i++) {
        hub.publish(Decisions.refused("203.0.113.7", "drop"));
      }
      JsonObject first = drops.next(Duration.ofSeconds(10)).orElseThrow();
      assertEquals("drop", first.text("feed").orElseThrow());
      assertEquals(1100 - 1024, drops.missed());
      assertTrue(tags.next(Duration.ZERO).isEmpty());
    }
    for (int i = 0; i < TailHub.MAX_WATCHERS; i++) {
      assertTrue(hub.watch(null, null, Privacy.FULL).isPresent());
    }
    assertTrue(hub.watch(null, null, Privacy.FULL).isEmpty());
  }
}
