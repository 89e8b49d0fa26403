package io.bloomgate.gateway.score;

import static io.bloomgate.gateway.testkit.Texts.assertHas;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.OfflineBlocklists;
import io.bloomgate.blocklists.explain.Explainer.DnsAnswers;
import io.bloomgate.blocklists.explain.Explainer.GreylistAnswers;
import io.bloomgate.blocklists.explain.Explanation;
import io.bloomgate.blocklists.explain.Question;
import io.bloomgate.blocklists.sessions.Outcome;
import io.bloomgate.config.control.ControlRequest.Explain;
import io.bloomgate.config.settings.Action;
import io.bloomgate.config.settings.Mode;
import io.bloomgate.gateway.score.Promoter.PromotionNotices;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Feeds that the gateway moves by their evidence, over real lists and a real store. */
final class PromoterTest {

  private static final Duration DAY = Duration.ofDays(1);
  private static final String CLIENT = "203.0.113.7";

  @TempDir private Path folder;

  /** Sessions of a day that speak for feed drop. */
  private static void goodDay(ScoreStage stage) throws Exception {
    stage.session(stage.now(), CLIENT, Outcome.REFUSED, 1_200, "drop", "other").write();
  }

  private static void days(ScoreStage stage, int count) throws Exception {
    for (int day = 0; day < count; day++) {
      if (day % 3 == 0) {
        goodDay(stage);
      }
      stage.pass(DAY);
      stage.lists().promotions().note();
      stage.promoter().tick();
    }
  }

  /** The last of several days; of the others there is nothing to say. */
  private static void later(ScoreStage stage, int days) throws Exception {
    stage.pass(DAY.multipliedBy(days - 1));
    days(stage, 1);
  }

  /** What the gateway, and the command line without it, say of a listed client. */
  private static String explained(ScoreStage stage) throws Exception {
    Question question = new Question(new Explain(CLIENT, null, null, null, null), _ -> false);
    String here =
        stage
            .lists()
            .explainer(Mode.ENFORCE, DnsAnswers.NONE, GreylistAnswers.NONE)
            .explain(question)
            .toOptional()
            .orElseThrow()
            .notes()
            .toString();
    try (OfflineBlocklists offline = stage.offline()) {
      Explanation there = offline.explainer().explain(question).toOptional().orElseThrow();
      assertHas(there.notes().toString(), "by its evidence");
      assertEquals("tag", there.verdict());
    }
    return here;
  }

  private static List<String> alarms(ScoreStage stage) {
    return PromotionNotices.alarms(stage.lists(), stage.now());
  }

  @Test
  void evidenceMovesAFeedOneStepAtATime() throws Exception {
    try (ScoreStage stage = new ScoreStage(folder, "observe", "observe")) {
      assertTrue(stage.promoter().begin("drop", Action.OBSERVE, "root"));
      stage.promoter().tick();
      days(stage, 6);
      assertEquals(Action.OBSERVE, stage.action("drop"));
      days(stage, 1);
      assertEquals(Action.TAG, stage.action("drop"));
      assertEquals(Action.OBSERVE, stage.action("other"), "nobody asked for it");
      assertEquals(
          Action.TAG,
          Objects.requireNonNull(stage.lists().settings().feeds().sources().get("drop")).action());
      assertEquals(
          List.of("drop tag (settings say observe), auto for root"),
          PromotionNotices.standing(stage.lists()));
      assertEquals(1, alarms(stage).size(), alarms(stage)::toString);
      assertTrue(
          alarms(stage)
              .getFirst()
              .startsWith(
                  "feed drop was promoted from observe to tag at "
                      + stage.now()
                      + ": 3,600 sessions"),
          alarms(stage)::toString);
      assertTrue(
          stage.audit().getFirst().startsWith("gateway: drop from observe to tag: 3,600 sessions"),
          stage.audit()::toString);
      assertHas(
          explained(stage),
          "drop has action tag by its evidence since " + stage.now() + ", the settings say");
      days(stage, 13);
      assertEquals(Action.TAG, stage.action("drop"));
      assertEquals(List.of(), alarms(stage), "after a week");
      days(stage, 1);
      assertEquals(Action.REJECT, stage.action("drop"));
      assertEquals(Action.OBSERVE, stage.action("other"));
    }
  }

