package io.bloomgate.cli.filter;

import io.bloomgate.blocklists.workbench.DistinctEntries;
import io.bloomgate.blocklists.workbench.FilterCombination;
import io.bloomgate.blocklists.workbench.FilterCombination.Operation;
import io.bloomgate.blocklists.workbench.OfflineException;
import io.bloomgate.cli.command.CliException;
import io.bloomgate.cli.command.ExitCode;
import io.bloomgate.cli.command.Invocation;
import io.bloomgate.cli.command.Output;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code bloomgate filter merge} and {@code filter intersect}. */
abstract class FilterCombineCommand implements Callable<Integer> {

  private final Invocation in;
  private final Operation operation;
  private final OutFile target = new OutFile();

  @Parameters(
      paramLabel = "FILE",
      arity = "1..*",
      description = "two or more filter files of one kind, size and seed")
  private List<Path> files = new ArrayList<>();

  @Spec private CommandSpec spec = CommandSpec.create();

  private FilterCombineCommand(Invocation in, Operation operation) {
    this.in = in;
    this.operation = operation;
  }

  /** {@code filter merge}. */
  @Command(
      description = {
        "Make one filter that holds what any of several filters holds.",
        "Kinds split-block, classic and counting can be merged, when kind, size and seed are equal"
            + " (`filter build --like`). Counters are added.",
        "Exit code 1: a file is damaged, 2: the filters differ, or their kind does not merge."
      },
      footer = {"", "Example:", "  ${COMMAND-FULL-NAME} a.filter b.filter -o both.filter"})
  static final class Merge extends FilterCombineCommand {
    Merge(Invocation in) {
      super(in, Operation.MERGE);
    }
  }

  /** {@code filter intersect}. */
  @Command(
      description = {
        "Make one filter that holds what all of several filters hold.",
        "Kinds split-block and classic, when kind, size and seed are equal. No key that all hold is"
            + " missed; one that some hold is a false positive as often as in the others. The"
            + " number of entries is estimated by fill.",
        "Exit code 1: a file is damaged, 2: the filters differ, or their kind does not intersect."
      },
      footer = {"", "Example:", "  ${COMMAND-FULL-NAME} a.filter b.filter -o common.filter"})
  static final class Intersect extends FilterCombineCommand {
    Intersect(Invocation in) {
      super(in, Operation.INTERSECT);
    }
  }

  void takeShortOption() {
    target.takeShortOption(spec);
  }

  @Override
  public Integer call() throws CliException {
    if (files.size() < 2) {
      throw new CliException(
          ExitCode.USAGE, files.getFirst() + " is one filter", "give two or more filter files");
    }
    try {
      FilterCombination.Report report =
          new FilterCombination(in.around().means()).run(operation, files, target.file());
      Output out = in.output();
      out.report(report.toJson(), FilterText::joined);
      DistinctEntries entries = report.filter().distinctEntries();
      long capacity = report.filter().shape().capacity();
      if (entries.count() > capacity) {
        out.warn(
            "warning: %s in a filter made for %d; build a larger one of the lists to have"
                    .formatted(entries.words(), capacity)
                + " the asked rate");
      }
      return ExitCode.OK;
    } catch (OfflineException e) {
      throw CliException.of(e);
    }
  }
}
