package io.bloomgate.blocklists.backup;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Names of members: {@code settings.yaml}, {@code state/...} for what is in the state directory,
 * {@code files/...} and {@code secrets/...} for files elsewhere that the settings name, each
 * followed by its absolute path. Names in an archive are hostile: {@link #problem} looks at them
 * before anything is done with one. Pure.
 */
public final class MemberName {

  /** The settings file. */
  public static final String SETTINGS = "settings.yaml";

  static final String STATE = "state/";

  /** List files that the settings name. */
  public static final String FILES = "files/";

  /** Files with keys that the settings name. */
  public static final String SECRETS = "secrets/";

  /** Longest name in characters; paths of Linux have 4,096 octets at most. */
  private static final int MOST_CHARACTERS = 2_048;

  private MemberName() {}

  /** The member of a file elsewhere. */
  static String of(String room, Path file) {
    return room + file.toAbsolutePath().normalize().toString().substring(1);
  }

  /** Where a member of {@code files/} or {@code secrets/} belongs; empty for others. */
  public static Optional<Path> elsewhere(String name) {
    for (String room : List.of(FILES, SECRETS)) {
      if (name.startsWith(room)) {
        return Optional.of(Path.of("/" + name.substring(room.length())));
      }
    }
    return Optional.empty();
  }

  /** What is wrong with a name; empty for one that leads nowhere but below its room. */
  static Optional<String> problem(String name) {
    if (name.length() > MOST_CHARACTERS) {
      return Optional.of("has more than " + MOST_CHARACTERS + " characters");
    }
    if (name.chars().anyMatch(c -> c < ' ' || c == 0x7f)) {
      return Optional.of("has control characters");
    }
    if (name.equals(SETTINGS) || name.equals(ArchiveManifest.NAME)) {
      return Optional.empty();
    }
    String room =
        List.of(STATE, FILES, SECRETS).stream().filter(name::startsWith).findFirst().orElse("");
    if (room.isEmpty()) {
      return Optional.of("is no part of a backup");
    }
    for (String step : name.substring(room.length()).split("/", -1)) {
      if (step.isEmpty() || step.equals(".") || step.equals("..")) {
        return Optional.of("leads out of its folder");
      }
    }
    if (room.equals(STATE) && !StateNames.isSaved(name.substring(STATE.length()))) {
      return Optional.of("is no file that a backup has of a state directory");
    }
    return Optional.empty();
  }
}
