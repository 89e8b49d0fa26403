package io.bloomgate.cli.filter;

import io.bloomgate.blocklists.workbench.FilterCheck;
import io.bloomgate.blocklists.workbench.LoadedFilter;
import io.bloomgate.blocklists.workbench.OfflineException;
import io.bloomgate.cli.command.CliException;
import io.bloomgate.cli.command.ExitCode;
import io.bloomgate.cli.command.Group;
import io.bloomgate.cli.command.Invocation;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/**
 * {@code bloomgate filter}: filter files, made and asked without a gateway. Here are the commands
 * that only read one file; the others have files of their own.
 */
@Command(
    description = {
      "Make, look at and ask filter files; no gateway is needed.",
      "A filter answers no or maybe for a key. A no is always right: that key was never put in.",
      "A maybe is wrong for a few keys that were never put in: a false positive. With a rate"
          + " (--fpp) of 0.001, one of a thousand such keys gets it; a lower rate costs a larger"
          + " file."
    },
    footer = {"", "Example:", "  ${COMMAND-FULL-NAME} build drop.txt -o drop.filter"})
public final class FilterCommands extends Group {

  /** Adds the group with its commands, in the order of the help. */
  public static void addTo(CommandLine tree, Invocation in) {
    FilterBuildCommand build = new FilterBuildCommand(in);
    CommandLine filter = new CommandLine(new FilterCommands());
    filter.addSubcommand("build", build);
    filter.addSubcommand("inspect", new Inspect(in));
    filter.addSubcommand("query", new FilterQueryCommand(in));
    filter.addSubcommand("add", new FilterChangeCommand.Add(in));
    filter.addSubcommand("remove", new FilterChangeCommand.Remove(in));
    FilterCombineCommand merge = new FilterCombineCommand.Merge(in);
    FilterCombineCommand intersect = new FilterCombineCommand.Intersect(in);
    filter.addSubcommand("merge", merge);
    filter.addSubcommand("intersect", intersect);
    filter.addSubcommand("estimate", new FilterEstimateCommand(in));
    filter.addSubcommand("diff", new FilterDiffCommand(in));
    filter.addSubcommand("size", new FilterSizeCommand(in));
    filter.addSubcommand("compare", new FilterCompareCommand(in));
    filter.addSubcommand("verify", new Verify(in));
    filter.addSubcommand("push", new FilterPushCommand(in));
    tree.addSubcommand("filter", filter);
    // Only now have they the options that every command has.
    build.takeShortOption();
    merge.takeShortOption();
    intersect.takeShortOption();
  }

  /** {@code filter inspect}. */
  @Command(
      description = {
        "Show kind, size, fill and rates of a filter file, after proving that it is whole.",
        "Of a filter that grows or counts, also its slices and counters. The seed id is a digest:"
            + " filters with the same one have the same seed, which stays secret.",
        "Exit code 0: shown, 1: damaged, or no filter."
      },
      footer = {"", "Example:", "  ${COMMAND-FULL-NAME} drop.filter"})
  static final class Inspect implements Callable<Integer> {
    private final Invocation in;

    @Parameters(paramLabel = "FILE", description = "a filter file")
    private Path file = Path.of("");

    Inspect(Invocation in) {
      this.in = in;
    }

    @Override
    public Integer call() throws CliException {
      try {
        in.output().item(LoadedFilter.read(file, in.around().means()).toJson(), FilterText::show);
        return ExitCode.OK;
      } catch (OfflineException e) {
        throw CliException.of(e);
      }
    }
  }

  /** {@code filter verify}. */
  @Command(
      description = {
        "Prove that a filter file is, octet for octet, what was written.",
        "Exit code 0: whole, 1: damaged."
      },
      footer = {"", "Example:", "  ${COMMAND-FULL-NAME} drop.filter"})
  static final class Verify implements Callable<Integer> {
    private final Invocation in;

    @Parameters(paramLabel = "FILE", description = "a filter file")
    private Path file = Path.of("");

    Verify(Invocation in) {
      this.in = in;
    }

    @Override
    public Integer call() throws CliException {
      try {
        FilterCheck check = FilterCheck.of(file, in.around().means());
        in.output().item(check.toJson(), FilterText::verdict);
        return check.isDamaged() ? ExitCode.NO : ExitCode.OK;
      } catch (OfflineException e) {
        throw CliException.of(e);
      }
    }
  }
}
