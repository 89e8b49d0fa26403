package io.bloomgate.cli.sessions;

import io.bloomgate.cli.command.HumanText;
import io.bloomgate.cli.command.Output;
import io.bloomgate.cli.command.TerminalSize;
import io.bloomgate.cli.command.TextTable;
import io.bloomgate.config.json.JsonValue.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The table of {@code stats} with a bar a row, as wide as the terminal allows. The parts of a bar
 * differ by their character, so that no colour is needed. Pure but for printing.
 */
final class StatsText {

  private static final List<String> PARTS = List.of("accepted", "refused", "put_off", "other");
  private static final String MARKS = "=#~.";

  /** Columns of the table without its bar. */
  private static final int WITHOUT_BAR = 68;

  private static final int SHORTEST_BAR = 10;

  private final int width;
  private final boolean days;

  StatsText(Map<String, String> environment, boolean days) {
    this.width = Math.max(SHORTEST_BAR, TerminalSize.of(environment).columns() - WITHOUT_BAR);
    this.days = days;
  }

  void show(List<JsonObject> rows, Output out) {
    if (rows.isEmpty()) {
      out.line("no sessions");
      return;
    }
    long most = rows.stream().mapToLong(row -> row.number("sessions").orElse(0)).max().orElse(1);
    TextTable table =
        new TextTable(
            List.of(
                days ? "DAY" : "HOUR",
                "SESSIONS",
                "ACCEPTED",
                "(WOULD REFUSE)",
                "REFUSED",
                "PUT OFF",
                "OTHER",
                "= accepted # refused ~ put off . other"));
    for (JsonObject row : rows) {
      List<String> cells = new ArrayList<>();
      cells.add(time(row));
      cells.add(number(row, "sessions"));
      cells.add(number(row, "accepted"));
      cells.add("(" + number(row, "would_refuse") + ")"); // among the accepted
      for (String name : List.of("refused", "put_off", "other")) {
        cells.add(number(row, name));
      }
      cells.add(bar(row, most));
      table.row(cells, out);
    }
    table.print(out);
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
    return days ? HumanText.day(begins) : begins.replaceFirst(":\\d\\d:\\d\\dZ$", "h");
  }

  /** Each part ends at its share of the sum so far, so that the bar has the right length. */
  private String bar(JsonObject row, long most) {
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
