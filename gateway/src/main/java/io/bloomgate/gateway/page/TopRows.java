package io.bloomgate.gateway.page;

import io.bloomgate.config.json.JsonValue.JsonObject;
import java.util.List;

/**
 * The things that occur most often, as {@code bloomgate top} counts them, for a table of the first
 * page. Immutable.
 *
 * @param title of what is counted
 * @param link address of ours that says more, up to the thing itself
 */
record TopRows(String title, String link, List<JsonObject> rows) {
  TopRows {
    rows = List.copyOf(rows);
  }
}
