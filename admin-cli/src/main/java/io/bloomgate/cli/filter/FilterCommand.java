package io.bloomgate.cli.filter;

import io.bloomgate.blocklists.format.FeedSink.ParseProblem;
import io.bloomgate.blocklists.workbench.ListReader;
import io.bloomgate.blocklists.workbench.LoadedFilter;
import io.bloomgate.blocklists.workbench.WorkbenchTools;
import io.bloomgate.cli.command.CliCommand;
import io.bloomgate.cli.command.ExitCode;
import io.bloomgate.cli.command.Output;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** A command that works on filters: what all have in common. On the command's thread. */
abstract class FilterCommand extends CliCommand {

  /** The word that stands for standard input in place of keys. */
  static final List<String> STANDARD_INPUT = List.of("-");

  /** The largest number of bad lines of one list that are shown: more would hide the answer. */
  private static final int SHOWN_PROBLEMS = 3;

  @Spec CommandSpec spec = CommandSpec.create();

  final WorkbenchTools means() {
    return in.around().means();
  }

  /** Refuses options that do not go together, or a value out of bounds. */
  final void require(boolean holds, String otherwise) {
    if (!holds) {
      throw new ParameterException(spec.commandLine(), otherwise);
    }
  }

  /** Says what lists have that is no entry; returns the exit code for them. */
  static int badLines(List<ListReader.Report> lists, Output out) {
    for (ListReader.Report list : lists) {
      if (list.totals().invalid() > 0) {
        out.warn(
            "warning: %s: left out as bad lines: %d"
                .formatted(list.source(), list.totals().invalid()));
        for (ParseProblem p : list.problems().stream().limit(SHOWN_PROBLEMS).toList()) {
          out.warn("  line %d: %s: %s".formatted(p.line(), p.reason(), p.text()));
        }
      }
    }
    return lists.stream().anyMatch(ListReader.Report::hasTooManyBadLines)
        ? ExitCode.PARTLY
        : ExitCode.OK;
  }

  /** Warns of a filter that holds more than it is made for. */
  static void overfull(LoadedFilter filter, String advice, Output out) {
    LoadedFilter.Distinct entries = filter.distinct();
    long capacity = filter.shape().capacity();
    if (entries.count() > capacity) {
      out.warn(
          "warning: %s in a filter made for %d; build %s to have the asked rate"
              .formatted(entries.words(), capacity, advice));
    }
  }

  /** The option of commands that read lists, of any format. */
  static final class Format {
    @Option(
        names = "--format",
        paramLabel = "FORMAT",
        description = "of a list (`bloomgate feeds formats`), else it is found")
    @Nullable String name;
  }
}
