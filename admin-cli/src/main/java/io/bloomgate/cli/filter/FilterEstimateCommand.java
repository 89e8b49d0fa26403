package io.bloomgate.cli.filter;

import io.bloomgate.blocklists.workbench.FilterEstimate;
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
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code bloomgate filter estimate}. */
@Command(
    description = {
      "Estimate by fill how many distinct keys a filter holds, and how many two share.",
      "Each key sets places at random, so the share of empty ones says how many keys there were;"
          + " repeats do not count. Kinds split-block, classic, counting, scalable and"
          + " scalable-counting. Two filters must have one kind, size and seed, and the kind must"
          + " be split-block, classic or counting. The deviation is that of chance: two of three"
          + " estimates are within it. A filter made by `filter intersect` is fuller than its keys"
          + " make it.",
      "Exit code 1: a file is damaged, 2: the kind shows no fill, or the two differ."
    },
    footer = {"", "Example:", "  ${COMMAND-FULL-NAME} monday.filter tuesday.filter"})
final class FilterEstimateCommand implements Callable<Integer> {

  private final Invocation in;

  @Parameters(index = "0", paramLabel = "FILE", description = "a filter file")
  private Path file = Path.of("");

  @Parameters(index = "1", paramLabel = "FILE", arity = "0..1", description = "another one")
  private @Nullable Path other;

  FilterEstimateCommand(Invocation in) {
    this.in = in;
  }

  @Override
  public Integer call() throws CliException {
    try {
      in.output()
          .item(
              FilterEstimate.of(file, other, in.around().means()).toJson(),
              FilterEstimateCommand::show);
      return ExitCode.OK;
    } catch (OfflineException e) {
      throw CliException.of(e);
    }
  }

  private static void show(JsonObject estimate, Output out) {
    if (estimate.get("a").isEmpty()) {
      side(estimate, out);
      return;
    }
    for (String name : new String[] {"a", "b"}) {
      side(estimate.object(name).orElseGet(() -> JsonValue.object().build()), out);
    }
    out.line(
        "both: "
            + number(estimate, "both")
            + "; either: "
            + HumanText.value(estimate, "either")
            + "; similarity "
            + FilterText.percent(estimate, "similarity"));
  }

  private static void side(JsonObject side, Output out) {
    out.line(
        HumanText.value(side, "file")
            + ": "
            + number(side, "estimated_keys")
            + " distinct keys by a fill of "
            + FilterText.percent(side, "fill")
            + "; entries "
            + HumanText.value(side, "entries"));
  }

  private static String number(JsonObject object, String name) {
    return object.number(name).isEmpty()
        ? "any number of"
        : "about "
            + HumanText.value(object, name)
            + " (deviation "
            + HumanText.value(object, "deviation")
            + ")";
  }
}
