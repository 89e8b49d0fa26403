package io.bloomgate.cli;

import io.bloomgate.cli.backup.BackupCommand;
import io.bloomgate.cli.backup.RestoreCommand;
import io.bloomgate.cli.command.Invocation;
import io.bloomgate.cli.command.Surroundings;
import io.bloomgate.cli.feeds.FeedsCommands;
import io.bloomgate.cli.filter.FilterCommands;
import io.bloomgate.cli.impact.ImpactCommand;
import io.bloomgate.cli.impact.ReplayCommand;
import io.bloomgate.cli.impact.SessionSource;
import io.bloomgate.cli.lists.ImportCommand;
import io.bloomgate.cli.lists.ListCommands;
import io.bloomgate.cli.sessions.SessionsCommands;
import io.bloomgate.cli.sessions.StatsCommand;
import io.bloomgate.cli.sessions.TopCommand;
import io.bloomgate.cli.support.SupportCommands;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.UsageMessageSpec;

/** Every command of the program (contract, section 1), in the order of the help. */
final class CommandTree {

  /** Commands of later releases: known, so that they are not taken for typing errors. */
  private static final List<String> LATER = List.of("incidents");

  private CommandTree() {}

  /** A fresh tree for one call. */
  static CommandLine build(Surroundings around) {
    RootCommand root = new RootCommand();
    Invocation in = new Invocation(around, root.options());
    CommandLine tree = new CommandLine(root);
    tree.addSubcommand("run", new StartCommands.Run());
    tree.addSubcommand("demo", new StartCommands.Demo());
    tree.addSubcommand("init", new InitCommand(in));
    tree.addSubcommand("status", new StatusCommand(in));
    tree.addSubcommand("health", new HealthCommand(in));
    tree.addSubcommand("explain", new ExplainCommand(in));
    tree.addSubcommand("impact", new ImpactCommand(in, SessionSource.files(in)));
    tree.addSubcommand("replay", new ReplayCommand(in));
    tree.addSubcommand("feeds", FeedsCommands.tree(in));
    tree.addSubcommand("allow", ListCommands.allow(in));
    tree.addSubcommand("block", ListCommands.block(in));
    tree.addSubcommand("audit", new AuditCommand(in));
    tree.addSubcommand("import", new ImportCommand(in));
    FilterCommands.addTo(tree, in);
    tree.addSubcommand("tail", new TailCommand(in));
    tree.addSubcommand("sessions", SessionsCommands.tree(in));
    tree.addSubcommand("top", new TopCommand(in));
    tree.addSubcommand("stats", new StatsCommand(in));
    tree.addSubcommand("report", new ReportCommand(in));
    tree.addSubcommand("config", ConfigCommands.tree(in));
    tree.addSubcommand("backup", new BackupCommand(in, VersionCommand.version()));
    tree.addSubcommand("restore", new RestoreCommand(in));
    tree.addSubcommand("support", SupportCommands.tree(in, VersionCommand.version()));
    tree.addSubcommand("mode", new ModeCommand(in));
    tree.addSubcommand("doctor", new DoctorCommand(in));
    tree.addSubcommand("drain", new DrainCommands.Drain(in));
    tree.addSubcommand("resume", new DrainCommands.Resume(in));
    tree.addSubcommand("completion", new CompletionCommand(in));
    tree.addSubcommand("version", new VersionCommand(in));
    tree.addSubcommand(CompleteCommand.NAME, new CompleteCommand(in));
    LATER.forEach(name -> tree.addSubcommand(name, new LaterCommand()));
    settle(tree, new Failures(in));
    return tree;
  }

  /**
   * Applies to the whole tree: options anywhere, our own error lines, global options last in help.
   */
  private static void settle(CommandLine tree, Failures failures) {
    tree.setParameterExceptionHandler(failures);
    tree.setExecutionExceptionHandler(failures);
    tree.setOut(failures.out());
    tree.setErr(failures.err());
    tree.setColorScheme(CommandLine.Help.defaultColorScheme(CommandLine.Help.Ansi.OFF));
    tree.setAbbreviatedOptionsAllowed(false);
    settleHelp(tree);
  }

  private static void settleHelp(CommandLine command) {
    command.setUsageHelpLongOptionsMaxWidth(24);
    UsageMessageSpec usage = command.getCommandSpec().usageMessage();
    usage.abbreviateSynopsis(true).sortOptions(false).commandListHeading("%nCommands:%n");
    command
        .getHelpSectionMap()
        .put(UsageMessageSpec.SECTION_KEY_OPTION_LIST, CommandTree::optionList);
    command.getSubcommands().values().forEach(CommandTree::settleHelp);
  }

  private static String optionList(CommandLine.Help help) {
    List<OptionSpec> all =
        help.commandSpec().options().stream().filter(option -> !option.hidden()).toList();
    String own = help.optionListExcludingGroups(all.stream().filter(o -> !isGlobal(o)).toList());
    String global =
        help.optionListExcludingGroups(all.stream().filter(CommandTree::isGlobal).toList());
    return own + "\nEverywhere:\n" + global;
  }

  private static boolean isGlobal(OptionSpec option) {
    return option.scopeType() == CommandLine.ScopeType.INHERIT;
  }
}
