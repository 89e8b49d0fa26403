package io.bloomgate.cli;

import io.bloomgate.cli.backup.BackupCommand;
import io.bloomgate.cli.backup.RestoreCommand;
import io.bloomgate.cli.command.Group;
import io.bloomgate.cli.command.Invocation;
import io.bloomgate.cli.command.ReadsFiles;
import io.bloomgate.cli.command.Subcommands;
import io.bloomgate.cli.command.Surroundings;
import io.bloomgate.cli.command.Values;
import io.bloomgate.cli.feeds.FeedsCommands;
import io.bloomgate.cli.filter.DedupCommand;
import io.bloomgate.cli.filter.FilterCommands;
import io.bloomgate.cli.fleet.FleetCommands;
import io.bloomgate.cli.impact.ImpactCommand;
import io.bloomgate.cli.impact.ReplayCommand;
import io.bloomgate.cli.lists.ImportCommand;
import io.bloomgate.cli.lists.ListCommands;
import io.bloomgate.cli.lists.RecipientCommands;
import io.bloomgate.cli.sessions.SessionsCommands;
import io.bloomgate.cli.sessions.StatsCommand;
import io.bloomgate.cli.sessions.TopCommand;
import io.bloomgate.cli.sessions.TrapsCommands;
import io.bloomgate.cli.support.SupportCommands;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Help.Column;
import picocli.CommandLine.Help.TextTable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.UsageMessageSpec;

/** Every command of the program, in the order of the help. */
final class CommandTree {

  /** The commands by what people want, for the help of the program. */
  private static final Map<String, String> GROUPS = groups();

  private CommandTree() {}

  private static Map<String, String> groups() {
    Map<String, String> groups = new LinkedHashMap<>();
    groups.put("Begin", "init config run demo doctor");
    groups.put("See what happens", "status health tail sessions top stats report");
    groups.put("A mail that was refused, or not", "explain allow block recipient import audit");
    groups.put("Lists", "feeds mode impact replay traps");
    groups.put("Operation", "drain resume alarms backup restore fleet support");
    groups.put("Files of filters", "filter dedup");
    groups.put("This program", "completion version");
    return groups;
  }

  /** A fresh tree of all commands. */
  static CommandLine build(Surroundings around) {
    return build(around, _ -> true);
  }

  /**
   * A fresh tree for one call.
   *
   * @param words the whole command line; what they do not name is left out
   */
  static CommandLine build(Surroundings around, List<String> words) {
    boolean file = words.stream().anyMatch(word -> word.startsWith("@")); // it has more words
    return build(around, file ? _ -> true : Set.copyOf(words)::contains);
  }

  private static CommandLine build(Surroundings around, Predicate<String> wanted) {
    RootCommand root = new RootCommand();
    Invocation in = new Invocation(around, root.options());
    Subcommands below =
        new Subcommands(root)
            .add("run", "demo")
            .add("init", InitCommand::new)
            .add("status", StatusCommand::new)
            .add("health")
            .add("explain", ExplainCommand::new)
            .add("impact", ImpactCommand::new)
            .add("replay", ReplayCommand::new)
            .add("feeds", FeedsCommands::tree)
            .add("allow", ListCommands::allow)
            .add("block", ListCommands::block)
            .add("recipient", RecipientCommands::tree)
            .add("audit")
            .add("import", ImportCommand::new)
            .add("filter", FilterCommands::tree)
            .add("dedup", DedupCommand::new)
            .add("tail")
            .add("sessions", SessionsCommands::tree)
            .add("top", TopCommand::new)
            .add("stats", StatsCommand::new)
            .add("report", ReportCommand::tree)
            .add("traps", TrapsCommands::tree)
            .add("fleet", FleetCommands::tree)
            .add("config", ConfigCommands::tree)
            .add("backup", BackupCommand::new)
            .add("restore", RestoreCommand::new)
            .add("support", SupportCommands::tree)
            .add("mode", "doctor", "drain", "resume")
            .add("alarms", AlarmsCommands::tree)
            .add("completion", CompletionCommand::new)
            .add("version");
    CommandLine tree = below.tree(in, wanted);
    CommandLine filter = tree.getSubcommands().get("filter");
    if (filter != null) {
      FilterCommands.takeShortOptions(filter);
    }
    Values.register(tree);
    settle(tree, new Failures(in));
    return tree;
  }

