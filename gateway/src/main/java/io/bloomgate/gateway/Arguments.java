package io.bloomgate.gateway;

import io.bloomgate.config.settings.SettingsFile;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;

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
    String command = "";
    Path file = SettingsFile.DEFAULT_PATH;
    boolean once = false;
    boolean verbose = false;
    for (Iterator<String> left = words.iterator(); left.hasNext(); ) {
      String word = left.next();
      int equals = word.startsWith("--") ? word.indexOf('=') : -1;
      String option = equals < 0 ? word : word.substring(0, equals);
      switch (option) {
        case "run", "demo" -> {
          if (!command.isEmpty()) {
            return new Wrong("one command at a time: " + command + " or " + word);
          }
          command = word;
        }
        case "--once" -> once = true;
        case "-v", "--verbose" -> verbose = true;
        case "-q", "--quiet" -> verbose = false;
        case "--offline" -> {} // nothing is asked of a gateway here
        case "-h", "--help" -> {
          return new Help();
        }
        case "-c", "--config", "--socket", "-o", "--output", "--color", "--timeout" -> {
          if (equals < 0 && !left.hasNext()) {
            return new Wrong(option + " needs a value");
          }
          String value = equals < 0 ? left.next() : word.substring(equals + 1);
          file = option.equals("-c") || option.equals("--config") ? Path.of(value) : file;
        }
        default -> {
          return new Wrong("unknown argument " + word + "; try --help");
        }
      }
    }
    return switch (command) {
      case "run" -> once ? new Wrong("--once belongs to `bloomgate demo`") : new Run(file, verbose);
      case "demo" -> new Demo(once, verbose);
      default -> new Wrong("say `run` or `demo`; try --help");
    };
  }
}
