package io.bloomgate.gateway.metrics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.sessions.Outcome;
import io.bloomgate.config.json.JsonValue.JsonObject;
import io.bloomgate.config.settings.LogSettings.Privacy;
import io.bloomgate.gateway.log.DecisionRecord;
import io.bloomgate.gateway.log.Decisions;
import io.bloomgate.gateway.log.TailHub;
import io.bloomgate.gateway.smtp.Reply;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
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
    assertEquals(2L, counts.verdictsLastHour().get("reject"));
    assertEquals(
        List.of(
            "accept",
            "tag",
            "greylist",
            "tempfail",
            "reject",
            "would_tag",
            "would_greylist",
            "would_tempfail",
            "would_reject",
            "server_away"),
        List.copyOf(counts.verdictsLastHour().keySet()));
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
      counts.count(with(refused, outcome));
    }
    assertEquals(0, counts.verdictsLastHour().get("reject"), "nothing was rejected");
    assertEquals(1, counts.verdictsLastHour().get("would_reject"));
    assertEquals(1, counts.feedHitsLastDay("drop"));
  }

  @Test
  void aRecipientThatTheMailServerRefusedCountsAsWhatModeObserveNoted() {
    DecisionRecord refused = Decisions.refused("203.0.113.7", "drop");
    counts.count(with(refused, Outcome.UPSTREAM_REFUSED));
    assertEquals(1, counts.feedHitsLastDay("drop"));
  }

  private static DecisionRecord with(DecisionRecord decision, Outcome outcome) {
    return Decisions.record(
        "203.0.113.7",
        outcome,
        decision.verdict(),
        decision.reply(),
        "h.example",
        "a@spam.example",
        "bob@example.com");
  }

  @Test
  void mailThatNoServerTookHasARowAndIsNotAccepted() {
    DecisionRecord clean = Decisions.refused("203.0.113.7", "drop");
    counts.count(with(clean, Outcome.UPSTREAM_FAILED));
    counts.count(
        Decisions.record(
            "192.0.2.1",
            Outcome.UPSTREAM_FAILED,
            Decisions.accepted(),
            Reply.of(451, "4.4.1", "No answer from mail server; try again later"),
            "h.example",
            "a@b.example",
            "bob@example.com"));
    assertEquals(2, counts.verdictsLastHour().get("server_away"));
    assertEquals(0, counts.verdictsLastHour().get("accept"));
  }

  @Test
  void aRestartKeepsHourAndDay() {
    refuse("drop");
    refuse("drop");
    now = now.plus(Duration.ofMinutes(30));
    refuse("other");
    VerdictCounts.Saved kept = counts.saved(true);
    now = now.plus(Duration.ofMinutes(29));
    VerdictCounts restarted = new VerdictCounts(() -> now);
    restarted.restore(kept);
    assertEquals(counts.verdictsLastHour(), restarted.verdictsLastHour());
    assertEquals(3, restarted.verdictsLastHour().get("reject"));
    now = now.plus(Duration.ofMinutes(1));
    assertEquals(1, restarted.verdictsLastHour().get("reject"));
    assertEquals(2, restarted.feedHitsLastDay("drop"));
    now = now.plus(Duration.ofDays(1));
    VerdictCounts late = new VerdictCounts(() -> now);
    late.restore(kept);
    assertEquals(0, late.feedHitsLastDay("drop"));
    assertEquals(Set.of(0L), Set.copyOf(late.verdictsLastHour().values()));
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
