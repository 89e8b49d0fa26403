package io.bloomgate.cli;

import io.bloomgate.cli.command.CliException;
import io.bloomgate.cli.command.ExitCode;
import io.bloomgate.cli.command.GlobalOptions;
import io.bloomgate.cli.command.Group;
import io.bloomgate.cli.command.HumanText;
import io.bloomgate.cli.command.Invocation;
import io.bloomgate.cli.command.LiveWords;
import io.bloomgate.cli.command.Subcommands;
import io.bloomgate.cli.command.Surroundings;
import io.bloomgate.cli.command.Values;
import io.bloomgate.config.control.ControlClient;
import io.bloomgate.config.control.ControlClient.ControlException;
import io.bloomgate.config.control.ControlRequest;
import io.bloomgate.config.json.JsonValue.JsonObject;
import io.bloomgate.config.name.ListKind;
import io.bloomgate.config.notation.TerminalText;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * {@code bloomgate __complete WORD...}: the words that may take the place of the last one in a
 * command line that is being written, each with a tab and a short text behind it, and {@link
 * #FILES} where the name of a file may be. The scripts of {@code bloomgate completion} run it when
 * the key is pressed. It never fails: without a gateway, or when the gateway does not answer at
 * once, there are no words of the gateway. One thread.
 *
 * <p>Words come from feeds' names and from entries, and a shell puts them into a command line; so
 * only those are printed that no shell takes for anything but a word.
 */
final class Completion {

  static final String NAME = "__complete";

  /** The line that stands for all names of files; no word begins with a colon. */
  static final String FILES = ":files";

  /** A person waits for the words. */
  private static final Duration PATIENCE = Duration.ofMillis(700);

  private static final Duration REFUSALS_SINCE = Duration.ofDays(7);
  private static final int MOST_REFUSALS = 20;
  private static final int MOST_ENTRIES = 200;
  private static final Pattern HARMLESS = Pattern.compile("[A-Za-z0-9.][A-Za-z0-9._:/@+=-]{0,253}");

  private final Surroundings around;
  private final GlobalOptions gateway = new GlobalOptions();

  /** The words, each with its text, which may be empty. */
  private final Map<String, String> words = new LinkedHashMap<>();

  private boolean takesFile;

  Completion(Surroundings around) {
    this.around = around;
  }

  /**
   * Prints the words; the result is the exit code.
   *
   * @param typed the words behind the name of the program; the last one, which may be empty, is
   *     being written
   */
  int print(List<String> typed) {
    String current = typed.isEmpty() ? "" : typed.getLast();
    try {
      find(typed.subList(0, Math.max(0, typed.size() - 1)), current);
    } catch (ControlException | CliException | InvalidPathException e) {
      // Nobody asked for a word about it: the key was pressed while a command is being written.
    }
    words.forEach((word, text) -> {
      if (word.startsWith(current)) {
        around.out().print(text.isEmpty() ? word + "\n" : word + "\t" + text + "\n");
      }
    });
    around.out().print(takesFile ? FILES + "\n" : "");
    return ExitCode.OK;
  }

  private void find(List<String> before, String current) throws ControlException, CliException {
    CommandLine command = CommandTree.build(around, before);
    @Nullable OptionSpec open = null;
    for (String word : before) {
      if (open != null) {
        note(open, word);
        open = null;
      } else if (word.startsWith("-")) {
        OptionSpec option = option(word, command);
        if (option != null && word.startsWith("--") && word.indexOf('=') > 0) {
          note(option, word.substring(word.indexOf('=') + 1));
        } else {
          open = option;
        }
      } else {
        command = command.getSubcommands().getOrDefault(word, command);
      }
    }
    OptionSpec inWord = current.startsWith("--") ? option(current, command) : null;
    if (open != null) {
      values(open, "", command);
    } else if (inWord != null && current.indexOf('=') > 0) {
      values(inWord, current.substring(0, current.indexOf('=') + 1), command);
    } else if (current.startsWith("-")) {
      command.getCommandSpec().options().stream()
          .filter(option -> !option.hidden())
          .forEach(option -> put(option.names(), text(option.description())));
    } else {
      if (command.getCommand() instanceof Group group) {
        Subcommands below = group.commands();
        below.names().forEach(name -> words.put(name, TerminalText.safe(below.about(name))));
      }
      for (ArgSpec parameter : command.getCommandSpec().positionalParameters()) {
        values(parameter, "", command);
      }
    }
  }

  /** The option of a word when it takes a value; {@code null} for others. */
  private static @Nullable OptionSpec option(String word, CommandLine command) {
    String name = word.startsWith("--") ? word.split("=", 2)[0] : word;
    OptionSpec option = command.getCommandSpec().optionsMap().get(name);
    return option != null && option.arity().max() > 0 ? option : null;
  }

  /** Remembers the options that lead to a gateway. */
  private void note(OptionSpec option, String value) {
    switch (option.longestName()) {
      case "--config" -> gateway.config = Path.of(value);
      case "--socket" -> gateway.socket = Path.of(value);
      default -> {}
    }
  }

  private void put(String[] names, String text) {
    Arrays.stream(names).forEach(name -> words.put(name, text));
  }

  /** The first sentence or line is enough beside a word. */
  private static String text(String[] description) {
    return description.length == 0 ? "" : TerminalText.safe(description[0]);
  }

  private void values(ArgSpec arg, String prefix, CommandLine command)
      throws ControlException, CliException {
    takesFile |= isFile(arg);
    if (arg.completionCandidates() instanceof LiveWords live) {
      try (ControlClient client =
          ControlClient.connect(new Invocation(around, gateway).socket(), PATIENCE)) {
        ask(live, command, client).forEach((word, text) -> words.put(prefix + word, text));
      }
    } else if (arg.type().isEnum()) {
      Values.words(arg.type()).forEach(word -> words.put(prefix + word, ""));
    } else if (arg.completionCandidates() != null) {
      arg.completionCandidates().forEach(word -> words.put(prefix + word, ""));
    }
  }

  private static boolean isFile(ArgSpec arg) {
    return arg.type() == Path.class
        || Arrays.asList(arg.auxiliaryTypes()).contains(Path.class)
        || arg.completionCandidates() instanceof LiveWords.RefusalsOrFiles
        || arg.paramLabel().contains("FILE");
  }

  private Map<String, String> ask(LiveWords live, CommandLine command, ControlClient client)
      throws ControlException {
    return switch (live) {
      case LiveWords.Feeds _ ->
          of(client.ask(new ControlRequest.FeedsList()).items(), "feed", "state");
      case LiveWords.Refusals _ -> refusals(client);
      case LiveWords.Entries _ -> {
        ListKind list =
            ListKind.ALLOW.key().equals(command.getParent().getCommandName())
                ? ListKind.ALLOW
                : ListKind.BLOCK;
        yield of(
            client.ask(new ControlRequest.ListShow(list, "", MOST_ENTRIES, null)).items(),
            "subject",
            "reason");
      }
    };
  }

  /** Finds the refusals; in mode observe there are only mails that would have been refused. */
  private Map<String, String> refusals(ControlClient client) throws ControlException {
    for (String verdict : List.of("reject", "would_reject")) {
      ControlRequest asked =
          new ControlRequest.SessionsList(
              around.clock().instant().minus(REFUSALS_SINCE),
              null,
              null,
              null,
              verdict,
              null,
              MOST_REFUSALS);
      Map<String, String> found = of(client.ask(asked).items(), "id", "client_ip");
      if (!found.isEmpty()) {
        return found;
      }
    }
    return Map.of();
  }

  private static Map<String, String> of(List<JsonObject> items, String word, String text) {
    Map<String, String> words = new LinkedHashMap<>();
    for (JsonObject item : items) {
      item.text(word)
          .filter(w -> HARMLESS.matcher(w).matches())
          .ifPresent(w -> words.putIfAbsent(w, HumanText.value(item, text)));
    }
    return words;
  }
}
