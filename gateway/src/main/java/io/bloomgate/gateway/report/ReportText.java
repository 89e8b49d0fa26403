package io.bloomgate.gateway.report;

import io.bloomgate.config.notation.TerminalText;
import io.bloomgate.config.notation.TextColumns;
import io.bloomgate.gateway.html.Inert;
import io.bloomgate.gateway.report.ReportTables.ReportTable;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/** A report as lines of text. Pure. */
final class ReportText {

  private static final String GAP = "  ";

  /** The columns of a line where nobody says how many there are, and the least that are used. */
  private static final int USUAL_LINE = 100;

  private static final int SHORTEST_LINE = 60;

  /** The longest line of a note, which mail (RFC 5322 section 2.1.1) and terminals do not break. */
  private static final int MAX_NOTE = 78 - GAP.length();

  /** The longest word that stays whole where there is room: names of lists are long. */
  private static final int LONGEST_WHOLE = 32;

  private ReportText() {}

  /**
   * The lines of a report.
   *
   * @param columns of a line at most, 0 for the usual ones
   */
  static String of(GatewayReport report, int columns) {
    int most = columns == 0 ? USUAL_LINE : Math.max(SHORTEST_LINE, columns);
    StringBuilder out = new StringBuilder();
    out.append(Inert.text(ReportTables.title(report))).append('\n');
    out.append(Inert.text(ReportTables.subtitle(report))).append('\n');
    ReportTables.all(report, ReportTables.byPeriod(report, false))
        .forEach(table -> append(table, most, out));
    return out.toString();
  }

  private static void append(ReportTable table, int most, StringBuilder out) {
    out.append('\n').append(table.title()).append('\n');
    List<List<String>> rows = new ArrayList<>();
    if (table.hasHeading() && !table.rows().isEmpty()) {
      rows.add(table.columns());
    }
    table.rows().forEach(row -> rows.add(row.stream().map(Inert::text).toList()));
    TextColumns columns = new TextColumns(rows, most - GAP.length(), LONGEST_WHOLE);
    for (List<String> row : rows) {
      columns
          .lines(row, table::isNumber, -1, UnaryOperator.identity())
          .forEach(line -> out.append(GAP).append(line).append('\n'));
    }
    if (!table.note().isEmpty()) {
      TerminalText.lines(Inert.text(table.note()), MAX_NOTE)
          .forEach(line -> out.append(GAP).append(line).append('\n'));
    }
  }
}
