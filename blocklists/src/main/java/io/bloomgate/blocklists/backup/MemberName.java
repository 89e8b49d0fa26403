package io.bloomgate.blocklists.backup;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Names of members: {@code settings.yaml}, {@code state/...} for what is in the state directory,
 * {@code files/...} and {@code secrets/...} for files elsewhere that the settings name, each
 * followed by its absolute path. Pure.
 */
public final class MemberName {

  /** The settings file. */
  public static final String SETTINGS = "settings.yaml";

  static final String STATE = "state/";
  static final String FILES = "files/";
  static final String SECRETS = "secrets/";

  private MemberName() {}

  /** The member of a file elsewhere. */
  static String of(String room, Path file) {
    return room + file.toAbsolutePath().normalize().toString().substring(1);
  }

  /** The path to which a member of {@code files/} or {@code secrets/} belongs; empty for others. */
  public static Optional<Path> elsewhere(String name) {
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
    if (List.of(STATE, FILES, SECRETS).stream().noneMatch(name::startsWith)) {
      return Optional.of("is no part of a backup");
    }
    boolean leadsOut =
        List.of(name.split("/", -1)).stream()
            .anyMatch(step -> step.isEmpty() || step.equals(".") || step.equals(".."));
    boolean control = name.chars().anyMatch(Character::isISOControl);
    return leadsOut || control
        ? Optional.of(control ? "has control characters" : "leads out of its folder")
        : Optional.empty();
  }
}