  /**
   * Applies to the whole tree: options anywhere, our own error lines, global options once in help.
   */
  private static void settle(CommandLine tree, Failures failures) {
    tree.setParameterExceptionHandler(failures);
    tree.setExecutionExceptionHandler(failures);
    CommandLine.IExecutionStrategy command = tree.getExecutionStrategy();
    tree.setExecutionStrategy(parsed -> failures.run(parsed, command));
    tree.setOut(failures.out());
    tree.setErr(failures.err());
    tree.setColorScheme(CommandLine.Help.defaultColorScheme(CommandLine.Help.Ansi.OFF));
    tree.setAbbreviatedOptionsAllowed(false);
    settleHelp(tree);
  }

  private static void settleHelp(CommandLine command) {
    command.setUsageHelpLongOptionsMaxWidth(24);
    UsageMessageSpec usage = command.getCommandSpec().usageMessage();
    usage.abbreviateSynopsis(true).sortOptions(false);
    Map<String, CommandLine.IHelpSectionRenderer> sections = command.getHelpSectionMap();
    sections.put(UsageMessageSpec.SECTION_KEY_OPTION_LIST, CommandTree::optionList);
    if (command.getCommand() instanceof Group group) {
      usage.customSynopsis("${COMMAND-FULL-NAME} [OPTIONS] [COMMAND]");
      usage.commandListHeading("");
      sections.put(
          UsageMessageSpec.SECTION_KEY_COMMAND_LIST,
          help -> commandList(help, group.commands(), command.getParent() == null));
    }
    command.getSubcommands().values().forEach(CommandTree::settleHelp);
  }

  private static String commandList(CommandLine.Help help, Subcommands commands, boolean ofRoot) {
    if (!ofRoot) {
      return "\nCommands:\n" + commandList(help, commands, commands.names());
    }
    StringBuilder text = new StringBuilder();
    GROUPS.forEach((heading, names) -> {
      List<String> some = new ArrayList<>(commands.names());
      some.retainAll(List.of(names.split(" ")));
      text.append('\n').append(heading).append(":\n").append(commandList(help, commands, some));
    });
    return text.toString();
  }

  /** The names with their descriptions, as the parser of the command line shows them. */
  private static String commandList(
      CommandLine.Help help, Subcommands commands, List<String> names) {
    int width = names.stream().mapToInt(String::length).max().orElse(0) + 2;
    TextTable table =
        TextTable.forColumns(
            help.colorScheme(),
            new Column(width, 2, Column.Overflow.SPAN),
            new Column(help.commandSpec().usageMessage().width() - width, 2, Column.Overflow.WRAP));
    names.forEach(name -> table.addRowValues(name, commands.about(name)));
    return table.toString();
  }

  /** The options that every command takes are explained once, in the help of the program. */
  private static String optionList(CommandLine.Help help) {
    if (help.commandSpec().parent() == null) {
      return ownOptions(help) + "\nEverywhere:\n" + globalOptions(help);
    }
    return ownOptions(help)
        + "\nEverywhere, see bloomgate --help:\n  "
        + shown(help, CommandTree::isGlobal)
            .map(OptionSpec::shortestName)
            .collect(Collectors.joining(", "))
        + "\n";
  }

  /** The options of this command alone, as the help shows them. */
  static String ownOptions(CommandLine.Help help) {
    return options(help, option -> !isGlobal(option));
  }

  /** The options that every command takes. */
  static String globalOptions(CommandLine.Help help) {
    return options(help, CommandTree::isGlobal);
  }

  private static String options(CommandLine.Help help, Predicate<OptionSpec> wanted) {
    return help.optionListExcludingGroups(shown(help, wanted).toList());
  }

  private static Stream<OptionSpec> shown(CommandLine.Help help, Predicate<OptionSpec> wanted) {
    return help.commandSpec().options().stream()
        .filter(option -> !option.hidden())
        .filter(option -> !isOffline(option) || readsFiles(help.commandSpec()))
        .filter(wanted);
  }

  private static boolean isOffline(OptionSpec option) {
    return option.longestName().equals("--offline");
  }

  /** True where {@code --offline} has an effect, and for the help of the program. */
  private static boolean readsFiles(CommandSpec command) {
    CommandSpec group = command.userObject() instanceof Method ? command.parent() : command;
    return command.parent() == null
        || group.userObject() instanceof ReadsFiles
        || (command.userObject() instanceof Group above && above.commands().readsFiles());
  }

  private static boolean isGlobal(OptionSpec option) {
    return option.scopeType() == CommandLine.ScopeType.INHERIT;
  }
}
