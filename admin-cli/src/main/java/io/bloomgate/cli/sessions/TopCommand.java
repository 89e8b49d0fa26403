package io.bloomgate.cli.sessions;

import io.bloomgate.cli.command.CliException;
import io.bloomgate.cli.command.HumanText;
import io.bloomgate.cli.command.Invocation;
import io.bloomgate.cli.command.LongTable;
import io.bloomgate.cli.command.Output;
import io.bloomgate.cli.command.Values;
import io.bloomgate.config.control.ControlRequest;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code bloomgate top}: what occurs most often in the sessions of a time. */
@Command(
    description =
        "Count sessions by list, client, network, domain or limit, the largest count first.",
    footer = {"", "Example:", "  ${COMMAND-FULL-NAME} --by network --since 7d"})
public final class TopCommand implements Callable<Integer> {

  private final Invocation in;

  @Option(
      names = "--by",
      paramLabel = "WHAT",
      converter = Values.TopWord.class,
      completionCandidates = Values.TopWord.class,
      description = "feed, client, network, sender-domain, rcpt-domain or limit; feed")
  private String by = "feed";

  @Option(
      names = "--since",
      paramLabel = "TIME",
      description = {"since 24h, 2026-12-01 or 2026-12-01T12:00:00Z", "(default: 24h)"})
  private String since = "24h";

  @Option(names = "--limit", paramLabel = "N", description = "at most N rows (default: 20)")
  private long limit = 20;

  public TopCommand(Invocation in) {
    this.in = in;
  }

  @Override
  public Integer call() throws CliException {
    SessionQuestion question = new SessionQuestion(in);
    LongTable table = new LongTable(List.of("SESSIONS", by.toUpperCase(Locale.ROOT)));
    int exitCode =
        question.ask(
            new ControlRequest.SessionsTop(by, question.since(since), SessionQuestion.limit(limit)),
            (row, out) ->
                table.row(
                    List.of(
                        Long.toString(row.number("sessions").orElse(0)),
                        HumanText.value(row, "what")),
                    out));
    Output out = in.output();
    if (!table.isEmpty()) {
      table.end(out);
    } else if (out.human() && exitCode == 0) {
      out.line("no sessions");
    }
    return exitCode;
  }
}
