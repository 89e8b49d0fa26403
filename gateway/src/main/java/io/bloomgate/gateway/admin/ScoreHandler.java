package io.bloomgate.gateway.admin;

import io.bloomgate.config.control.ControlReply.End;
import io.bloomgate.config.control.ControlReply.Failed;
import io.bloomgate.config.control.ControlRequest;
import io.bloomgate.config.json.JsonValue;
import io.bloomgate.config.json.JsonValue.JsonObject;
import io.bloomgate.config.settings.Action;
import io.bloomgate.config.settings.NoFeed;
import io.bloomgate.gateway.score.FeedScores;
import io.bloomgate.gateway.score.Promoter;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadFactory;

/**
 * {@code feeds score}, {@code feeds promote} and {@code top --by spared}. Called on the threads of
 * control connections; the sessions are read on another thread.
 */
public final class ScoreHandler {

  private static final JsonObject EVENT = JsonValue.object().put("event", "reading").build();

  private final FeedScores scores;
  private final Promoter promoter;
  private final ThreadFactory threads;

  /**
   * Answers with scores, and tells the promoter what people want.
   *
   * @param threads for the reading of sessions: platform threads, because it would keep a carrier
   *     thread from mail
   */
  public ScoreHandler(FeedScores scores, Promoter promoter, ThreadFactory threads) {
    this.scores = scores;
    this.promoter = promoter;
    this.threads = threads;
  }

  End score(ControlRequest.FeedsScore asked, ReplySender answer)
      throws IOException, UsageException, InterruptedException {
    requireKnown(asked.names());
    return show(asked.since(), asked.names().isEmpty() ? scores.names() : asked.names(), answer);
  }

  /** Refuses names of which one is no feed that has a score. */
  private void requireKnown(List<String> names) throws UsageException {
    List<String> known = scores.names();
    for (String name : names) {
      if (!known.contains(name)) {
        throw new UsageException(
            "`" + name + "` is no feed that lists mail" + NoFeed.meant(name, known),
            "`bloomgate feeds score` without a name shows all");
      }
    }
  }

  private End show(Instant since, List<String> names, ReplySender answer)
      throws IOException, InterruptedException {
    FeedScores.Scores answered =
        LongWork.await(
            threads,
            () -> scores.since(since, names),
            () -> answer.progress("reading the kept sessions ...", EVENT));
    answered.json().forEach(answer::item);
    answered.problems().forEach(problem -> answer.note("warning: " + problem));
    return ReplySender.DONE;
  }

  /** Answers with senders of mail that only mode observe let pass. */
  End spared(ControlRequest.SparedTop asked, ReplySender answer)
      throws IOException, InterruptedException {
    List<String> problems = new ArrayList<>();
    List<JsonObject> rows =
        LongWork.await(
            threads,
            () -> scores.spared(asked.since(), asked.limit(), problems::add),
            () -> answer.progress("reading the kept sessions ...", EVENT));
    answer.items(rows);
    problems.forEach(problem -> answer.note("warning: " + problem));
    return ReplySender.DONE;
  }

  /** Answers with the score as it is after that. */
  End promote(ControlRequest.FeedsPromote asked, ReplySender answer)
      throws IOException, UsageException, InterruptedException {
    String feed = asked.name();
    requireKnown(List.of(feed));
    Action applied = asked.applied();
    boolean noted;
    try {
      if (applied != null) {
        noted = promoter.applied(feed, applied, answer.user());
      } else if (asked.auto()) {
        noted = promoter.begin(feed, scores.action(feed), answer.user());
      } else {
        noted = promoter.end(feed, answer.user());
      }
    } catch (IOException e) {
      return new Failed(
          ReplySender.NO,
          "nothing was changed: " + e.getMessage(),
          "check space and owner of the state directory, then give the command again");
    }
    if (!noted) {
      answer.note(RunActs.NOT_AUDITED);
    }
    return applied == null ? show(Instant.EPOCH, List.of(feed), answer) : ReplySender.DONE;
  }
}
