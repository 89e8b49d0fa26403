package io.bloomgate.blocklists.backup;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.bloomgate.blocklists.file.CheckedJson;
import io.bloomgate.config.json.Json;
import io.bloomgate.config.json.JsonSyntaxException;
import io.bloomgate.config.json.JsonValue;
import io.bloomgate.config.json.JsonValue.JsonArray;
import io.bloomgate.config.json.JsonValue.JsonObject;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * What an archive says of itself, its last member {@code manifest.json}: an archive that was cut
 * has none. One JSON object with its checksum. Immutable.
 *
 * @param version of the program that wrote it
 * @param created when
 * @param settingsFile where the settings were
 * @param stateDir where the state was
 * @param owner user and group of the state, {@code USER:GROUP}; empty when the system has none
 * @param sessions kept sessions and the history of the lists are in it
 * @param secrets files with keys are in it
 * @param generation of the lists that was live; 0 for none
 * @param members all members but itself, in their order
 * @param leftOut files with keys that are not in it
 */
public record ArchiveManifest(
    String version,
    Instant created,
    String settingsFile,
    String stateDir,
    String owner,
    boolean sessions,
    boolean secrets,
    long generation,
    List<Member> members,
    List<String> leftOut) {

  /** Grows when an older release could not restore an archive. */
  static final long FORMAT = 1;

  static final String NAME = "manifest.json";

  public ArchiveManifest {
    members = List.copyOf(members);
    leftOut = List.copyOf(leftOut);
  }

  /**
   * One file.
   *
   * @param octets its size
   * @param sha256 of its content, 64 hexadecimal digits
   */
  public record Member(String name, long octets, String sha256) {}

  /** Octets of all members. */
  public long octets() {
    return members.stream().mapToLong(Member::octets).sum();
  }

  byte[] encoded() {
    List<JsonValue> files = new ArrayList<>();
    for (Member member : members) {
      files.add(
          JsonValue.object()
              .put("name", member.name)
              .put("octets", member.octets)
              .put("sha256", member.sha256)
              .build());
    }
    JsonObject object =
        JsonValue.object()
            .put("format", FORMAT)
            .put("product", "bloomgate")
            .put("version", version)
            .put("created", created.toString())
            .put("settings_file", settingsFile)
            .put("state_dir", stateDir)
            .put("owner", owner)
            .put("sessions", sessions)
            .put("secrets", secrets)
            .put("generation", generation)
            .put("left_out", JsonValue.ofStrings(leftOut))
            .put("members", new JsonArray(files))
            .build();
    return (Json.write(CheckedJson.of(object)) + "\n").getBytes(UTF_8);
  }

  /**
   * Reads one.
   *
   * @throws ArchiveException when it is not what was written
   */
  static ArchiveManifest decode(byte[] octets) throws ArchiveException {
    try {
      if (Json.parse(new String(octets, UTF_8)) instanceof JsonObject stored) {
        JsonObject plain =
            CheckedJson.plain(stored)
                .orElseThrow(() -> new ArchiveException("its manifest is damaged"));
        return of(plain);
      }
    } catch (JsonSyntaxException | DateTimeException e) {
      throw new ArchiveException("its manifest is damaged", e);
    }
    throw new ArchiveException("its manifest is damaged");
  }

  private static ArchiveManifest of(JsonObject object) throws ArchiveException {
    List<Member> members = new ArrayList<>();
    for (JsonValue element : object.elements("members")) {
      if (!(element instanceof JsonObject member)) {
        throw new ArchiveException("its manifest is damaged");
      }
      members.add(
          new Member(text(member, "name"), number(member, "octets"), text(member, "sha256")));
    }
    List<String> leftOut = new ArrayList<>();
    for (JsonValue element : object.elements("left_out")) {
      if (element instanceof JsonValue.JsonString(String file)) {
        leftOut.add(file);
      }
    }
    return new ArchiveManifest(
        text(object, "version"),
        Instant.parse(text(object, "created")),
        text(object, "settings_file"),
        text(object, "state_dir"),
        text(object, "owner"),
        object.isTrue("sessions"),
        object.isTrue("secrets"),
        number(object, "generation"),
        members,
        leftOut);
  }

  private static String text(JsonObject object, String name) throws ArchiveException {
    return object
        .text(name)
        .orElseThrow(() -> new ArchiveException("its manifest has no `" + name + "`"));
  }

  private static long number(JsonObject object, String name) throws ArchiveException {
    return object
        .number(name)
        .orElseThrow(() -> new ArchiveException("its manifest has no `" + name + "`"));
  }
}
