package io.bloomgate.cli.feeds;

import io.bloomgate.blocklists.guard.FeedDiff;
import io.bloomgate.blocklists.guard.FeedReport.Answer;
import io.bloomgate.blocklists.senders.KnownSender;
import io.bloomgate.config.json.JsonRecords;
import io.bloomgate.config.json.JsonValue;
import io.bloomgate.config.json.JsonValue.JsonArray;
import io.bloomgate.config.json.JsonValue.JsonObject;
import io.bloomgate.config.settings.Settings.Feeds.Source;
import java.util.List;
import java.util.Map;

/**
 * The object of {@code feeds diff}. Immutable.
 *
 * @param newlyListed subjects that only the second side lists
 * @param senders who was asked about
 * @param offline no gateway answered
 * @param generation the current one
 */
record DiffReport(
    Source source,
    DiffSide from,
    DiffSide to,
    FeedDiff.Result result,
    List<Answer> newlyListed,
    GoodSenders senders,
    boolean offline,
    long generation) {

  /** The largest number of good senders that are named; all are counted. */
  static final int SHOWN_SENDERS = 100;

  /** True when both sides list the same. */
  boolean same() {
    return result.added().total() + result.removed().total() == 0;
  }

  JsonObject toJson() {
    Map<KnownSender, Answer> concerned = senders.concerned(newlyListed);
    List<JsonValue> refused =
        concerned.entrySet().stream()
            .limit(SHOWN_SENDERS)
            .map(e -> (JsonValue) GoodSenders.toJson(e.getKey(), e.getValue()))
            .toList();
    JsonValue.ObjectBuilder report = JsonValue.object();
    report
        .put("feed", source.name())
        .put("from", from.toJson())
        .put("to", to.toJson())
        .put("same", same())
        .put("unchanged", result.same())
        .put("added", result.added().countsJson())
        .put("removed", result.removed().countsJson())
        .put(
            "samples",
            JsonValue.object()
                .put("added", JsonRecords.ofAll(result.added().samples()))
                .put("removed", JsonRecords.ofAll(result.removed().samples()))
                .build())
        .put("action", source.action().key())
        .put("known_senders", senders.known())
        .put("newly_listed_senders", concerned.size())
        .put("newly_refused", new JsonArray(refused))
        .put("offline", offline)
        .put("generation", generation);
    if (to.heldGood().subjects() > 0) {
      report.put(KnownGoodText.HELD, JsonRecords.of(to.heldGood()));
    }
    return report.build();
  }
}
