package io.bloomgate.gateway.admin;

import io.bloomgate.config.control.ControlRequest;
import io.bloomgate.config.json.JsonValue;
import io.bloomgate.config.json.JsonValue.JsonObject;
import io.bloomgate.config.settings.Action;
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

  void score(ControlRequest.FeedsScore asked, ReplySender answer) throws IOException {
    if (!refusesUnknown(asked.names(), answer)) {
      show(asked.since(), asked.names().isEmpty() ? scores.names() : asked.names(), answer);
      answer.done(ReplySender.OK);
    }
  }

  private boolean refusesUnknown(List<String> names, ReplySender answer) throws IOException {
    List<String> known = scores.names();
    Optional<String> unknown = names.stream().filter(name -> !known.contains(name)).findFirst();
    if (unknown.isPresent()) {
      answer.failed(
          ReplySender.USAGE,
          "`" + unknown.get() + "` is no feed that lists mail",
          "`bloomgate feeds score` without a name shows all");
    }
    return unknown.isPresent();
  }

  private void show(Instant since, List<String> names, ReplySender answer) throws IOException {
    FeedScores.Scores answered =
        LongWork.await(
                threads,
                () -> scores.since(since, names),
                () -> answer.progress("reading the kept sessions ...", EVENT))
            .orElseThrow(() -> new IOException("the gateway stops"));
    for (JsonObject feed : answered.json()) {
      answer.item(feed);
    }
    for (String problem : answered.problems()) {
      answer.note("warning: " + problem);
    }
  }

  /** Answers with the score as it is after that. */
  void promote(ControlRequest.FeedsPromote asked, Caller caller, ReplySender answer)
      throws IOException {
    String feed = asked.name();
    if (refusesUnknown(List.of(feed), answer)) {
      return;
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
      answer.failed(
          ReplySender.NO,
          "nothing was changed: " + e.getMessage(),
          "check space and owner of the state directory, then give the command again");
      return;
    }
    if (!noted) {
      answer.note("warning: done, but this could not be written into the audit");
    }
    if (applied == null) {
      show(Instant.EPOCH, List.of(feed), answer);
    }
    answer.done(ReplySender.OK);
  }
}
