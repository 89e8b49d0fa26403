package io.bloomgate.blocklists.senders;

import io.bloomgate.config.json.JsonValue;
import io.bloomgate.config.json.JsonValue.JsonObject;
import io.bloomgate.config.name.IpPrefix;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Optional;

/**
 * An entry of a feed that the breaker of another node of a fleet holds back. Immutable; kept by
 * {@link Breaker}.
 *
 * @param by who sent it, as {@code breaker@mx1}
 * @param at when this node heard of it
 */
public record HeldElsewhere(IpPrefix entry, String by, Instant at) {

  JsonValue toJson() {
    return JsonValue.object()
        .put("entry", entry.toString())
        .put("by", by)
        .put("at", at.toString())
        .build();
  }

  /** What {@link #toJson} wrote; empty when it is something else. */
  static Optional<HeldElsewhere> ofJson(JsonValue stored) {
    if (!(stored instanceof JsonObject object)) {
      return Optional.empty();
    }
    try {
      Instant at = Instant.parse(object.text("at").orElse(""));
      return IpPrefix.parse(object.text("entry").orElse(""))
          .toOptional()
          .map(entry -> new HeldElsewhere(entry, object.text("by").orElse(""), at));
    } catch (DateTimeException e) {
      return Optional.empty();
    }
  }
}
