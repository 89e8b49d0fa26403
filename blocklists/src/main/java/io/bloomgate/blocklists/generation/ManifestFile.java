package io.bloomgate.blocklists.generation;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.bloomgate.blocklists.file.CheckedJson;
import io.bloomgate.blocklists.file.DamagedFileException;
import io.bloomgate.blocklists.file.DurableFiles;
import io.bloomgate.blocklists.filter.FilterShape;
import io.bloomgate.blocklists.guard.KnownGoodHits;
import io.bloomgate.blocklists.guard.KnownGoodHits.Hit;
import io.bloomgate.config.json.Json;
import io.bloomgate.config.json.JsonSyntaxException;
import io.bloomgate.config.json.JsonValue;
import io.bloomgate.config.json.JsonValue.JsonArray;
import io.bloomgate.config.json.JsonValue.JsonNumber;
import io.bloomgate.config.json.JsonValue.JsonObject;
import io.bloomgate.config.json.JsonValue.JsonString;
import java.io.IOException;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * {@code manifest.json} of a generation: one JSON object with its checksum ({@link CheckedJson}).
 * It names the digest of every other file, so that a generation is read whole or not at all. Pure
 * but for reading and writing the file.
 */
final class ManifestFile {

  static final String NAME = "manifest.json";

  /** Which files a generation has and how they are laid out; grows with every change. */
  private static final long FORMAT = 2;

  private ManifestFile() {}

  static void write(Path directory, SnapshotManifest manifest) throws IOException {
    String text = Json.write(CheckedJson.of(toJson(manifest))) + "\n";
    DurableFiles.replace(directory.resolve(NAME), text.getBytes(UTF_8));
  }

  /**
   * Reads a manifest.
   *
   * @throws DamagedFileException when it is not what was written
   * @throws OtherReleaseException when the generation has other files than those of this release
   */
  static SnapshotManifest read(Path directory) throws IOException {
    Path path = directory.resolve(NAME);
    try {
      byte[] octets = DurableFiles.read(path, DurableFiles.MOST_JSON_OCTETS);
      if (Json.parse(new String(octets, UTF_8)) instanceof JsonObject json) {
        return fromJson(checked(directory, path, json));
      }
    } catch (JsonSyntaxException | IllegalArgumentException | DateTimeException e) {
      throw new DamagedFileException(path, "is damaged: " + e.getMessage());
    }
    throw new DamagedFileException(path, "is damaged: not an object");
  }

  private static JsonObject checked(Path directory, Path path, JsonObject json) throws IOException {
    JsonObject rest =
        CheckedJson.plain(json)
            .orElseThrow(() -> new DamagedFileException(path, "is damaged: its checksum is wrong"));
    long format = number(rest, "format");
    if (format != FORMAT) {
      throw new OtherReleaseException(directory, "format " + format + " instead of " + FORMAT);
    }
    return rest;
  }

  private static JsonObject toJson(SnapshotManifest manifest) {
    List<JsonValue> feeds = new ArrayList<>();
    manifest.feeds().forEach(feed -> feeds.add(toJson(feed)));
    JsonValue.ObjectBuilder files = JsonValue.object();
    manifest.files().forEach(files::put);
    return JsonValue.object()
        .put("format", FORMAT)
        .put("generation", manifest.generation())
        .put("created", manifest.created().toString())
        .put("inputs", manifest.inputs())
        .put("feeds", new JsonArray(feeds))
        .put("filters", manifest.filtersJson())
        .put("files", files.build())
        .put("known_good", manifest.knownGood().toJson())
        .put("known_good_hits", hits(manifest.knownGood()))
        .put("warnings", JsonValue.ofStrings(manifest.warnings()))
        .build();
  }

  private static JsonObject toJson(FeedCounts feed) {
    return JsonValue.object()
        .put("name", feed.name())
        .put("version", feed.version())
        .put("ipv4", feed.ipv4())
        .put("ipv6", feed.ipv6())
        .put("domain", feed.domains())
        .put("address", feed.addresses())
        .put("url", feed.urls())
        .put("fingerprint", feed.fingerprints())
        .put("exceptions", feed.exceptions())
        .put("duplicates", feed.duplicates())
        .build();
  }

