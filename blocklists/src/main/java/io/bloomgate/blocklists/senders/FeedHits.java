package io.bloomgate.blocklists.senders;

import io.bloomgate.config.json.JsonValue;
import io.bloomgate.config.json.JsonValue.JsonArray;
import io.bloomgate.config.json.JsonValue.JsonNumber;
import io.bloomgate.config.json.JsonValue.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * What the breaker knows of one feed: which good networks its new entries hit in {@link
 * Breaker#WINDOW}. Immutable.
 *
 * @param hits one of each network, oldest first, at most {@link Breaker#MAX_HITS}
 * @param networks how many networks there are in all
 * @param limit at which the entries are held back
 * @param heldEntries entries that are
 * @param elsewhere entries that other nodes of a fleet hold back, oldest first
 */
public record FeedHits(
    List<GoodHit> hits, int networks, int limit, long heldEntries, List<HeldElsewhere> elsewhere) {

  static final FeedHits NONE = new FeedHits(List.of(), 0, 0, 0, List.of());

  /** Share of the limit at which the operator gets an alarm. */
  private static final int ALARM_SHARE = 4;

  /** Networks that {@code feeds show} names. */
  private static final int SHOWN = 100;

  /** How bad it is, mildest first. */
  public enum Level {
    QUIET,
    ALARM,
    HELD
  }

  public FeedHits {
    hits = List.copyOf(hits);
    elsewhere = List.copyOf(elsewhere);
  }

  /** The same with other entries of other nodes. */
  FeedHits with(List<HeldElsewhere> others) {
    return new FeedHits(hits, networks, limit, heldEntries, others);
  }

  /** How bad it is now. */
  public Level level() {
    if (heldEntries > 0) {
      return Level.HELD;
    }
    return networks > 0 && networks * ALARM_SHARE >= limit ? Level.ALARM : Level.QUIET;
  }

  /** One sentence for the operator: what happened, what holds now, what ends it. */
  Optional<String> sentence(String feed) {
    if (level() == Level.QUIET) {
      return Optional.empty();
    }
    if (hits.isEmpty()) {
      return Optional.of(
          "breaker: %d entries are held back as %s does, because they hit good senders there; `bloomgate feeds accept %s` lets them through"
              .formatted(
                  heldEntries,
                  elsewhere.isEmpty() ? "another node" : elsewhere.getLast().by(),
                  feed));
    }
    GoodHit first =
        hits.stream().filter(GoodHit::held).findFirst().orElseGet(() -> hits.getFirst());
    String networksHit =
        "%d client networks of good senders within %d days (%s by %s)"
            .formatted(networks, Breaker.WINDOW.toDays(), first.network(), first.entry());
    return Optional.of(
        level() == Level.HELD
            ? "breaker: new entries hit %s; the limit is %d, so %d entries are held back; `bloomgate feeds show %s` names them, `bloomgate feeds accept %s` lets them through"
                .formatted(networksHit, limit, heldEntries, feed, feed)
            : "breaker: new entries hit %s; at %d they are held back"
                .formatted(networksHit, limit));
  }

  /**
   * An element of {@code breaker} in {@code feeds show}, also stored in the state directory.
   *
   * @param all false: at most 100 networks, for people
   */
  public JsonObject toJson(boolean all) {
    JsonValue.ObjectBuilder json =
        JsonValue.object()
            .put("level", level().name().toLowerCase(Locale.ROOT))
            .put("networks", networks)
            .put("limit", limit)
            .put("held_entries", heldEntries)
            .put(
                "hits",
                new JsonArray(
                    hits.stream().limit(all ? hits.size() : SHOWN).map(GoodHit::toJson).toList()));
    if (!elsewhere.isEmpty()) {
      json.put(
          "elsewhere",
          new JsonArray(
              elsewhere.stream()
                  .limit(all ? elsewhere.size() : SHOWN)
                  .map(HeldElsewhere::toJson)
                  .toList()));
    }
    return json.build();
  }

  static FeedHits ofJson(JsonObject stored) {
    List<GoodHit> hits = new ArrayList<>();
    if (stored.get("hits").orElse(null) instanceof JsonArray(List<JsonValue> elements)) {
      for (JsonValue element : elements) {
        if (element instanceof JsonObject hit) {
          GoodHit.ofJson(hit).ifPresent(hits::add);
        }
      }
    }
    return new FeedHits(
        hits,
        Math.max(hits.size(), (int) number(stored, "networks")),
        (int) number(stored, "limit"),
        number(stored, "held_entries"),
        stored.elements("elsewhere").stream()
            .flatMap(element -> HeldElsewhere.ofJson(element).stream())
            .toList());
  }

  private static long number(JsonObject stored, String name) {
    return stored.get(name).orElse(null) instanceof JsonNumber(String literal)
            && literal.matches("[0-9]{1,9}")
        ? Long.parseLong(literal)
        : 0;
  }
}
