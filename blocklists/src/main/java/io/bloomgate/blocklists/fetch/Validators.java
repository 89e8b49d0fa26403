package io.bloomgate.blocklists.fetch;

import io.bloomgate.config.json.JsonValue;
import io.bloomgate.config.json.JsonValue.JsonObject;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/**
 * What lets a source say "not changed since": kept with a stored version and shown to the source at
 * the next fetch. Immutable.
 *
 * @param pages what each address said of its file, by a digest of the address; a mirror's marks
 *     mean nothing to another
 * @param checksum that the publisher gave for this version, empty when none
 * @param files path, size and time of each file, empty for HTTP
 * @param servedBy the address that gave this version, as it may be shown; empty for files
 */
public record Validators(Map<String, Stamp> pages, String checksum, String files, String servedBy) {

  /** Nothing known: everything counts as changed. */
  public static final Validators NONE = new Validators(Map.of(), "", "", "");

  public Validators {
    pages = Collections.unmodifiableMap(new LinkedHashMap<>(pages));
  }

  /**
   * The marks of one HTTP answer.
   *
   * @param etag RFC 9110 section 8.8.3, empty when none
   * @param lastModified as it was written, empty when none
   */
  public record Stamp(String etag, String lastModified) {

    /** No marks. */
    public static final Stamp NONE = new Stamp("", "");
  }

  /** For a source of files, or of versions of a fleet. */
  public static Validators ofFiles(String state) {
    return new Validators(Map.of(), "", state, "");
  }

  /** What this address said when it gave the version; nothing when another gave it. */
  Stamp of(String key) {
    return Objects.requireNonNullElse(pages.get(key), Stamp.NONE);
  }

  /** The same version was had from another address: what each of them said of it stays known. */
  public Validators and(Validators newer) {
    Map<String, Stamp> all = new LinkedHashMap<>(pages);
    all.putAll(newer.pages);
    return new Validators(all, newer.checksum, newer.files, newer.servedBy);
  }

  /** As it is stored. */
  public JsonObject toJson() {
    JsonValue.ObjectBuilder stamps = JsonValue.object();
    pages.forEach((key, stamp) ->
        stamps.put(
            key,
            JsonValue.object()
                .put("etag", stamp.etag)
                .put("last_modified", stamp.lastModified)
                .build()));
    return JsonValue.object()
        .put("pages", stamps.build())
        .put("checksum", checksum)
        .put("files", files)
        .put("served_by", servedBy)
        .build();
  }

  /** As it was stored; what is missing counts as unknown. */
  public static Validators ofJson(JsonObject stored) {
    Map<String, Stamp> pages = new LinkedHashMap<>();
    if (stored.get("pages").orElse(null) instanceof JsonObject(Map<String, JsonValue> members)) {
      members.forEach((key, value) -> {
        if (value instanceof JsonObject stamp) {
          pages.put(key, new Stamp(text(stamp, "etag"), text(stamp, "last_modified")));
        }
      });
    }
    return new Validators(
        pages, text(stored, "checksum"), text(stored, "files"), text(stored, "served_by"));
  }

  private static String text(JsonObject stored, String name) {
    return stored.text(name).orElse("");
  }
}
