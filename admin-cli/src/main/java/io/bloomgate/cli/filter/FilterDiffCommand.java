package io.bloomgate.cli.filter;

import io.bloomgate.blocklists.workbench.FilterDiff;
import io.bloomgate.blocklists.workbench.OfflineException;
import io.bloomgate.cli.command.CliException;
import io.bloomgate.cli.command.ExitCode;
import io.bloomgate.cli.command.HumanText;
import io.bloomgate.cli.command.Invocation;
import io.bloomgate.cli.command.Output;
import io.bloomgate.config.json.JsonValue;
import io.bloomgate.config.json.JsonValue.JsonObject;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code bloomgate filter diff}. */
@Command(
    description = {
      "Put a filter beside a list: which keys it lacks, and how many it has besides.",
      "The keys of the list that the filter lacks are certain, and printed with +. A filter cannot"
          + " name its keys: those that the list lacks are counted, false positives taken off."
          + " Where a merge or `filter add` counted keys twice, the keys are estimated by fill, and"
          + " a few that chance explains are no difference.",
      "Exit code 0: no difference shows, 1: the list has keys that the filter lacks, or the filter"
          + " has more entries than the list explains, 2: a file cannot be read or is damaged."
    },
    footer = {"", "Example:", "  ${COMMAND-FULL-NAME} drop.filter drop.txt"})
final class FilterDiffCommand implements Callable<Integer> {

  private final Invocation in;

  @Parameters(index = "0", paramLabel = "FILTER", description = "a filter file")
  private Path filter = Path.of("");

  @Parameters(index = "1", paramLabel = "LIST", description = "a list in any format of feeds")
  private Path list = Path.of("");

  @Mixin private FilterOptions.ListFormat format = new FilterOptions.ListFormat();

  FilterDiffCommand(Invocation in) {
    this.in = in;
  }

  @Override
  public Integer call() throws CliException {
    Output out = in.output();
    try {
      FilterDiff diff =
          FilterDiff.of(
              filter,
              list,
              format.name(),
              in.around().means(),
              key ->
                  out.item(
                      JsonValue.object().put("key", key).put("missing", true).build(),
                      (item, to) ->
                          to.line(to.palette().good("+ ") + HumanText.value(item, "key"))));
      out.item(diff.toJson(), FilterDiffCommand::show);
      return diff.alike() ? ExitCode.OK : ExitCode.NO;
    } catch (OfflineException e) {
      throw CliException.noAnswer(e);
    }
  }

  private static void show(JsonObject diff, Output out) {
    out.line(
        "Of "
            + HumanText.value(diff, "distinct")
            + " distinct keys of "
            + HumanText.value(diff, "list")
            + ", "
            + HumanText.value(diff, "inside")
            + " may be in "
            + HumanText.value(diff, "filter")
            + " and "
            + HumanText.value(diff, "missing")
            + " are certainly not. Of its "
            + (diff.isTrue("estimated") ? "about " : "")
            + HumanText.value(diff, "entries")
            + " entries about "
            + HumanText.value(diff, "only_in_filter")
            + " are not in the list.");
  }
}
