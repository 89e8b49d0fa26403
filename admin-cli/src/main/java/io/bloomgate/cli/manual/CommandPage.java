package io.bloomgate.cli.manual;

import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/**
 * The page of one command, {@code bloomgate-NAME(1)}, from its help; the commands of a group are on
 * the page of the group. Pure.
 */
public final class CommandPage {

  private static final Pattern COMMAND = Pattern.compile("`(?:bloomgate )?([a-z]+)[^`]*`");

  /** The first words of a sentence on exit codes in the help; the pages have a section for it. */
  private static final String EXIT_CODE = "Exit code";

  private CommandPage() {}

  /** The name of the page of a command. */
  public static String name(CommandLine command) {
    return "bloomgate-" + command.getCommandName();
  }

  /**
   * The page.
   *
   * @param command directly below {@code bloomgate}
   */
  public static String text(CommandLine command, LocalDate date, String version) {
    CommandSpec spec = command.getCommandSpec();
    List<CommandLine> below = visible(command);
    Mdoc page = new Mdoc(name(command), 1, summary(spec), date, version);
    page.section("SYNOPSIS");
    if (below.isEmpty()) {
      Arguments.synopsis(page, spec);
    }
    below.forEach(sub -> Arguments.synopsis(page, sub.getCommandSpec()));
    page.section("DESCRIPTION").text(summary(spec)).text(more(spec));
    page.macro("Pp").text("The options that every command takes are in");
    page.macro("Xr bloomgate 1 .");
    if (below.isEmpty()) {
      leaf(page, spec);
    } else {
      page.section("COMMANDS");
      below.forEach(sub -> command(page, sub.getCommandSpec()));
      exitStatus(page, "");
    }
    examples(page, spec);
    seeAlso(page, command);
    return page.toString();
  }

  private static void leaf(Mdoc page, CommandSpec spec) {
    if (Arguments.has(spec)) {
      page.section("OPTIONS");
      Arguments.list(page, spec, Arguments.ownOptions(spec));
    }
    exitStatus(page, exitCodes(spec));
  }

  private static void command(Mdoc page, CommandSpec spec) {
    page.subsection(spec.qualifiedName().replace("-", "\\-"));
    page.text(summary(spec)).text(more(spec)).text(exitCodes(spec));
    if (Arguments.has(spec)) {
      Arguments.list(page, spec, Arguments.ownOptions(spec));
    }
    page.macro("Pp").text("Example:").literal(examples(spec));
  }

  private static void exitStatus(Mdoc page, String own) {
    page.section("EXIT STATUS").text(own).text("The exit codes of all commands are in");
    page.macro("Xr bloomgate 1 .");
  }

  private static void examples(Mdoc page, CommandSpec spec) {
    page.section("EXAMPLES").literal(examples(spec));
  }

  private static void seeAlso(Mdoc page, CommandLine command) {
    Set<String> pages = new TreeSet<>(Set.of("bloomgate"));
    CommandLine root = command.getParent();
    String help = command.getUsageMessage();
    for (CommandLine sub : visible(command)) {
      help += sub.getUsageMessage();
    }
    Matcher named = COMMAND.matcher(help);
    while (named.find()) {
      CommandLine other = root.getSubcommands().get(named.group(1));
      if (other != null && !named.group(1).equals(command.getCommandName()) && !hidden(other)) {
        pages.add(name(other));
      }
    }
    page.section("SEE ALSO");
    pages.forEach(name -> page.macro("Xr " + name + " 1 ,"));
    page.macro("Xr bloomgate.yaml 5");
  }

  /** The commands below that the help shows. */
  public static List<CommandLine> visible(CommandLine command) {
    return command.getSubcommands().values().stream().filter(sub -> !hidden(sub)).toList();
  }

  private static boolean hidden(CommandLine command) {
    return command.getCommandSpec().usageMessage().hidden();
  }

  /** The first sentence of the help. */
  static String summary(CommandSpec spec) {
    return spec.usageMessage().description()[0];
  }

  /** The help without its first sentence and without the exit codes. */
  private static String more(CommandSpec spec) {
    String all = rest(spec);
    int exit = all.indexOf(EXIT_CODE);
    return exit < 0 ? all : all.substring(0, exit);
  }

  private static String exitCodes(CommandSpec spec) {
    String all = rest(spec);
    int exit = all.indexOf(EXIT_CODE);
    return exit < 0 ? "" : all.substring(exit);
  }

  private static String rest(CommandSpec spec) {
    String[] description = spec.usageMessage().description();
    return String.join(" ", Arrays.asList(description).subList(1, description.length));
  }

  /** The lines behind the word Example. */
  static List<String> examples(CommandSpec spec) {
    List<String> lines = new ArrayList<>();
    String own = spec.qualifiedName();
    for (String line : spec.usageMessage().footer()) {
      if (line.startsWith("  ")) {
        lines.add(line.strip().replace("${COMMAND-FULL-NAME}", own));
      }
    }
    return lines;
  }
}
