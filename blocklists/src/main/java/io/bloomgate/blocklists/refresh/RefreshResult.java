package io.bloomgate.blocklists.refresh;

import io.bloomgate.config.json.JsonValue.JsonObject;
import java.util.List;

/**
 * How a requested refresh ended. Immutable.
 *
 * @param feeds an object as in {@code feeds list} for every feed that was asked for
 * @param exitCode 0 all current, 4 some, 1 none, 2 for a name that is no feed (contract, section 1)
 * @param message empty, or a sentence for the operator
 */
public record RefreshResult(List<JsonObject> feeds, int exitCode, String message) {
  public RefreshResult {
    feeds = List.copyOf(feeds);
  }
}