  @Test
  void aStepSurvivesARestartAndAReload() throws Exception {
    try (ScoreStage stage = new ScoreStage(folder, "observe", "observe")) {
      stage.promoter().begin("drop", Action.OBSERVE, "root");
      days(stage, 8);
      assertEquals(Action.TAG, stage.action("drop"));
      stage.restart();
      assertEquals(Action.TAG, stage.action("drop"));
      stage.reload("observe", "tag");
      assertEquals(Action.TAG, stage.action("drop"));
      stage.reload("tempfail", "tag");
      assertEquals(Action.TEMPFAIL, stage.action("drop"), "a person's word counts");
      stage.reload("observe", "tag");
      assertEquals(Action.OBSERVE, stage.action("drop"), "what was moved is forgotten");
    }
  }

  @Test
  void aFeedFromAnotherPlaceHasNoEvidence() throws Exception {
    try (ScoreStage stage = new ScoreStage(folder, "observe", "observe")) {
      stage.promoter().begin("drop", Action.OBSERVE, "root");
      days(stage, 8);
      assertEquals(Action.TAG, stage.action("drop"));
      stage.reload("observe", "observe", "other.txt");
      assertEquals(Action.OBSERVE, stage.action("drop"));
      assertEquals(List.of(), PromotionNotices.standing(stage.lists()));
      stage.reload("observe", "observe");
      assertEquals(Action.OBSERVE, stage.action("drop"), "it has to be asked for again");
    }
  }

  @Test
  void oneLaterAllowStepsBackOnce() throws Exception {
    try (ScoreStage stage = new ScoreStage(folder, "reject", "reject")) {
      stage.promoter().begin("drop", Action.REJECT, "root");
      days(stage, 2);
      stage.allow(CLIENT);
      days(stage, 1);
      assertEquals(Action.TAG, stage.action("drop"));
      assertEquals(Action.REJECT, stage.action("other"), "nobody asked for it");
      assertHas(alarms(stage).getFirst(), "was stepped back from reject to tag");
      assertTrue(
          stage
              .audit()
              .getFirst()
              .startsWith("gateway: drop from reject to tag: 1 allow entry came after hits"),
          stage.audit()::toString);
      later(stage, 20);
      assertEquals(Action.TAG, stage.action("drop"), "not for the same entry, and not up again");
      stage.restart();
      assertFalse(alarms(stage).isEmpty(), "a restart forgets no alarm");
      stage.promoter().begin("drop", Action.TAG, "root");
      assertEquals(List.of(), alarms(stage), "accepted");
      days(stage, 12);
      assertEquals(Action.REJECT, stage.action("drop"), "the entry is older than 30 days");
    }
  }

  @Test
  void aFeedThatAPersonPromotedIsOnlyWatched() throws Exception {
    try (ScoreStage stage = new ScoreStage(folder, "observe", "observe")) {
      stage.promoter().applied("drop", Action.TAG, "root");
      stage.reload("tag", "tag");
      days(stage, 1);
      assertEquals(List.of(), alarms(stage));
      stage.allow(CLIENT);
      days(stage, 1);
      assertEquals(Action.TAG, stage.action("drop"));
      assertTrue(
          alarms(stage)
              .getFirst()
              .startsWith(
                  "feed drop should step back from tag to observe: 1 allow entry came after hits;"),
          alarms(stage)::toString);
      assertEquals(1, alarms(stage).size(), "nobody promoted the other feed");
      later(stage, 30);
      assertEquals(List.of(), alarms(stage), "for 30 days");
      stage.promoter().applied("drop", Action.TAG, "root");
      stage.allow("203.0.113.0/24");
      days(stage, 1);
      assertEquals(1, alarms(stage).size());
      stage.reload("observe", "tag");
      assertEquals(List.of(), alarms(stage), "it was written into the settings");
    }
  }

  @Test
  void whatWasMovedIsTakenBack() throws Exception {
    try (ScoreStage stage = new ScoreStage(folder, "observe", "observe")) {
      stage.promoter().begin("drop", Action.OBSERVE, "root");
      days(stage, 8);
      assertEquals(Action.TAG, stage.action("drop"));
      assertTrue(stage.promoter().end("drop", "alice"));
      assertEquals(Action.OBSERVE, stage.action("drop"));
      assertEquals("alice: drop --no-auto", stage.audit().getFirst());
      later(stage, 8);
      assertEquals(Action.OBSERVE, stage.action("drop"));
    }
  }

  /** A hole in the evidence may hide the session that speaks against the feed. */
  @Test
  void incompleteEvidenceMovesNothingForward() throws Exception {
    try (ScoreStage stage = new ScoreStage(folder, "observe", "observe")) {
      stage.promoter().begin("drop", Action.OBSERVE, "root");
      days(stage, 6);
      Files.writeString(stage.dayFile(ScoreStage.BEGIN), "This was a text file. ".repeat(1_000));
      days(stage, 3);
      assertEquals(Action.OBSERVE, stage.action("drop"));
    }
  }
}
