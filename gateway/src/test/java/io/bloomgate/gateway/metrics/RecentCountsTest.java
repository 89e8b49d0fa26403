package io.bloomgate.gateway.metrics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.sessions.Outcome;
import io.bloomgate.config.json.JsonValue.JsonObject;
import io.bloomgate.config.settings.LogSettings.Privacy;
import io.bloomgate.gateway.log.DecisionRecord;
import io.bloomgate.gateway.log.Decisions;
import io.bloomgate.gateway.log.TailHub;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What {@code status}, {@code feeds list} and {@code tail} show of the recent past. */
final class RecentCountsTest {

  private Instant now = Decisions.NOW;
  private final RecentCounts counts = new RecentCounts(() -> now);

  private void refuse(String feed) {
    counts.count(Decisions.with(Decisions.refused("203.0.113.7", feed), Decisions.ID, now));
  }

  @Test
  void aDayLaterTheHitIsOut() {
    refuse("drop");
    now = now.plus(Duration.ofMinutes(60));
    refuse("drop");
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
      counts.count(with(refused, outcome));
    }
    assertEquals(1, counts.feedHitsLastDay("drop"));
  }

  @Test
  void aRecipientThatTheMailServerRefusedCountsAsWhatModeObserveNoted() {
    DecisionRecord refused = Decisions.refused("203.0.113.7", "drop");
    counts.count(with(refused, Outcome.UPSTREAM_REFUSED));
    assertEquals(1, counts.feedHitsLastDay("drop"));
  }

  private static DecisionRecord with(DecisionRecord decision, Outcome outcome) {
    return Decisions.mail(
        "203.0.113.7", outcome, decision.verdict(), decision.reply(), "bob@example.com");
  }

  @Test
  void aRestartKeepsTheDay() {
    refuse("drop");
    refuse("drop");
    now = now.plus(Duration.ofMinutes(30));
    refuse("other");
    RecentCounts.Saved kept = counts.saved();
    RecentCounts restarted = new RecentCounts(() -> now);
    restarted.restore(kept);
    assertEquals(2, restarted.feedHitsLastDay("drop"));
    assertEquals(1, restarted.feedHitsLastDay("other"));
    now = now.plus(Duration.ofDays(1));
    RecentCounts late = new RecentCounts(() -> now);
    late.restore(kept);
    assertEquals(0, late.feedHitsLastDay("drop"));
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
  void unknownDomainsAreForgottenAfterADay() {
    for (int i = 0; i < 1000; i++) {
      counts.countUnknown("d" + i + ".example");
    }
    now = now.plus(Duration.ofHours(12));
    counts.countUnknown("d7.example");
    now = now.plus(Duration.ofHours(12));
    assertEquals(Map.of("d7.example", 1L), counts.unknownDomains(5));
    counts.countUnknown("late.example");
    assertEquals(
        Map.of("d7.example", 1L, "late.example", 1L),
        counts.unknownDomains(5),
        "there is room again");
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
      assertEquals(1100 - 512, drops.missed());
      assertTrue(tags.next(Duration.ZERO).isEmpty());
    }
    for (int i = 0; i < TailHub.MAX_WATCHERS; i++) {
      assertTrue(hub.watch(null, null, Privacy.FULL).isPresent());
    }
    assertTrue(hub.watch(null, null, Privacy.FULL).isEmpty());
  }

  /** The sender got a 451, whatever mode enforce would say. */
  @Test
  void whatModeSoftPutOffIsShownAsThatAndAsARefusal() throws Exception {
    TailHub hub = new TailHub();
    try (TailHub.Watcher putOff = hub.watch("tempfail", null, Privacy.FULL).orElseThrow();
        TailHub.Watcher rejects = hub.watch("reject", null, Privacy.FULL).orElseThrow()) {
      hub.publish(Decisions.refused("203.0.113.7", "first"));
      hub.publish(Decisions.softened(Decisions.refused("203.0.113.7", "second")));
      assertEquals("second", feedOf(putOff));
      assertEquals("first", feedOf(rejects));
      assertEquals("second", feedOf(rejects));
      assertTrue(putOff.next(Duration.ZERO).isEmpty());
    }
  }

  private static String feedOf(TailHub.Watcher watcher) throws InterruptedException {
    return watcher.next(Duration.ZERO).flatMap(shown -> shown.text("feed")).orElse("nothing");
  }
}
