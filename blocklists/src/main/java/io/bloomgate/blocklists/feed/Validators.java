package io.bloomgate.blocklists.feed;

import io.bloomgate.config.json.JsonValue;
import io.bloomgate.config.json.JsonValue.JsonObject;

/**
 * What lets a source say "not changed since": kept beside a stored version and shown to the source
 * at the next fetch. Immutable.
 *
 * @param etag of the HTTP answer, RFC 9110 section 8.8.3, empty when none
 * @param lastModified of the HTTP answer as it was written, empty when none
 * @param files path, size and time of each file, empty for HTTP
 */
public record Validators(String etag, String lastModified, String files) {

  /** Nothing known: everything counts as changed. */
  public static final Validators NONE = new Validators("", "", "");

  /** As it is stored. */
  public JsonObject toJson() {
    return JsonValue.object()
        .put("etag", etag)
        .put("last_modified", lastModified)
        .put("files", files)
        .build();
  }

  /** As it was stored; what is missing counts as unknown. */
  public static Validators ofJson(JsonObject stored) {
    return new Validators(
        stored.text("etag").orElse(""),
        stored.text("last_modified").orElse(""),
        stored.text("files").orElse(""));
  }
}