  private static SnapshotManifest fromJson(JsonObject json) {
    Map<String, FilterShape> filters = new LinkedHashMap<>();
    object(json, "filters")
        .members()
        .forEach((name, value) -> filters.put(name, shape(name, value)));
    Map<String, String> files = new LinkedHashMap<>();
    object(json, "files").members().forEach((name, digest) -> files.put(name, text(digest)));
    return new SnapshotManifest(
        number(json, "generation"),
        Instant.parse(text(member(json, "created"))),
        text(member(json, "inputs")),
        array(json, "feeds").stream().map(ManifestFile::feed).toList(),
        filters,
        files,
        knownGood(json),
        array(json, "warnings").stream().map(ManifestFile::text).toList());
  }

  private static KnownGoodCounts knownGood(JsonObject json) {
    return new KnownGoodCounts(
        number(object(json, "known_good"), "proven"),
        number(object(json, "known_good"), "listed"),
        hits(json));
  }

  private static JsonObject hits(KnownGoodCounts counts) {
    JsonValue.ObjectBuilder feeds = JsonValue.object();
    counts.hits().forEach((feed, hits) -> feeds.put(feed, hits.toJson()));
    return feeds.build();
  }

  private static Map<String, KnownGoodHits> hits(JsonObject json) {
    Map<String, KnownGoodHits> hits = new LinkedHashMap<>();
    object(json, "known_good_hits")
        .members()
        .forEach((feed, value) -> hits.put(feed, hitsOf(feed, value)));
    return hits;
  }

  private static KnownGoodHits hitsOf(String feed, JsonValue value) {
    if (!(value instanceof JsonObject json)) {
      throw new IllegalArgumentException("known_good_hits of " + feed + " is not an object");
    }
    return new KnownGoodHits(
        number(json, "subjects"),
        number(json, "allowed"),
        number(json, "entries"),
        array(json, "sample").stream().map(ManifestFile::hit).toList());
  }

  private static Hit hit(JsonValue value) {
    if (!(value instanceof JsonObject json)) {
      throw new IllegalArgumentException("a known-good hit is not an object");
    }
    return new Hit(
        text(member(json, "entry")),
        (int) number(json, "line"),
        text(member(json, "subject")),
        text(member(json, "file")));
  }

  private static FilterShape shape(String name, JsonValue value) {
    Optional<FilterShape> shape =
        value instanceof JsonObject json ? FilterShape.ofJson(json) : Optional.empty();
    return shape.orElseThrow(() -> new IllegalArgumentException("filter " + name));
  }

  private static FeedCounts feed(JsonValue value) {
    if (!(value instanceof JsonObject json)) {
      throw new IllegalArgumentException("feed is not an object");
    }
    return new FeedCounts(
        text(member(json, "name")),
        text(member(json, "version")),
        number(json, "ipv4"),
        number(json, "ipv6"),
        number(json, "domain"),
        number(json, "address"),
        number(json, "url"),
        number(json, "fingerprint"),
        number(json, "exceptions"),
        number(json, "duplicates"));
  }

  private static JsonValue member(JsonObject json, String name) {
    return json.get(name).orElseThrow(() -> new IllegalArgumentException("no member " + name));
  }

  private static JsonObject object(JsonObject json, String name) {
    if (member(json, name) instanceof JsonObject o) {
      return o;
    }
    throw new IllegalArgumentException(name + " is not an object");
  }

  private static List<JsonValue> array(JsonObject json, String name) {
    if (member(json, name) instanceof JsonArray a) {
      return a.elements();
    }
    throw new IllegalArgumentException(name + " is not an array");
  }

  private static long number(JsonObject json, String name) {
    if (member(json, name) instanceof JsonNumber n) {
      return Long.parseLong(n.literal());
    }
    throw new IllegalArgumentException(name + " is not a number");
  }

  private static String text(JsonValue value) {
    if (value instanceof JsonString s) {
      return s.value();
    }
    throw new IllegalArgumentException("a text is missing");
  }
}
