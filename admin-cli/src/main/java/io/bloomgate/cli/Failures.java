package io.bloomgate.cli;

import io.bloomgate.blocklists.workbench.OfflineException;
import io.bloomgate.cli.command.CliException;
import io.bloomgate.cli.command.ExitCode;
import io.bloomgate.cli.command.GlobalOptions;
import io.bloomgate.cli.command.Group;
import io.bloomgate.cli.command.Invocation;
import io.bloomgate.cli.command.Output;
import io.bloomgate.cli.command.RawColumns;
import io.bloomgate.cli.command.Subcommands;
import io.bloomgate.cli.filter.FilterCommands;
import io.bloomgate.config.fault.Faults;
import io.bloomgate.config.notation.Suggestion;
import io.bloomgate.config.notation.TerminalText;
import io.bloomgate.config.settings.Mode;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.IExecutionStrategy;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/** Turns everything that goes wrong into one line, an exit code, and with {@code -v} a trace. */
final class Failures implements IParameterExceptionHandler, IExecutionExceptionHandler {

  /**
   * The names that other programs use for these commands; by letters alone `delete` would suggest
   * `enable`.
   */
  private static final Map<String, String> OTHER_WORDS =
      Map.of(
          "rm", "remove",
          "del", "remove",
          "delete", "remove",
          "ls", "list",
          "new", "add",
          "create", "add",
          "update", "refresh",
          "check", "validate",
          "test", "validate");

  /** Commands that one line suggests. */
  private static final int MOST_SUGGESTED = 4;

  /** The message of the command line's parser about a value that is no number. */
  private static final Pattern NO_NUMBER =
      Pattern.compile(
          "Invalid value for option '([^']++)'[^:]*+: '(.*)' is not an? (long|int|double)");

  /** Java takes the letters of arguments and of file names from the locale. */
  private static final String NO_LETTERS =
      " has letters that this locale does not have; set LC_ALL=C.UTF-8";

  private static final String UNWRITABLE = "a file name" + NO_LETTERS;

  /** Java puts it in the place of a letter that it cannot read. */
  private static final char UNREAD = '\uFFFD';

  private final Invocation in;

  Failures(Invocation in) {
    this.in = in;
  }

  PrintWriter out() {
    return new PrintWriter(in.around().out(), true, StandardCharsets.UTF_8);
  }

  PrintWriter err() {
    return new PrintWriter(in.around().err(), true, StandardCharsets.UTF_8);
  }

  /** The command line is wrong. */
  @Override
  public int handleParseException(ParameterException e, String[] args) {
    CommandLine command = e.getCommandLine();
    noteFormat(List.of(args));
    String name = command.getCommandSpec().qualifiedName();
    Output out = in.output();
    String meant = suggestion(e);
    out.error(unknownCommand(e, meant.isEmpty()).orElseGet(() -> firstLine(e)) + meant);
    if (!in.options().quiet && !out.json()) {
      in.around().err().print("try: " + name + " --help\n");
    }
    return ExitCode.USAGE;
  }

  /** The mistake may come before the option that sets the form of the output. */
  private void noteFormat(List<String> words) {
    int option = Math.max(words.lastIndexOf("-o"), words.lastIndexOf("--output"));
    boolean apart = option >= 0 && words.subList(option, words.size()).indexOf("json") == 1;
    if (apart || words.contains("--output=json") || words.contains("-ojson")) {
      in.options().output = GlobalOptions.Format.JSON;
    }
  }

  /** The answer to an unknown command names the commands that exist, where none is suggested. */
  private static Optional<String> unknownCommand(ParameterException e, boolean all) {
    if (!(e instanceof UnmatchedArgumentException unmatched)
        || !(e.getCommandLine().getCommand() instanceof Group group)
        || unmatched.getUnmatched().getFirst().startsWith("-")) {
      return Optional.empty();
    }
    String word = unmatched.getUnmatched().getFirst();
    String name = e.getCommandLine().getCommandSpec().qualifiedName();
    String known = "; `" + name + "` knows " + String.join(", ", group.commands().names());
    return Optional.of("`" + word + "` is not a command" + (all ? known : ""));
  }

  private static String firstLine(ParameterException e) {
    if (e instanceof UnmatchedArgumentException unmatched
        && !unmatched.getUnmatched().getFirst().startsWith("-")) {
      List<String> words = unmatched.getUnmatched();
      return "`"
          + String.join("`, `", words)
          + (words.size() == 1 ? "` is one word too many" : "` are too many words");
    }
    if (isUnwritable(e)) {
      return UNWRITABLE;
    }
    String line = String.valueOf(e.getMessage()).lines().findFirst().orElse("wrong arguments");
    Matcher number = NO_NUMBER.matcher(line);
    return number.replaceFirst(
        "$1: `$2` is not a " + (line.endsWith("double") ? "number" : "whole number"));
  }

