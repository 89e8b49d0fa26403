package io.bloomgate.cli.sessions;

import io.bloomgate.cli.command.CliCommand;
import io.bloomgate.cli.command.CliException;
import io.bloomgate.cli.command.Example;
import io.bloomgate.cli.command.HumanText;
import io.bloomgate.cli.command.Output;
import io.bloomgate.cli.command.ReadsFiles;
import io.bloomgate.cli.command.TerminalSize;
import io.bloomgate.cli.command.TextTable;
import io.bloomgate.config.control.ControlRequest;
import io.bloomgate.config.json.JsonValue.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code bloomgate stats}: sessions by hour or day, as bars. */
@Command(
    description = {
      "Count what was accepted, refused and put off, by hour or day.",
      "The verdict counts, not the reply: a 451 that mode soft gave in place of a 554 is REFUSED;"
          + " PUT OFF is mail that lists with action tempfail or greylist put off."
    })
@Example("--since 7d --by day")
public final class StatsCommand extends CliCommand implements ReadsFiles {

  private static final String DAY = "day";

  /** The parts of a bar, which differ by their character, so that no colour is needed. */
  private static final List<String> PARTS = List.of("accepted", "refused", "put_off", "other");

  private static final String MARKS = "=#~.";

  /** Columns of the table without its bar. */
  private static final int WITHOUT_BAR = 80;

  private static final int SHORTEST_BAR = 10;

  @Option(
      names = "--since",
      paramLabel = "TIME",
      description = {"since 7d, 2026-12-01 or 2026-12-01T12:00:00Z", "(default: 7d)"})
  private String since = "7d";

  @Option(names = "--by", paramLabel = "SPAN", description = "hour or day (default: day)")
  private String by = DAY;

  @Override
  public Integer call() throws CliException {
    CliException.refuseIf(
        !by.equals(DAY) && !by.equals("hour"), "--by " + by + " is no span", "write hour or day");
    SessionQuestion question = new SessionQuestion(in);
    List<JsonObject> rows = new ArrayList<>();
    int exitCode =
        question.ask(
            new ControlRequest.SessionsStats(
                in.past("--since", since), by.equals(DAY), in.options().zoneAsked()),
            (row, out) -> rows.add(row));
    Output out = in.output();
    if (out.human() && exitCode == 0) {
      show(rows, out);
    }
    return exitCode;
  }

  private void show(List<JsonObject> rows, Output out) {
    if (rows.isEmpty()) {
      out.line("no sessions");
      return;
    }
    int width =
        Math.max(SHORTEST_BAR, TerminalSize.of(in.around().environment()).columns() - WITHOUT_BAR);
    long most = rows.stream().mapToLong(row -> row.number("sessions").orElse(0)).max().orElse(1);
    TextTable table =
        new TextTable(
            by.toUpperCase(Locale.ROOT)
                + "|SESSIONS|ACCEPTED|(WOULD REFUSE)|REFUSED|PUT OFF|OTHER|OUTCOMES");
    for (JsonObject row : rows) {
      List<String> cells = new ArrayList<>();
      cells.add(time(row));
      cells.add(number(row, "sessions"));
      cells.add(number(row, "accepted"));
      cells.add("(" + number(row, "would_refuse") + ")"); // among the accepted
      for (String name : List.of("refused", "put_off", "other")) {
        cells.add(number(row, name));
      }
      cells.add(bar(row, most, width));
      table.row(cells, out);
    }
    table.print(out);
    out.line("outcomes: = accepted # refused ~ put off . other");
    if (rows.stream().anyMatch(row -> row.number("would_refuse").orElse(0) > 0)) {
      out.line(
          "(would refuse): of the accepted sessions, those that only mode observe let pass; the"
              + " other columns add up to SESSIONS");
    }
    if (rows.stream().anyMatch(row -> row.number("other").orElse(0) > 0)) {
      out.line(
          "other: refused by a rule of SMTP, a limit or the mail server, put off because the mail"
              + " server failed, or given up by the client");
    }
    long too = rows.stream().mapToLong(row -> row.number("refused_too").orElse(0)).sum();
    if (too > 0) {
      out.line(
          "in %d accepted sessions a list refused another recipient: `bloomgate sessions list"
                  .formatted(too)
              + " --verdict reject` has them");
    }
  }

  private static String number(JsonObject row, String name) {
    return Long.toString(row.number(name).orElse(0));
  }

  private String time(JsonObject row) {
    String begins = HumanText.value(row, "begins");
    return by.equals(DAY)
        ? HumanText.day(begins)
        : begins.replaceFirst(":\\d\\d:\\d\\d(?:Z|[+-]\\d\\d:\\d\\d)$", "h");
  }

  /** Each part ends at its share of the sum so far, so that the bar has the right length. */
  private static String bar(JsonObject row, long most, int width) {
    StringBuilder bar = new StringBuilder();
    long sum = 0;
    for (int part = 0; part < PARTS.size(); part++) {
      sum += row.number(PARTS.get(part)).orElse(0);
      int end = (int) Math.round((double) width * sum / Math.max(1, most));
      while (bar.length() < end) {
        bar.append(MARKS.charAt(part));
      }
    }
    return bar.toString();
  }
}
