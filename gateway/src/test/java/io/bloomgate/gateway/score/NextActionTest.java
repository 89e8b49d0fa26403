package io.bloomgate.gateway.score;

import static io.bloomgate.gateway.testkit.Texts.assertHas;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.score.FeedPromotion;
import io.bloomgate.config.settings.Action;
import io.bloomgate.config.settings.Promotion;
import io.bloomgate.gateway.score.FeedScore.NextAction;
import io.bloomgate.gateway.score.FeedScore.Watched;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Which action a feed may take next, at each threshold and just beside it. */
final class NextActionTest {

  private static final Instant NOW = Instant.parse("2026-11-23T06:00:00Z");
  private static final Promotion ASKED =
      new Promotion(Duration.ofDays(7), 1000, 5, Duration.ofDays(14), 1, Duration.ofDays(30));
  private static final Duration WEEK = Duration.ofDays(7);
  private static final Duration TWO_WEEKS = Duration.ofDays(14);

  /** A feed with good evidence, which a test spoils. */
  private static final class Card {
    private Action action = Action.OBSERVE;
    private Duration watched = TWO_WEEKS;
    private String by = Watched.ACTION;
    private long sessions = 1000;
    private long hits = 2_911;
    private long accepted = 100_000;
    private long acceptedHits;
    private long knownHits;
    private long acceptedSenders;
    private long goodNetworks;
    private @Nullable Instant allowed;
    private String trouble = "";
    private @Nullable FeedPromotion promotion;

    Card(Action action) {
      this.action = action;
    }

    FeedScore score() {
      return new FeedScore(
          "drop",
          action,
          new FeedScore.Counts(
              NOW.minus(Duration.ofDays(30)),
              200_000,
              accepted,
              hits,
              37,
              List.of(),
              acceptedHits,
              knownHits,
              acceptedSenders,
              goodNetworks,
              allowed == null ? 0 : 1,
              allowed),
          new Watched(NOW.minus(watched), by, sessions),
          new FeedScore.Cost(0L, 1_400L, null, null),
          trouble,
          promotion);
    }

    NextAction next() {
      return NextAction.of(score(), ASKED, NOW);
    }

    String advice() {
      return next().advice(score());
    }
  }

  @Test
  void aFeedIsObservedForAWeek() {
    Card card = new Card(Action.OBSERVE);
    card.watched = WEEK;
    assertEquals("keeps 37 of its 2,911 hits alone; ready for tag", card.advice());
    card.watched = WEEK.minusMillis(1);
    assertEquals(
        "not ready for tag: it has action observe for 6 days, 7 days are needed", card.advice());
    card.by = Watched.SESSIONS;
    card.watched = Duration.ofHours(5);
    assertEquals(
        "not ready for tag: sessions are known of 5 hours, 7 days are needed", card.advice());
  }

  @Test
  void noGoodNetworkIsListed() {
    for (Action action : List.of(Action.OBSERVE, Action.TAG)) {
      Card card = new Card(action);
      card.acceptedSenders = 6;
      assertTrue(card.next().ready());
      card.goodNetworks = 1;
      assertHas(
          card.advice(),
          "it lists 1 known network with 5 or more accepted sessions; hits 6 accepted"
              + " senders: look at `bloomgate sessions list --feed drop`");
      card.goodNetworks = 0;
      card.acceptedSenders = ScoreScan.MAX_SENDERS;
      assertFalse(card.next().ready(), "not all were looked at");
    }
  }

  @Test
  void oneOfAHundredThousandAcceptedSessionsMayBeOfKnownSendersThatAreListed() {
    Card card = new Card(Action.TAG);
    card.acceptedHits = 500;
    assertTrue(card.next().ready(), "spam that was accepted says nothing against the list");
    card.knownHits = 1;
    assertTrue(card.next().ready());
    card.accepted = 99_999;
    assertFalse(card.next().ready());
    card.accepted = 200_000;
    card.knownHits = 2;
    assertTrue(card.next().ready());
    card.knownHits = 3;
    assertHas(
        card.advice(),
        "it lists 3 of 200,000 accepted sessions that are of known senders, at most 1 of"
            + " 100,000 may");
    card.action = Action.OBSERVE;
    assertTrue(card.next().ready(), "to tag, only good networks count");
  }

  @Test
  void aLaterAllowStepsBackForAsLongAsTheSettingsSay() {
    Card card = new Card(Action.REJECT);
    card.allowed = NOW.minus(Duration.ofDays(30));
    String advice = "STEP BACK to tag: 1 allow entry came after hits; write `action: tag` into the";
    assertTrue(card.advice().startsWith(advice), card.advice());
    card.action = Action.TAG;
    assertEquals(Action.OBSERVE, card.next().to());
    card.action = Action.OBSERVE;
    assertFalse(card.next().stepBack());
    assertFalse(card.next().ready());
    card.action = Action.TAG;
    card.allowed = NOW.minus(Duration.ofDays(30)).minusMillis(1);
    assertTrue(card.next().ready());
  }

  /** Or the same entry would take a feed from reject to observe in two days. */
  @Test
  void oneAllowStepsBackOnceOnly() {
    Card card = new Card(Action.TAG);
    Instant stepped = NOW.minus(Duration.ofDays(2));
    card.promotion =
        FeedPromotion.asked(true, "root", Instant.EPOCH, "", Action.REJECT)
            .after(new FeedPromotion.Step(Action.REJECT, Action.TAG, stepped, ""));
    card.allowed = stepped;
    assertFalse(card.next().stepBack());
    assertEquals(
        "not ready for reject: 1 allow entry came after hits, and it was stepped back for that",
        card.advice());
    card.allowed = stepped.plusMillis(1);
    assertTrue(card.next().stepBack());
  }

  @Test
  void whatIsInTroubleOrListsNothingIsNotReady() {
    Card card = new Card(Action.OBSERVE);
    card.trouble = "a version of it is held";
    assertEquals("not ready for tag: a version of it is held", card.advice());
    card.trouble = "";
    card.hits = 0;
    assertEquals("not ready for tag: it listed nothing yet", card.advice());
  }
}
