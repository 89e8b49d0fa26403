package io.bloomgate.blocklists.guard;

import io.bloomgate.blocklists.entry.ListEntry.NameMatch;
import io.bloomgate.blocklists.format.FeedLimits;
import io.bloomgate.blocklists.format.FeedSink.ParseProblem;
import io.bloomgate.blocklists.format.ParseTotals;
import io.bloomgate.blocklists.generation.KnownGoodHits;
import io.bloomgate.blocklists.guard.FeedDigest.Kind;
import io.bloomgate.config.json.JsonRecords;
import io.bloomgate.config.json.JsonValue;
import io.bloomgate.config.json.JsonValue.JsonObject;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The findings of {@code feeds test}. Immutable.
 *
 * @param names how many names match how; without those of which there are none
 * @param problems the first {@link FeedLimits#SHOWN_PROBLEMS} bad lines
 * @param knownGood senders known to be good that it lists, {@code null} when nobody asked
 */
public record FeedReport(
    String source,
    String format,
    ParseTotals totals,
    FeedDigest digest,
    Map<NameMatch, Long> names,
    List<ParseProblem> problems,
    FeedGuard.Judgement judgement,
    List<Answer> queries,
    @Nullable KnownGoodHits knownGood) {

  /**
   * The answer to one question.
   *
   * @param subject as it was given
   * @param entry canonical text of the most specific entry, {@code null} when not listed
   * @param line of that entry, {@code null} when not listed
   */
  public record Answer(
      String subject, boolean listed, @Nullable String entry, @Nullable Integer line) {}

  public FeedReport {
    names = Map.copyOf(names);
    problems = List.copyOf(problems);
    queries = List.copyOf(queries);
  }

  /** The exit code of the command: 0 accept, 4 accept-rest, 1 hold or reject. */
  public int exitCode() {
    return switch (judgement.verdict()) {
      case ACCEPT -> 0;
      case ACCEPT_REST -> 4;
      case HOLD, REJECT -> 1;
    };
  }

  /** The documented object. */
  public JsonObject toJson() {
    JsonValue.ObjectBuilder entries = JsonValue.object();
    Kind.LISTS.stream()
        .filter(kind -> kind != Kind.ASN)
        .forEach(kind -> entries.put(kind.key(), digest.count(kind)));
    JsonValue.ObjectBuilder report = JsonValue.object();
    report
        .put("source", source)
        .put("format", format)
        .put("lines", totals.lines())
        .put("entries", entries.build())
        .put("exceptions", digest.exceptions())
        .put("invalid", totals.invalid())
        .put("problems", JsonRecords.ofAll(problems))
        .put(
            "guard",
            JsonValue.object()
                .put("verdict", judgement.verdict().word())
                .put("reasons", JsonValue.ofStrings(judgement.reasons()))
                .put("held_entries", judgement.heldEntries())
                .put("held", JsonRecords.ofAll(digest.heldSamples()))
                .build())
        .put("queries", JsonRecords.ofAll(queries));
    if (digest.count(Kind.ASN) > 0) {
      report.put("asn_entries", digest.count(Kind.ASN));
    }
    if (digest.count(Kind.URL) > 0 || digest.sharedHosts() > 0) {
      report.put(
          "urls",
          JsonValue.object()
              .put("hosts", digest.liveHosts())
              .put("shared_hosts", digest.sharedHosts())
              .build());
    }
    if (!names.isEmpty()) {
      JsonValue.ObjectBuilder counts = JsonValue.object();
      for (NameMatch match : NameMatch.values()) {
        counts.put(match.key(), names.getOrDefault(match, 0L));
      }
      report.put("names", counts.build());
    }
    if (knownGood != null) {
      report.put("known_good", JsonRecords.of(knownGood));
    }
    return report.build();
  }
}
