package io.bloomgate.blocklists.backup;

import io.bloomgate.blocklists.database.SqliteLibrary;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * One file of an archive: {@code settings.yaml}, {@code state/...} for what is in the state
 * directory, {@code files/...} and {@code secrets/...} for files elsewhere that the settings name,
 * each followed by its absolute path. Made by {@link ArchiveReader}; immutable.
 *
 * @param octets its size
 * @param sha256 of its content, 64 hexadecimal digits
 */
public record Member(String name, long octets, String sha256) {

  /** The name of the settings file. */
  public static final String SETTINGS = "settings.yaml";

  static final String STATE = "state/";
  static final String FILES = "files/";
  static final String SECRETS = "secrets/";

  /** A part of the state directory that no backup has: the gateway would run it. */
  private static final String LIBRARIES = STATE + SqliteLibrary.DIRECTORY + "/";

  /** The name of a file elsewhere. */
  static String nameOf(String room, Path file) {
    return room + file.toAbsolutePath().normalize().toString().substring(1);
  }

  /** The path to which a file of {@code files/} or {@code secrets/} belongs; empty for others. */
  public Optional<Path> elsewhere() {
    return List.of(FILES, SECRETS).stream()
        .filter(name::startsWith)
        .map(room -> Path.of("/" + name.substring(room.length())))
        .findFirst();
  }

  /** The problem of a name; empty for one that leads nowhere but below its room. */
  static Optional<String> problem(String name) {
    if (name.equals(SETTINGS)) {
      return Optional.empty();
    }
    if (List.of(STATE, FILES, SECRETS).stream().noneMatch(name::startsWith)
        || name.startsWith(LIBRARIES)) {
      return Optional.of("is no part of a backup");
    }
    if (name.chars().anyMatch(Character::isISOControl)) {
      return Optional.of("has control characters");
    }
    return List.of(name.split("/", -1)).stream().anyMatch(List.of("", ".", "..")::contains)
        ? Optional.of("leads out of its folder")
        : Optional.empty();
  }
}
