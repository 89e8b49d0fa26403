package io.bloomgate.cli.sessions;

import io.bloomgate.cli.command.CliException;
import io.bloomgate.cli.command.Invocation;
import io.bloomgate.cli.command.Output;
import io.bloomgate.cli.command.ReadsFiles;
import io.bloomgate.config.control.ControlRequest;
import io.bloomgate.config.json.JsonValue.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code bloomgate stats}: sessions by hour or day, as bars. */
@Command(
    description = {
      "Count what was accepted, refused and put off, by hour or day.",
      "The verdict counts, not the reply: a 451 that mode soft gave in place of a 554 is REFUSED;"
          + " PUT OFF is mail that lists with action tempfail or greylist put off."
    },
    footer = {"", "Example:", "  ${COMMAND-FULL-NAME} --since 7d --by day"})
public final class StatsCommand implements ReadsFiles, Callable<Integer> {

  private static final String DAY = "day";

  private final Invocation in;

  @Option(
      names = "--since",
      paramLabel = "TIME",
      description = {"since 7d, 2026-12-01 or 2026-12-01T12:00:00Z", "(default: 7d)"})
  private String since = "7d";

  @Option(names = "--by", paramLabel = "SPAN", description = "hour or day (default: day)")
  private String by = DAY;

  public StatsCommand(Invocation in) {
    this.in = in;
  }

  @Override
  public Integer call() throws CliException {
    CliException.refuseIf(
        !by.equals(DAY) && !by.equals("hour"), "--by " + by + " is no span", "write hour or day");
    SessionQuestion question = new SessionQuestion(in);
    List<JsonObject> rows = new ArrayList<>();
    int exitCode =
        question.ask(
            new ControlRequest.SessionsStats(in.past("--since", since), by.equals(DAY)),
            (row, out) -> rows.add(row));
    Output out = in.output();
    if (out.human() && exitCode == 0) {
      new StatsText(in.around().environment(), by.equals(DAY)).show(rows, out);
    }
    return exitCode;
  }
}
