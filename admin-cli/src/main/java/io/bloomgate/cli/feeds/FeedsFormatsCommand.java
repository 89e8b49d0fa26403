package io.bloomgate.cli.feeds;

import io.bloomgate.blocklists.format.FeedFormat;
import io.bloomgate.cli.command.ExitCode;
import io.bloomgate.cli.command.Invocation;
import io.bloomgate.cli.command.Output;
import io.bloomgate.cli.command.TextTable;
import io.bloomgate.config.json.JsonValue;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** {@code bloomgate feeds formats}; needs no gateway. */
@Command(
    description = "Show the formats that feeds may have.",
    footer = {"", "Example:", "  ${COMMAND-FULL-NAME}"})
final class FeedsFormatsCommand implements Callable<Integer> {

  private final Invocation in;

  FeedsFormatsCommand(Invocation in) {
    this.in = in;
  }

  @Override
  public Integer call() {
    Output out = in.output();
    TextTable table = new TextTable(List.of("FORMAT", "NAMES MATCH", "WHAT IT IS"), Set.of());
    for (FeedFormat.Kind kind : FeedFormat.kinds()) {
      out.item(
          JsonValue.object()
              .put("format", kind.name())
              .put("match", kind.match())
              .put("description", kind.description())
              .build(),
          (item, o) ->
              table.row(
                  List.of(
                      kind.name(),
                      kind.match().isEmpty() ? "-" : kind.match(),
                      kind.description())));
    }
    if (out.human()) {
      table.print(out);
    }
    return ExitCode.OK;
  }
}
