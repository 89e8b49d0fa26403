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

  /** The address that says more of a row: your own block entries are no feed. */
  String address(JsonObject row) {
    String what = Show.raw(row, "what");
    return link.startsWith("/feed") && what.equals("operator") ? "/block" : link + Show.query(what);
  }
}
