package io.bloomgate.cli;

import io.bloomgate.config.control.ControlRequest.ListName;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.UsageMessageSpec;

/** Every command of the program (contract, section 1), in the order of the help. */
final class CommandTree {

  /** Commands of later releases: known, so that they are not taken for typing errors. */
  private static final List<String> LATER =
      List.of("replay", "top", "stats", "incidents", "support");

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
    tree.addSubcommand("feeds", feeds(in));
    tree.addSubcommand("allow", list(in, ListName.ALLOW, new ListCommands.Allow()));
    tree.addSubcommand("block", list(in, ListName.BLOCK, new ListCommands.Block()));
    tree.addSubcommand("audit", new AuditCommand(in));
    tree.addSubcommand("import", new ImportCommand(in));
    addFilter(tree, in);
    tree.addSubcommand("tail", new TailCommand(in));
    tree.addSubcommand("config", config(in));
    tree.addSubcommand("mode", new ModeCommand(in));
    tree.addSubcommand("doctor", new DoctorCommand(in));
    tree.addSubcommand("drain", new DrainCommands.Drain(in));
    tree.addSubcommand("resume", new DrainCommands.Resume(in));
    tree.addSubcommand("completion", new CompletionCommand(in));
    tree.addSubcommand("version", new VersionCommand(in));
    LATER.forEach(name -> tree.addSubcommand(name, new LaterCommand()));
    settle(tree, new Failures(in));
    return tree;
  }

  private static CommandLine feeds(Invocation in) {
    CommandLine feeds = new CommandLine(new FeedsCommands());
    feeds.addSubcommand("list", new FeedsCommands.Listing(in));
    feeds.addSubcommand("show", new FeedsCommands.Show(in));
    feeds.addSubcommand("refresh", new FeedsCommands.Refresh(in));
    feeds.addSubcommand("test", new FeedsTestCommand(in));
    feeds.addSubcommand("formats", new FeedsFormatsCommand(in));
    feeds.addSubcommand("catalogue", new FeedsCatalogueCommand(in));
    feeds.addSubcommand("diff", new FeedsDiffCommand(in));
    feeds.addSubcommand("accept", new FeedChoiceCommands.Accept(in));
    feeds.addSubcommand("rollback", new FeedChoiceCommands.Rollback(in));
    feeds.addSubcommand("enable", new FeedsCommands.Enable(in));
    feeds.addSubcommand("disable", new FeedsCommands.Disable(in));
    feeds.addSubcommand("add", new FeedsEditCommands.Add(in));
    feeds.addSubcommand("remove", new FeedsEditCommands.Remove(in));
    return feeds;
  }

  private static CommandLine list(Invocation in, ListName list, Object group) {
    CommandLine commands = new CommandLine(group);
    commands.addSubcommand("add", new ListAddCommand(in, list));
    commands.addSubcommand("list", new ListCommands.Listing(in, list));
    commands.addSubcommand("remove", new ListCommands.Remove(in, list));
    commands.addSubcommand("edit", new ListEditCommand(in, list));
    commands.addSubcommand("check", new ListCommands.Check(in, list));
    commands.addSubcommand("import", new ListImportCommand(in, list));
    commands.addSubcommand("export", new ListCommands.Export(in, list));
    return commands;
  }

  private static void addFilter(CommandLine tree, Invocation in) {
    FilterBuildCommand build = new FilterBuildCommand(in);
    CommandLine filter = new CommandLine(new FilterCommands());
    filter.addSubcommand("build", build);
    filter.addSubcommand("inspect", new FilterCommands.Inspect(in));
    filter.addSubcommand("query", new FilterQueryCommand(in));
    filter.addSubcommand("compare", new FilterCompareCommand(in));
    filter.addSubcommand("verify", new FilterCommands.Verify(in));
    tree.addSubcommand("filter", filter);
    // Only now has it the options that every command has.
    build.takeShortOption();
  }

  private static CommandLine config(Invocation in) {
    CommandLine config = new CommandLine(new ConfigCommands());
    config.addSubcommand("validate", new ConfigCommands.Validate(in));
    config.addSubcommand("show", new ConfigCommands.Show(in));
    config.addSubcommand("reload", new ConfigCommands.Reload(in));
    return config;
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
    List<OptionSpec> all = help.commandSpec().options();
    String own = help.optionListExcludingGroups(all.stream().filter(o -> !isGlobal(o)).toList());
    String global =
        help.optionListExcludingGroups(all.stream().filter(CommandTree::isGlobal).toList());
    return own + "\nEverywhere:\n" + global;
  }

  private static boolean isGlobal(OptionSpec option) {
    return option.scopeType() == CommandLine.ScopeType.INHERIT;
  }
}
