package io.bloomgate.cli;

import io.bloomgate.config.settings.EffectiveValue;
import io.bloomgate.config.settings.EffectiveValue.Origin;
import io.bloomgate.config.settings.Location;
import io.bloomgate.config.settings.Problem;
import io.bloomgate.config.settings.Problem.Severity;
import io.bloomgate.config.settings.Settings;
import io.bloomgate.config.settings.SettingsResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Warnings of {@code config validate} about list files that are missing or cannot be read. The
 * gateway starts without them and reads them when they come, so none of them is an error.
 */
final class ListFileWarnings {

  private static final String PATTERN_CHARACTERS = "*?[{";

  private final SettingsResult.Loaded loaded;
  private final Path file;
  private final List<Problem> warnings = new ArrayList<>();

  private ListFileWarnings(SettingsResult.Loaded loaded, Path file) {
    this.loaded = loaded;
    this.file = file;
  }

  /** All warnings, in the order of the settings. */
  static List<Problem> of(SettingsResult.Loaded loaded, Path file) {
    ListFileWarnings found = new ListFileWarnings(loaded, file);
    Settings settings = loaded.settings();
    settings
        .feeds()
        .sources()
        .forEach((name, source) -> {
          if (source.location() instanceof Location.Files(String place)) {
            found.look(Path.of(place), List.of("feeds", "sources", name, "file"));
          }
        });
    settings.feeds().protect().forEach(path -> found.look(path, List.of("feeds", "protect")));
    settings.allow().files().forEach(path -> found.look(path, List.of("allow", "files")));
    settings.allow().knownGood().forEach(path -> found.look(path, List.of("allow", "known_good")));
    settings.block().files().forEach(path -> found.look(path, List.of("block", "files")));
    return found.warnings;
  }

  /** Of a pattern, which may match nothing yet, the folder is looked at. */
  private void look(Path place, List<String> key) {
    Path name = place.getFileName();
    boolean pattern =
        name != null && name.toString().chars().anyMatch(c -> PATTERN_CHARACTERS.indexOf(c) >= 0);
    Path folder = place.toAbsolutePath().getParent();
    Path looked = pattern && folder != null ? folder : place;
    if (Files.isReadable(looked) && Files.isDirectory(looked) == pattern) {
      return;
    }
    String what =
        Files.notExists(looked)
            ? " does not exist"
            : Files.isReadable(looked)
                ? pattern ? " is no folder" : " is a folder"
                : " cannot be read by this user";
    warnings.add(
        new Problem(
            Severity.WARNING,
            file.toString(),
            line(key),
            1,
            String.join(".", key) + ": " + looked + what,
            "nothing of it counts until the gateway can read it"));
  }

  private int line(List<String> key) {
    return loaded.values().stream()
        .filter(value -> value.path().equals(key))
        .map(EffectiveValue::origin)
        .mapToInt(origin -> origin instanceof Origin.FileLine(String _, int line) ? line : 0)
        .findFirst()
        .orElse(0);
  }
}
