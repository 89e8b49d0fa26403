package io.bloomgate.gateway.score;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.config.settings.Action;
import io.bloomgate.config.settings.Promotion;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Which action a feed may take next, at and below each threshold. */
final class NextActionTest {

  private static final Instant NOW = Instant.parse("2026-11-23T06:00:00Z");
  private static final Promotion ASKED =
      new Promotion(Duration.ofDays(7), 1000, 5, Duration.ofDays(14), 1, Duration.ofDays(30));

  private static FeedScore score(
      Action action,
      int days,
      long watched,
      long acceptedHits,
      long goodNetworks,
      @Nullable Instant allowed) {
    return new FeedScore(
        "drop",
        action,
        NOW.minus(Duration.ofDays(30)),
        200_000,
        100_000,
        2_911,
        37,
        List.of(),
        acceptedHits,
        acceptedHits,
        goodNetworks,
        allowed == null ? 0 : 1,
        allowed,
        NOW.minus(Duration.ofDays(days)),
        watched,
        0L,
        1_400L);
  }

  private static String advice(FeedScore score) {
    return NextAction.of(score, ASKED, NOW).advice(score);
  }

  @Test
  void observeBecomesTagAtItsThresholds() {
    FeedScore ready = score(Action.OBSERVE, 7, 1000, 4, 0, null);
    assertTrue(NextAction.of(ready, ASKED, NOW).ready());
    assertEquals("keeps 37 of its 2 911 hits alone; ready for tag", advice(ready));
    assertEquals(
        "not ready for tag: its first listing is 6 days old, 7 are needed",
        advice(score(Action.OBSERVE, 6, 1000, 0, 0, null)));
    assertEquals(
        "not ready for tag: 999 of 1 000 sessions were seen since then",
        advice(score(Action.OBSERVE, 7, 999, 0, 0, null)));
    assertEquals(
        "not ready for tag: it lists 1 network with 5 or more accepted sessions; hits 6 accepted"
            + " senders: look at `bloomgate sessions list --feed drop --verdict accept`",
        advice(score(Action.OBSERVE, 7, 1000, 6, 1, null)));
    assertFalse(
        NextAction.of(score(Action.OBSERVE, 7, 1000, 0, 0, NOW), ASKED, NOW).ready(), "allowed");
  }

  @Test
  void tagBecomesRejectWithFewAcceptedHits() {
    assertTrue(NextAction.of(score(Action.TAG, 14, 1000, 1, 0, null), ASKED, NOW).ready());
    assertFalse(NextAction.of(score(Action.TAG, 13, 1000, 1, 0, null), ASKED, NOW).ready());
    assertTrue(
        advice(score(Action.TAG, 14, 1000, 2, 0, null))
            .contains("it lists 2 of 100 000 accepted sessions, at most 1 of 100 000 may be"));
    assertEquals(
        "keeps 37 of its 2 911 hits alone", advice(score(Action.REJECT, 14, 1000, 2, 0, null)));
  }

  @Test
  void aLaterAllowStepsBackForAsLongAsTheSettingsSay() {
    Instant last = NOW.minus(Duration.ofDays(30));
    assertEquals(
        "STEP BACK to tag: 1 allow entry came after hits",
        advice(score(Action.REJECT, 20, 1000, 0, 0, last)));
    assertEquals(
        Action.OBSERVE, NextAction.of(score(Action.TAG, 20, 1000, 0, 0, last), ASKED, NOW).to());
    FeedScore old = score(Action.TAG, 20, 1000, 0, 0, last.minusMillis(1));
    assertTrue(NextAction.of(old, ASKED, NOW).ready());
  }
}
