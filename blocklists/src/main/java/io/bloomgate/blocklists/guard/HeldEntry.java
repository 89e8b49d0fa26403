package io.bloomgate.blocklists.guard;

import io.bloomgate.config.json.JsonValue;

/**
 * An entry that a guard noticed, by name. Immutable.
 *
 * @param entry canonical text
 * @param line of the feed
 * @param reason why it does not count
 */
public record HeldEntry(String entry, int line, String reason) {

  /** For {@code feeds show} and {@code feeds test}. */
  public JsonValue toJson() {
    return JsonValue.object().put("entry", entry).put("line", line).put("reason", reason).build();
  }
}
