package io.bloomgate.cli;

import io.bloomgate.cli.command.CliException;
import io.bloomgate.cli.command.ExitCode;
import io.bloomgate.cli.command.HumanText;
import io.bloomgate.cli.command.Invocation;
import io.bloomgate.cli.command.TextTable;
import io.bloomgate.config.control.ControlRequest;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code audit}: who changed the lists, the feeds and the mode, when and by which command. */
@Command(
    description = {
      "Show who changed entries, feeds, the mode or settings, newest first.",
      "Drain and resume are records too; of a reload the changed settings are named.",
      "The last 100,000 changes are kept; an import is one record for each piece."
    },
    footer = {"", "Example:", "  ${COMMAND-FULL-NAME} --since 7d"})
final class AuditCommand implements Callable<Integer> {

  private final Invocation in;

  @Option(
      names = "--since",
      paramLabel = "TIME",
      description = {"only records since 7d, 2026-12-01 or", "2026-12-01T12:00:00Z"})
  private @Nullable String since;

  @Option(names = "--limit", paramLabel = "N", description = "at most N records")
  private long limit = Long.MAX_VALUE;

  AuditCommand(Invocation in) {
    this.in = in;
  }

  @Override
  public Integer call() throws CliException {
    if (limit < 1) {
      throw new CliException(ExitCode.USAGE, "--limit is below 1", "give a number of records");
    }
    Instant begin = since == null ? null : in.past("--since", since);
    return in.table(
        new ControlRequest.Audit(begin, limit),
        new TextTable(List.of("TIME", "WHO", "COMMAND", "WHAT")),
        record ->
            List.of(
                HumanText.value(record, "time"),
                HumanText.value(record, "author"),
                HumanText.value(record, "command"),
                HumanText.value(record, "subject")),
        "no changes");
  }
}
