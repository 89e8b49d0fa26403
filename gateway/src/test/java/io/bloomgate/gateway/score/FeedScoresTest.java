package io.bloomgate.gateway.score;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.sessions.Outcome;
import io.bloomgate.gateway.score.FeedScore.Counts;
import io.bloomgate.gateway.score.FeedScore.Shared;
import io.bloomgate.gateway.score.FeedScore.Watched;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Scores of a real store, real lists and real entries of the operator. */
final class FeedScoresTest {

  private static final Instant NOON = ScoreStage.BEGIN.plus(Duration.ofHours(12));

  @TempDir private Path folder;

  @Test
  void sessionsEntriesAndFeedsAreJoined() throws Exception {
    try (ScoreStage stage = new ScoreStage(folder, "observe", "observe")) {
      stage
          .session(NOON, "203.0.113.7", Outcome.REFUSED, 10, "drop", "other")
          .session(NOON, "198.51.100.7", Outcome.DELIVERED, 3, "drop")
          .session(NOON.plusSeconds(60), "198.51.100.9", Outcome.DELIVERED, 1)
          .session(NOON.plusSeconds(90), "198.51.100.9", Outcome.DELIVERED, 1)
          .session(NOON.plusSeconds(120), "192.0.2.1", Outcome.DELIVERED, 40)
          .session(NOON.plusSeconds(180), "192.0.2.2", Outcome.REFUSED, 5, "gone")
          .write();
      stage.pass(Duration.ofDays(2));
      stage.allow("203.0.113.7");
      stage.allow("192.0.2.77");
      assertEquals(0, stage.score("drop").score().counts().goodNetworks(), "spam, perhaps");
      assertEquals(0, stage.score("drop").score().counts().knownHits());
      stage.known("198.51.100.9");
      Counts drop = stage.score("drop").score().counts();
      assertEquals(60, drop.sessions());
      assertEquals(45, drop.accepted());
      assertEquals(13, drop.hits());
      assertEquals(3, drop.alone());
      assertEquals(List.of(new Shared("other", 10, 77)), drop.shared());
      assertEquals(3, drop.acceptedHits());
      assertEquals(3, drop.knownHits());
      assertEquals(1, drop.acceptedSenders());
      assertEquals(1, drop.goodNetworks(), "3 listed sessions and 2 of its neighbour");
      assertEquals(1, drop.laterAllowed());
      assertEquals(stage.now(), drop.lastAllowed());
      assertEquals(10, stage.score("other").score().counts().hits());
      assertEquals(List.of("drop", "other", "zone"), stage.scores().names());
    }
  }

  /** Four sessions of a network make it no good one, five do. */
  @Test
  void aNetworkIsGoodFromFiveAcceptedSessionsOn() throws Exception {
    try (ScoreStage stage = new ScoreStage(folder, "observe", "observe")) {
      stage.session(NOON, "198.51.100.7", Outcome.DELIVERED, 1, "drop");
      stage.session(NOON, "198.51.100.200", Outcome.DELIVERED, 3).write();
      stage.pass(Duration.ofDays(1));
      stage.known("198.51.100.7");
      assertEquals(0, stage.score("drop").score().counts().goodNetworks());
      stage.session(NOON, "198.51.101.1", Outcome.DELIVERED, 9);
      stage.session(NOON, "198.51.100.201", Outcome.DELIVERED, 1).write();
      assertEquals(1, stage.score("drop").score().counts().goodNetworks());
    }
  }

  /** Anybody may send postmaster any amount of mail, which no feed refuses. */
  @Test
  void mailToExemptRecipientsCountsNeitherForAFeedNorAgainstIt() throws Exception {
    try (ScoreStage stage = new ScoreStage(folder, "observe", "observe")) {
      stage.session(NOON, "192.0.2.1", Outcome.DELIVERED, 40);
      stage.session(NOON, "203.0.113.7", Outcome.DELIVERED, 2, "drop");
      for (String to : List.of("postmaster@example.com", "\"Abuse\"@example.com")) {
        stage.session(NOON, "192.0.2.2", to, Outcome.DELIVERED, 100_000);
        stage.session(NOON, "203.0.113.7", to, Outcome.DELIVERED, 500, "drop");
        stage.session(NOON, "198.51.100.7", to, Outcome.DELIVERED, 500, "drop");
      }
      stage.write();
      stage.pass(Duration.ofDays(2));
      Counts drop = stage.score("drop").score().counts();
      assertEquals(2_002, drop.hits());
      assertEquals(42, drop.accepted());
      assertEquals(2, drop.acceptedHits());
      assertEquals(1, drop.acceptedSenders());
      assertEquals(0, drop.goodNetworks());
    }
  }

  @Test
  void timeIsWatchedSinceTheActionAndNotSinceTheFirstHit() throws Exception {
    try (ScoreStage stage = new ScoreStage(folder, "observe", "observe")) {
      stage.session(ScoreStage.BEGIN, "192.0.2.1", Outcome.DELIVERED, 7);
      stage.session(NOON, "192.0.2.1", Outcome.DELIVERED, 8);
      stage.pass(Duration.ofDays(10));
      stage.session(stage.now().minusSeconds(1), "203.0.113.7", Outcome.REFUSED, 9, "drop").write();
      Watched watched = stage.score("drop").score().watched();
      assertEquals(new Watched(ScoreStage.BEGIN, Watched.ACTION, 24), watched);
      stage.reload("tag", "observe");
      assertEquals(
          new Watched(stage.now(), Watched.ACTION, 0), stage.score("drop").score().watched());
      assertEquals(ScoreStage.BEGIN, stage.score("other").score().watched().since());
      stage.restart();
      assertEquals(stage.now(), stage.score("drop").score().watched().since());
    }
  }

  @Test
  void costIsTheShareOfTheLiveFiles() throws Exception {
    try (ScoreStage stage = new ScoreStage(folder, "observe", "observe")) {
      FeedScore.Cost drop = stage.score("drop").score().cost();
      FeedScore.Cost other = stage.score("other").score().cost();
      assertEquals(2, drop.entries());
      assertEquals(1, other.entries());
      long more = Objects.requireNonNull(drop.memory());
      long less = Objects.requireNonNull(other.memory());
      assertTrue(less > 100 && Math.abs(more - 2 * less) <= 2, more + " and " + less);
      assertNull(drop.fetched(), "files are not fetched");
      assertNull(stage.score("zone").score().cost().memory());
      assertNotNull(drop.daysStale());
    }
  }
}