  /** Runs a command, unless letters of its arguments are lost: no mail would match what is left. */
  int run(ParseResult parsed, IExecutionStrategy command) {
    if (parsed.originalArgs().stream().anyMatch(word -> word.indexOf(UNREAD) >= 0)) {
      throw new ParameterException(parsed.commandSpec().commandLine(), "an argument" + NO_LETTERS);
    }
    CommandLine asked = parsed.asCommandLineList().getLast();
    List<String> unknown = asked.getParseResult().unmatched();
    if (!asked.isUsageHelpRequested()) {
      chooseColumns(asked);
    } else if (!unknown.isEmpty() && asked.getCommand() instanceof Group) {
      throw new UnmatchedArgumentException(asked, unknown);
    }
    return command.execute(parsed);
  }

  /** Columns that are named mean format raw; otherwise the command has its documented ones. */
  private void chooseColumns(CommandLine asked) {
    GlobalOptions options = in.options();
    if (!options.fields.isEmpty() && options.output == GlobalOptions.Format.JSON) {
      throw new ParameterException(asked, "--fields is for -o raw, and json has all members");
    }
    if (!options.fields.isEmpty()) {
      options.output = GlobalOptions.Format.RAW;
      options.fieldsNamed = true;
    } else if (options.output == GlobalOptions.Format.RAW) {
      String name = asked.getCommandSpec().qualifiedName();
      options.fields = RawColumns.of(name.substring(name.indexOf(' ') + 1));
    }
  }

  /** Picocli keeps no cause of a wrong value, but its name. */
  private static boolean isUnwritable(Exception e) {
    return e instanceof InvalidPathException
        || String.valueOf(e.getMessage()).contains(InvalidPathException.class.getName());
  }

  private static String suggestion(ParameterException e) {
    if (!(e instanceof UnmatchedArgumentException unmatched)) {
      return "";
    }
    String word = unmatched.getUnmatched().getFirst();
    CommandLine asked = e.getCommandLine();
    List<String> words = List.of();
    if (word.startsWith("-")) {
      String name = word.split("=", 2)[0];
      words =
          Suggestion.closest(name, asked.getCommandSpec().optionsMap().keySet()).stream().toList();
    } else if (asked.getCommand() instanceof Group group) {
      words = meant(word, asked, group.commands());
    }
    return words.isEmpty() ? "" : "; did you mean `" + String.join("` or `", words) + "`?";
  }

  /**
   * The commands of the group that may be meant, those of other groups that have this name, and the
   * mode of this name.
   */
  private static List<String> meant(String word, CommandLine line, Subcommands commands) {
    CommandLine root = line;
    while (root.getParent() != null) {
      root = root.getParent();
    }
    String program = root.getCommandName();
    String other = OTHER_WORDS.getOrDefault(word, "");
    if (commands.names().contains(other)) {
      return List.of(other);
    }
    if (Arrays.stream(Mode.values()).anyMatch(m -> m.name().equalsIgnoreCase(word))) {
      return List.of(program + " mode " + word.toLowerCase(Locale.ROOT));
    }
    List<String> elsewhere =
        ((Group) root.getCommand())
            .commands().groupsWith(word).stream()
                .map(group -> program + " " + group + " " + word)
                .sorted()
                .limit(MOST_SUGGESTED)
                .toList();
    return elsewhere.isEmpty() || (elsewhere.size() > 1 && line.getParent() != null)
        ? Suggestion.closest(word, commands.names()).stream().toList()
        : elsewhere;
  }

  /** The command was understood and failed. */
  @Override
  public int handleExecutionException(Exception e, CommandLine command, ParseResult parsed) {
    Output out = in.output();
    int exitCode = ExitCode.NO;
    if (e instanceof OfflineException work) {
      boolean question = FilterCommands.QUESTIONS.contains(command.getCommandName());
      return handleExecutionException(CliException.of(work, question), command, parsed);
    }
    if (e instanceof CliException refused) {
      out.error(refused);
      exitCode = refused.exitCode();
    } else if (e instanceof ParameterException wrong) {
      return handleParseException(wrong, new String[0]);
    } else if (isUnwritable(e)) {
      out.error(UNWRITABLE);
      exitCode = ExitCode.USAGE;
    } else {
      out.error(
          "this is a mistake of the program: "
              + Faults.words(e)
              + "; run it again with -v and report what it prints");
      if (in.options().verbose) {
        StringWriter trace = new StringWriter();
        e.printStackTrace(new PrintWriter(trace));
        trace.toString().lines().map(TerminalText::safe).forEach(in.around().err()::println);
      }
    }
    return exitCode;
  }
}
