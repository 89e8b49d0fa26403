package io.bloomgate.gateway.admin;

import io.bloomgate.config.control.ControlRequest;
import io.bloomgate.config.json.JsonValue;
import io.bloomgate.config.json.JsonValue.JsonObject;
import io.bloomgate.gateway.score.FeedScores;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadFactory;

/** {@code feeds score} and {@code feeds promote}. Called on the threads of control connections. */
final class ScoreHandler {

  private static final JsonObject EVENT = JsonValue.object().put("event", "reading").build();

  private final FeedScores scores;
  private final ThreadFactory threads;

  /**
   * Answers with scores.
   *
   * @param threads for the reading of sessions: platform threads, because it would keep a carrier
   *     thread from mail
   */
  ScoreHandler(FeedScores scores, ThreadFactory threads) {
    this.scores = scores;
    this.threads = threads;
  }

  void score(ControlRequest.FeedsScore asked, ReplySender answer) throws IOException {
    List<String> known = scores.names();
    Optional<String> unknown =
        asked.names().stream().filter(name -> !known.contains(name)).findFirst();
    if (unknown.isPresent()) {
      answer.failed(
          ReplySender.USAGE,
          "`" + unknown.get() + "` is no feed that lists mail",
          "`bloomgate feeds score` without a name shows all");
      return;
    }
    List<String> names = asked.names().isEmpty() ? known : asked.names();
    FeedScores.Scores answered =
        LongWork.await(
                threads,
                () -> scores.since(asked.since(), names),
                () -> answer.progress("reading the kept sessions ...", EVENT))
            .orElseThrow(() -> new IOException("the gateway stops"));
    for (JsonObject feed : answered.feeds()) {
      answer.item(feed);
    }
    for (String problem : answered.problems()) {
      answer.note("warning: " + problem);
    }
    answer.done(ReplySender.OK);
  }
}
