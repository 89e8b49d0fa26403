package io.bloomgate.gateway;

import io.bloomgate.config.settings.SettingsFile;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The command line of {@code bloomgate run} and {@code bloomgate demo}; all other commands belong
 * to another program. Pure; global options are before or after the command.
 */
sealed interface Arguments {

  /** {@code run}. */
  record Run(Path settingsFile, boolean verbose) implements Arguments {}

  /** {@code demo}; {@code once}: show the table and end. */
  record Demo(boolean once, boolean verbose) implements Arguments {}

  /**
   * {@code train}, for the launcher alone: traffic from which Java learns.
   *
   * @param then a program to run while the gateway is up
   */
  record Train(List<String> then) implements Arguments {}

  /** {@code --help}. */
  record Help() implements Arguments {}

  /** An error in the arguments: one line. */
  record Wrong(String line) implements Arguments {}

  /** The text of {@code --help}. */
  String USAGE =
      """
      Usage: bloomgate run [-c FILE] [-v]
             bloomgate demo [--once] [-v]

      run        starts the gateway with the settings of FILE (/etc/bloomgate/bloomgate.yaml)
      demo       starts a gateway with sample lists on 127.0.0.1:2525, sends 20 mails through it
                 and shows what happened to them; needs no root, no DNS and no network
        --once   ends after the table; exit code 0 when all 20 are as expected

      example: bloomgate run -c /etc/bloomgate/bloomgate.yaml
      """;

  /** Reads the arguments after the program's name. */
  static Arguments parse(List<String> words) {
    if (!words.isEmpty() && words.getFirst().equals("train")) {
      return new Train(words.subList(1, words.size()));
    }
    Reader reader = new Reader(words.iterator());
    return reader.read();
  }

  /** One run over the words. */
  final class Reader {
    private final Iterator<String> words;
    private @Nullable String command;
    private @Nullable Path file;
    private boolean once;
    private boolean verbose;
    private boolean help;
    private @Nullable String problem;

    private Reader(Iterator<String> words) {
      this.words = words;
    }

    private Arguments read() {
      while (problem == null && words.hasNext()) {
        take(words.next());
      }
      if (problem != null) {
        return new Wrong(problem);
      }
      if (help) {
        return new Help();
      }
      return switch (command) {
        case "run" ->
            once
                ? new Wrong("--once belongs to `bloomgate demo`")
                : new Run(file == null ? SettingsFile.DEFAULT_PATH : file, verbose);
        case "demo" -> new Demo(once, verbose);
        case null, default -> new Wrong("say `run` or `demo`; try --help");
      };
    }

    private void take(String word) {
      switch (word) {
        case "run", "demo" -> command(word);
        case "--once" -> once = true;
        case "-v", "--verbose" -> verbose = true;
        case "-q", "--quiet" -> verbose = false;
        case "--offline" -> {} // nothing is asked of a gateway here
        case "-h", "--help" -> help = true;
        case "-c", "--config" -> file = path(word);
        case "--socket", "-o", "--output", "--color", "--timeout" -> value(word);
        default -> takeOther(word);
      }
    }

    private void takeOther(String word) {
      if (word.startsWith("--config=")) {
        file = Path.of(word.substring("--config=".length()));
      } else if (!word.matches("--(socket|output|color|timeout)=.*")) {
        problem = "unknown argument " + word + "; try `bloomgate run --help`";
      }
    }

    private void command(String word) {
      if (command != null) {
        problem = "one command at a time: " + command + " or " + word;
      }
      command = word;
    }

    private @Nullable Path path(String option) {
      String value = value(option);
      return value == null ? null : Path.of(value);
    }

    private @Nullable String value(String option) {
      if (!words.hasNext()) {
        problem = option + " needs a value";
        return null;
      }
      return words.next();
    }
  }
}
