package io.bloomgate.blocklists.backup;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.bloomgate.config.json.Json;
import io.bloomgate.config.json.JsonRecords;
import io.bloomgate.config.json.JsonSyntaxException;
import io.bloomgate.config.json.JsonValue.JsonObject;
import java.time.Instant;
import java.util.List;

/**
 * The first member of an archive, {@code manifest.json}: of what the rest is a backup. Immutable.
 *
 * @param format changes with what an archive holds
 * @param version of the program that wrote it
 * @param created when it was written
 * @param settingsFile where the settings were
 * @param stateDir where the state was
 * @param owner user and group of the state, {@code USER:GROUP}; empty when the system has none
 * @param sessions kept sessions are in it
 * @param secrets files with keys are in it
 * @param generation of the lists that was live; 0 for none
 * @param leftOut files with keys that are not in it
 */
public record ArchiveManifest(
    long format,
    String product,
    String version,
    Instant created,
    String settingsFile,
    String stateDir,
    String owner,
    boolean sessions,
    boolean secrets,
    long generation,
    List<String> leftOut) {

  /** The format of this release. */
  static final long FORMAT = 1;

  static final String NAME = "manifest.json";

  static final String PRODUCT = "bloomgate";

  public ArchiveManifest {
    leftOut = List.copyOf(leftOut);
  }

  byte[] encoded() {
    return (Json.write(JsonRecords.of(this)) + "\n").getBytes(UTF_8);
  }

  /**
   * Reads one.
   *
   * @throws ArchiveException when it is none, or that of another release
   */
  static ArchiveManifest decode(byte[] octets) throws ArchiveException {
    JsonObject object;
    try {
      object = Json.parse(new String(octets, UTF_8)) instanceof JsonObject read ? read : null;
    } catch (JsonSyntaxException e) {
      throw new ArchiveException("is damaged: its manifest cannot be read", e);
    }
    if (object == null || !object.text("product").orElse("").equals(PRODUCT)) {
      throw new ArchiveException("is no backup of Bloomgate");
    }
    long format = object.number("format").orElse(0L);
    if (format != FORMAT) {
      throw new ArchiveException(
          "was written by another Bloomgate ("
              + object.text("version").orElse("").replaceAll("[^A-Za-z0-9._-]", "?")
              + ", format "
              + format
              + "); this one knows format "
              + FORMAT
              + ": restore it with that release");
    }
    return JsonRecords.tryRead(ArchiveManifest.class, object)
        .orElseThrow(() -> new ArchiveException("is damaged: its manifest lacks something"));
  }
}
