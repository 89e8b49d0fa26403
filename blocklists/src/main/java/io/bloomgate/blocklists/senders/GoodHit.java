package io.bloomgate.blocklists.senders;

import io.bloomgate.config.json.JsonValue;
import io.bloomgate.config.json.JsonValue.JsonBoolean;
import io.bloomgate.config.json.JsonValue.JsonNumber;
import io.bloomgate.config.json.JsonValue.JsonObject;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Optional;

/**
 * A client network that an entry of a feed would hit. Immutable; kept by {@link Breaker}.
 *
 * @param network /24 or /48 of known senders, or the network of a mail provider that is named
 * @param entry canonical text
 * @param line of the feed
 * @param at when the entry was new
 * @param held whether the entry is held back
 */
public record GoodHit(String network, String entry, int line, Instant at, boolean held) {

  GoodHit held(boolean now) {
    return now == held ? this : new GoodHit(network, entry, line, at, now);
  }

  JsonValue toJson() {
    return JsonValue.object()
        .put("network", network)
        .put("entry", entry)
        .put("line", line)
        .put("at", at.toString())
        .put("held", held)
        .build();
  }

  /** What {@link #toJson} wrote; empty when it is something else. */
  static Optional<GoodHit> ofJson(JsonObject stored) {
    try {
      int line =
          stored.get("line").orElse(null) instanceof JsonNumber(String literal)
              ? Integer.parseInt(literal)
              : 0;
      boolean held = stored.get("held").orElse(null) instanceof JsonBoolean(boolean yes) && yes;
      return stored
          .text("network")
          .map(network ->
              new GoodHit(
                  network,
                  stored.text("entry").orElse(""),
                  line,
                  Instant.parse(stored.text("at").orElse("")),
                  held));
    } catch (DateTimeException | NumberFormatException e) {
      return Optional.empty();
    }
  }
}
