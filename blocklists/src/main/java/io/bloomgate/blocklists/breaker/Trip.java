package io.bloomgate.blocklists.breaker;

import io.bloomgate.config.json.JsonValue;
import io.bloomgate.config.json.JsonValue.JsonArray;
import java.time.Instant;
import java.util.List;

/**
 * A breaker that has tripped, for {@code feeds list}, {@code feeds show} and metrics. Immutable.
 *
 * @param version of the feed whose new entries count as observe
 * @param published when that version went live
 * @param tripped when the breaker did
 * @param entries how many entries count as observe, as far as they are still listed
 * @param hits one of each client network that was hit
 */
public record Trip(
    String feed, long version, Instant published, Instant tripped, long entries, List<Hit> hits) {

  /**
   * An entry that hit a good client.
   *
   * @param network /24 or /48 of the client
   * @param entry canonical text
   * @param line where it stands in the feed
   */
  public record Hit(String network, String entry, int line) {}

  public Trip {
    hits = List.copyOf(hits);
  }

  /** One sentence for the operator: what happened, what holds now, what ends it. */
  public String sentence() {
    return "breaker: the %d entries new in version %d (%s) count as observe, as they hit %d client networks whose mail was accepted before (%s by %s); `bloomgate feeds accept %s` lifts it"
        .formatted(
            entries,
            version,
            published,
            hits.size(),
            hits.isEmpty() ? "unknown" : hits.getFirst().network(),
            hits.isEmpty() ? "unknown" : hits.getFirst().entry(),
            feed);
  }

  /** Member {@code breaker} of {@code feeds show}. */
  public JsonValue toJson() {
    return JsonValue.object()
        .put("version", version)
        .put("published", published.toString())
        .put("tripped", tripped.toString())
        .put("entries", entries)
        .put("hits", new JsonArray(hits.stream().map(Trip::json).toList()))
        .build();
  }

  static JsonValue json(Hit hit) {
    return JsonValue.object()
        .put("network", hit.network())
        .put("entry", hit.entry())
        .put("line", hit.line())
        .build();
  }
}
