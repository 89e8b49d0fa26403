package io.bloomgate.cli.manual;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ScopeType;

/** Options and parameters of a command as mdoc writes them: in the synopsis and in lists. Pure. */
final class Arguments {

  private Arguments() {}

  /** The options that only this command has; those of every command are on the main page. */
  static List<OptionSpec> ownOptions(CommandSpec command) {
    return command.options().stream()
        .filter(option -> !option.hidden() && option.scopeType() != ScopeType.INHERIT)
        .toList();
  }

  /** The options that every command takes. */
  static List<OptionSpec> globalOptions(CommandSpec root) {
    return root.options().stream()
        .filter(option -> !option.hidden() && option.scopeType() == ScopeType.INHERIT)
        .toList();
  }

  /** One line of the synopsis: the command, its options and its parameters. */
  static void synopsis(Mdoc page, CommandSpec command) {
    page.macro("Nm bloomgate");
    String words = command.qualifiedName().substring(command.root().name().length()).strip();
    if (!words.isEmpty()) {
      page.macro("Cm " + words.replace("-", "\\-"));
    }
    for (OptionSpec option : ownOptions(command)) {
      String text = "Fl " + flag(longest(option)) + value(option);
      page.macro(option.required() ? text : "Op " + text);
    }
    command.positionalParameters().stream()
        .filter(parameter -> !parameter.hidden())
        .forEach(parameter -> {
          String text = "Ar " + label(parameter) + (parameter.arity().max() > 1 ? " ..." : "");
          page.macro(parameter.arity().min() == 0 ? "Op " + text : text);
        });
  }

  /** Parameters and options, each with its description. */
  static void list(Mdoc page, CommandSpec command, List<OptionSpec> options) {
    page.list();
    command.positionalParameters().stream()
        .filter(parameter -> !parameter.hidden())
        .forEach(parameter -> {
          page.macro("It Ar " + label(parameter));
          page.text(description(parameter));
        });
    for (OptionSpec option : options) {
      page.macro("It " + names(option));
      page.text(description(option));
    }
    page.end();
  }

  static boolean has(CommandSpec command) {
    return !ownOptions(command).isEmpty() || !command.positionalParameters().isEmpty();
  }

  /** The spellings of an option, the short one first; the value is named once. */
  private static String names(OptionSpec option) {
    List<String> names = new ArrayList<>(Arrays.asList(option.names()));
    names.sort(Comparator.comparingInt(String::length));
    if (option.negatable()) {
      names.add(option.longestName().replaceFirst("^--", "--no-"));
    }
    return names.stream().map(name -> "Fl " + flag(name)).collect(Collectors.joining(" , "))
        + value(option);
  }

  private static String longest(OptionSpec option) {
    return option.longestName();
  }

  /** The macro Fl writes the first dash. */
  private static String flag(String name) {
    return name.substring(1).replace("-", "\\-");
  }

  private static String value(OptionSpec option) {
    if (option.arity().max() == 0) {
      return "";
    }
    String join = longest(option).startsWith("--") ? " Ns = Ns Ar " : " Ar ";
    String label = label(option);
    if (!option.splitRegex().isEmpty()) {
      return join + label + " Ns [," + label + "...]";
    }
    return join + label + (option.arity().max() > 1 ? " ..." : "");
  }

  private static String label(ArgSpec arg) {
    return Mdoc.argument(arg.paramLabel());
  }

  private static String description(ArgSpec arg) {
    // The help writes a percent sign twice, as a format.
    return Stream.of(arg.description())
        .map(line -> line.strip().replace("%%", "%"))
        .collect(Collectors.joining(" "));
  }
}
