package io.bloomgate.gateway.admin;

import io.bloomgate.config.control.ControlReply.End;
import io.bloomgate.config.control.ControlReply.Failed;
import io.bloomgate.config.control.ControlRequest;
import io.bloomgate.config.json.JsonValue;
import io.bloomgate.config.json.JsonValue.JsonObject;
import io.bloomgate.config.settings.Action;
import io.bloomgate.config.settings.NoFeed;
import io.bloomgate.gateway.admin.RequestHandler.Caller;
import io.bloomgate.gateway.score.FeedScores;
import io.bloomgate.gateway.score.Promoter;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadFactory;

/**
 * {@code feeds score} and {@code feeds promote}. Called on the threads of control connections; the
 * sessions are read on another thread.
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
      throws IOException, InterruptedException {
    Optional<End> refusal = refusal(asked.names());
    return refusal.isPresent()
        ? refusal.get()
        : show(asked.since(), asked.names().isEmpty() ? scores.names() : asked.names(), answer);
  }

  /** The refusal of names of which one is no feed that has a score. */
  private Optional<End> refusal(List<String> names) {
    List<String> known = scores.names();
    return names.stream()
        .filter(name -> !known.contains(name))
        .findFirst()
        .map(unknown ->
            new Failed(
                ReplySender.USAGE,
                "`" + unknown + "` is no feed that lists mail" + NoFeed.meant(unknown, known),
                "`bloomgate feeds score` without a name shows all"));
  }

  private End show(Instant since, List<String> names, ReplySender answer)
      throws IOException, InterruptedException {
    FeedScores.Scores answered =
        LongWork.await(
            threads,
            () -> scores.since(since, names),
            () -> answer.progress("reading the kept sessions ...", EVENT));
    for (JsonObject feed : answered.json()) {
      answer.item(feed);
    }
    for (String problem : answered.problems()) {
      answer.note("warning: " + problem);
    }
    return ReplySender.DONE;
  }

  /** Answers with the score as it is after that. */
  End promote(ControlRequest.FeedsPromote asked, Caller caller, ReplySender answer)
      throws IOException, InterruptedException {
    String feed = asked.name();
    Optional<End> refusal = refusal(List.of(feed));
    if (refusal.isPresent()) {
      return refusal.get();
    }
    Action applied = asked.applied();
    boolean noted;
    try {
      if (applied != null) {
        noted = promoter.applied(feed, applied, caller.user());
      } else if (asked.auto()) {
        noted = promoter.begin(feed, scores.action(feed), caller.user());
      } else {
        noted = promoter.end(feed, caller.user());
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
