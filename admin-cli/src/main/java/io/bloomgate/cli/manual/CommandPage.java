package io.bloomgate.cli.manual;

import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/**
 * The page {@code bloomgate(1)} with what all commands share, and the page of one command, {@code
 * bloomgate-NAME(1)}, from its help; the commands of a group are on the page of the group. Pure.
 */
public final class CommandPage {

  /** A term and what it means. */
  private record Term(String name, String meaning) {}

  private static final String ABOUT =
      "Bloomgate takes the place of the mail server on port 25. It looks up each client, HELO name"
          + " and sender in lists, refuses mail of known-bad senders, and hands all other mail to"
          + " the mail server while the sender waits: it has no queue, so no mail can be lost in"
          + " it. A Bloom filter is asked first, and only what the exact index confirms is"
          + " refused.";

  private static final String BEGIN =
      "`bloomgate demo` shows the whole job on one machine. `bloomgate init` writes a first"
          + " settings file in mode observe, in which no list refuses mail. `systemctl start"
          + " bloomgate` starts the gateway (`bloomgate run` where no unit is installed); all other"
          + " commands ask a running gateway through its control socket, or"
          + " read files.";

  private static final List<Term> VARIABLES =
      List.of(
          new Term(
              "BLOOMGATE_KEY",
              "Replaces a key of the settings; two underscores are between a section and its key:"
                  + " `BLOOMGATE_DOWNSTREAM__HOST=10.0.0.5` replaces `downstream.host`."),
          new Term("BLOOMGATE_JAVA_OPTS", "More options for the gateway's Java, such as `-Xmx2g`."),
          new Term("BLOOMGATE_CLI_JAVA_OPTS", "The same for all other commands."),
          new Term(
              "JAVA_HOME , Ev JAVA25_HOME",
              "Looked at before the usual folders when no Java runtime is packaged."),
          new Term("NO_COLOR", "When it is set and not empty, answers have no colours."),
          new Term("COLUMNS , Ev LINES", "The size of the terminal."));

  private static final List<Term> FILES =
      List.of(
          new Term("/etc/bloomgate/bloomgate.yaml", "The settings, if no other file is named."),
          new Term(
              "/var/lib/bloomgate",
              "The state: lists, operator entries and kept sessions; `state_dir` of the settings"
                  + " names another folder."),
          new Term(
              "/var/lib/bloomgate/control.sock",
              "The control socket; `admin.socket` of the settings names another one. Who may write"
                  + " to it may command the gateway, unless `admin.read_group` or"
                  + " `admin.support_group` say who may do less."),
          new Term(
              "/run/bloomgate/control.sock",
              "The control socket for users who may not read the settings, where there is one."));

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
    List<CommandLine> below = below(command);
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
    for (CommandLine sub : below(command)) {
      help += sub.getUsageMessage();
    }
    Matcher named = COMMAND.matcher(help);
    while (named.find()) {
      CommandLine other = root.getSubcommands().get(named.group(1));
      if (other != null && !named.group(1).equals(command.getCommandName())) {
        pages.add(name(other));
      }
    }
    page.section("SEE ALSO");
    pages.forEach(name -> page.macro("Xr " + name + " 1 ,"));
    page.macro("Xr bloomgate.yaml 5");
  }

  /** The commands below. */
  public static List<CommandLine> below(CommandLine command) {
    return List.copyOf(command.getSubcommands().values());
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

  /**
   * The page of the program.
   *
   * @param everywhere the options that every command takes, as the help shows them
   * @param alone the options without a command
   */
  public static String overview(
      CommandLine root, String everywhere, String alone, LocalDate date, String version) {
    CommandSpec spec = root.getCommandSpec();
    List<CommandLine> commands = below(root);
    Mdoc page = new Mdoc("bloomgate", 1, summary(spec), date, version);
    page.section("SYNOPSIS").macro("Nm").macro("Op Ar options").macro("Ar command");
    page.macro("Op Ar arguments").macro("Nm").macro("Cm help");
    page.macro("Op Ar command");
    page.section("DESCRIPTION").text(ABOUT).macro("Pp").text(BEGIN);
    page.section("COMMANDS").text("Each command has a page with all of its options.").list();
    for (CommandLine command : commands) {
      page.macro("It Xr " + name(command) + " 1");
      page.text(summary(command.getCommandSpec()));
    }
    page.end().section("OPTIONS").text("These may be before the command or after it.");
    page.help(lines(everywhere)).macro("Pp").text("Without a command there is also:");
    page.help(lines(alone));
    terms(page, "ENVIRONMENT", "Ev", VARIABLES);
    terms(page, "FILES", "Pa", FILES);
    page.section("EXIT STATUS").list();
    for (Map.Entry<String, String> code : spec.usageMessage().exitCodeList().entrySet()) {
      page.macro("It " + code.getKey().strip()).text(code.getValue());
    }
    page.end().section("EXAMPLES").literal(examples(spec));
    page.section("SEE ALSO");
    commands.stream()
        .map(CommandPage::name)
        .sorted()
        .forEach(name -> page.macro("Xr " + name + " 1 ,"));
    page.macro("Xr bloomgate.yaml 5");
    return page.toString();
  }

  private static List<String> lines(String text) {
    return text.lines().map(String::stripTrailing).toList();
  }

  private static void terms(Mdoc page, String section, String macro, List<Term> terms) {
    page.section(section).list();
    for (Term term : terms) {
      page.macro("It " + macro + " " + term.name()).text(term.meaning());
    }
    page.end();
  }
}
