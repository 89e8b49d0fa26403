package io.bloomgate.cli.manual;

import java.time.LocalDate;
import java.util.ArrayList;
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
    Mdoc page = new Mdoc(name(command), 1, summary(command.getCommandSpec()), date, version);
    page.section("DESCRIPTION").help(help(command));
    page.macro("Pp").text("The options that every command takes are in");
    page.macro("Xr bloomgate 1 .");
    List<CommandLine> below = visible(command);
    if (!below.isEmpty()) {
      page.section("COMMANDS");
    }
    for (CommandLine sub : below) {
      page.subsection(sub.getCommandSpec().qualifiedName().replace("-", "\\-")).help(help(sub));
    }
    page.section("EXIT STATUS").text("The exit codes of all commands are in");
    page.macro("Xr bloomgate 1 .");
    seeAlso(page, command);
    return page.toString();
  }

  /** The lines that {@code --help} prints. */
  private static List<String> help(CommandLine command) {
    return command.getUsageMessage().strip().lines().map(String::stripTrailing).toList();
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
