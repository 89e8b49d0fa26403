package io.bloomgate.config.settings;

import io.bloomgate.config.settings.SettingsResult.Invalid;
import io.bloomgate.config.settings.SettingsResult.Loaded;
import io.bloomgate.config.settings.yaml.Problem;
import java.util.List;
import java.util.Map;

/** Reads the settings of tests: what every file needs, and the lines that a test is about. */
final class Reading {

  private static final String HEAD = "domains: [example.com]\ndownstream: {host: mail}\n";

  private Reading() {}

  /** The file {@code /etc/bg/f.yaml} with these lines from its third one on. */
  static SettingsResult of(String more) {
    return whole(HEAD + more);
  }

  static SettingsResult whole(String text) {
    return SettingsFile.parse("/etc/bg/f.yaml", text, Map.of(), () -> "mx.example.com");
  }

  static Loaded loaded(String more) {
    return switch (of(more)) {
      case Loaded loaded -> loaded;
      case Invalid(List<Problem> problems) -> throw new AssertionError(problems);
    };
  }

  static List<String> warnings(String more) {
    return loaded(more).warnings().stream().map(Problem::toString).toList();
  }

  static List<String> problems(String more) {
    return switch (of(more)) {
      case Loaded loaded -> throw new AssertionError(loaded.settings());
      case Invalid(List<Problem> problems) -> problems.stream().map(Problem::toString).toList();
    };
  }
}
