package io.bloomgate.blocklists.generation;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.bloomgate.blocklists.file.CheckedJson;
import io.bloomgate.blocklists.file.DamagedFileException;
import io.bloomgate.blocklists.file.DurableFiles;
import io.bloomgate.config.fault.Faults;
import io.bloomgate.config.json.Json;
import io.bloomgate.config.json.JsonRecords;
import io.bloomgate.config.json.JsonSyntaxException;
import io.bloomgate.config.json.JsonValue;
import io.bloomgate.config.json.JsonValue.JsonObject;
import java.io.IOException;
import java.nio.file.Path;

/**
 * {@code manifest.json} of a generation: one JSON object with its checksum ({@link CheckedJson}).
 * It names the digest of every other file, so that a generation is read whole or not at all. Pure
 * but for reading and writing the file.
 */
final class ManifestFile {

  static final String NAME = "manifest.json";

  /**
   * The format of a generation: which files it has and how they are laid out; grows with every
   * change.
   */
  private static final long FORMAT = 1;

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
        return JsonRecords.read(SnapshotManifest.class, Json.write(checked(directory, path, json)));
      }
    } catch (JsonSyntaxException e) {
      throw new DamagedFileException(path, "is damaged: " + e.getMessage());
    }
    throw new DamagedFileException(path, "is damaged: not an object");
  }

  private static JsonObject checked(Path directory, Path path, JsonObject json) throws IOException {
    JsonObject rest =
        CheckedJson.plain(json)
            .orElseThrow(() -> new DamagedFileException(path, "is damaged: its checksum is wrong"));
    long format = rest.number("format").orElse(0);
    if (format != FORMAT) {
      throw new OtherReleaseException(directory, Faults.otherFormat(format, FORMAT));
    }
    return rest;
  }

  private static JsonObject toJson(SnapshotManifest manifest) {
    return JsonValue.object().put("format", FORMAT).putAll(JsonRecords.of(manifest)).build();
  }
}
