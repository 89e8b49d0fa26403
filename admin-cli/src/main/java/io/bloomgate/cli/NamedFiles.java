package io.bloomgate.cli;

import io.bloomgate.blocklists.ListRules;
import io.bloomgate.config.pem.PemException;
import io.bloomgate.config.pem.PemPair;
import io.bloomgate.config.settings.EffectiveValue;
import io.bloomgate.config.settings.EffectiveValue.Origin;
import io.bloomgate.config.settings.Location;
import io.bloomgate.config.settings.Problem;
import io.bloomgate.config.settings.Problem.Severity;
import io.bloomgate.config.settings.Settings;
import io.bloomgate.config.settings.SettingsResult;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * What {@code config validate} says of the files that the settings name. Without a list the gateway
 * starts, and reads it when it comes: a warning. With a certificate that cannot be used it does not
 * start: an error.
 */
final class NamedFiles {

  private static final String PATTERN_CHARACTERS = "*?[{";

  private final SettingsResult.Loaded loaded;
  private final Path file;
  private final List<Problem> problems = new ArrayList<>();

  private NamedFiles(SettingsResult.Loaded loaded, Path file) {
    this.loaded = loaded;
    this.file = file;
  }

  /** All of them, in the order of the settings; that of the certificate last. */
  static List<Problem> of(SettingsResult.Loaded loaded, Path file) {
    NamedFiles found = new NamedFiles(loaded, file);
    Settings settings = loaded.settings();
    found.problems.addAll(ListRules.badLinesOf(settings));
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
    found.certificate(settings.tls());
    return found.problems;
  }

  /** As the gateway reads it; one that this user must not read is not checked. */
  private void certificate(Settings.Tls tls) {
    Path certificate = tls.certificate();
    Path key = tls.key();
    if (certificate == null || key == null) {
      return;
    }
    try {
      PemPair.read(certificate, key);
    } catch (PemException e) {
      boolean isHidden = e.getCause() instanceof AccessDeniedException;
      problems.add(
          new Problem(
              isHidden ? Severity.WARNING : Severity.ERROR,
              file.toString(),
              line(List.of("tls", "certificate")),
              1,
              String.valueOf(e.getMessage()),
              isHidden
                  ? "it was not checked; ask as root or as the user of the gateway"
                  : "the gateway does not start with it"));
    }
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
    problems.add(
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
