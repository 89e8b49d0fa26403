package io.bloomgate.blocklists.breaker;

import io.bloomgate.config.json.JsonValue;
import io.bloomgate.config.json.JsonValue.JsonArray;
import java.time.Instant;
import java.util.List;
import java.util.Locale;

/**
 * A breaker that has tripped, for {@code feeds list}, {@code feeds show} and metrics. Immutable.
 *
 * @param version of the feed whose new entries count as observe
 * @param part which of its entries do
 * @param published when they went live
 * @param tripped when the breaker did
 * @param entries how many entries count as observe, as far as they are still listed; 0 when it is
 *     all of the feed
 * @param hits one of each client network that was hit; empty when that was lost
 */
public record Trip(
    String feed,
    long version,
    Part part,
    Instant published,
    Instant tripped,
    long entries,
    List<Hit> hits) {

  /** Which entries a breaker took back. */
  public enum Part {
    /** Those that the version brought. */
    NEW,
    /** Those that were held and that the operator let through. */
    ACCEPTED,
    /** All of the feed, as the list of those that were meant is lost. */
    ALL
  }

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
    return "breaker: %s, %s; `bloomgate feeds accept %s` lifts it".formatted(what(), why(), feed);
  }

  private String what() {
    return switch (part) {
      case NEW ->
          "the %d entries new in version %d (%s) count as observe"
              .formatted(entries, version, published);
      case ACCEPTED ->
          "the %d held entries accepted in version %d (%s) count as observe"
              .formatted(entries, version, published);
      case ALL ->
          "all entries count as observe, as the list of those that version %d (%s) brought is lost"
              .formatted(version, published);
    };
  }

  private String why() {
    return hits.isEmpty()
        ? "as it is lost whether they had hit good clients"
        : "as they hit %d client networks whose mail was accepted before (%s by %s)"
            .formatted(hits.size(), hits.getFirst().network(), hits.getFirst().entry());
  }

  /** Member {@code breaker} of {@code feeds show}. */
  public JsonValue toJson() {
    return JsonValue.object()
        .put("version", version)
        .put("part", part.name().toLowerCase(Locale.ROOT))
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
