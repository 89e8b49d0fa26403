package io.bloomgate.gateway.report;

import io.bloomgate.gateway.html.Inert;
import io.bloomgate.gateway.report.ReportTables.ReportTable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** A report as lines of text. Pure. */
final class ReportText {

  private static final String GAP = "  ";

  /** A longer line of a table is written as several. */
  private static final int MAX_LINE = 100;

  /** The longest line of a note, which mail (RFC 5322 section 2.1.1) and terminals do not break. */
  private static final int MAX_NOTE = 78 - GAP.length();

  /** The longest text of a cell in a table whose lines would be too long. */
  private static final int MAX_CELL = 44;

  /** The shortest cell that such a table gets; words in it are shorter, as a rule. */
  private static final int MIN_CELL = 12;

  private ReportText() {}

  static String of(GatewayReport report) {
    StringBuilder out = new StringBuilder();
    out.append(Inert.text(ReportTables.title(report))).append('\n');
    out.append(Inert.text(ReportTables.subtitle(report))).append('\n');
    ReportTables.all(report, ReportTables.byPeriod(report, false))
        .forEach(table -> append(table, out));
    return out.toString();
  }

  private static void append(ReportTable table, StringBuilder out) {
    out.append('\n').append(table.title()).append('\n');
    List<List<String>> lines = lines(table, Integer.MAX_VALUE);
    int[] widths = widths(table, lines);
    for (int cell = MAX_CELL; isTooWide(widths) && cell >= MIN_CELL; cell--) {
      lines = lines(table, cell);
      widths = widths(table, lines);
    }
    for (List<String> line : lines) {
      StringBuilder row = new StringBuilder();
      for (int i = 0; i < widths.length; i++) {
        String pad = " ".repeat(widths[i] - length(line.get(i)));
        row.append(GAP).append(table.isNumber(i) ? pad + line.get(i) : line.get(i) + pad);
      }
      out.append(row.toString().stripTrailing()).append('\n');
    }
    if (!table.note().isEmpty()) {
      for (String line : wrapped(Inert.text(table.note()), MAX_NOTE)) {
        out.append(GAP).append(line).append('\n');
      }
    }
  }

  private static boolean isTooWide(int[] widths) {
    return Arrays.stream(widths).map(width -> width + GAP.length()).sum() > MAX_LINE;
  }

  private static int[] widths(ReportTable table, List<List<String>> lines) {
    int[] widths = new int[table.columns().size()];
    for (List<String> line : lines) {
      for (int i = 0; i < widths.length; i++) {
        widths[i] = Math.max(widths[i], length(line.get(i)));
      }
    }
    return widths;
  }

  /** Heading and rows; a row whose cells are longer takes several lines. */
  private static List<List<String>> lines(ReportTable table, int maxCell) {
    List<List<String>> lines = new ArrayList<>();
    if (table.hasHeading() && !table.rows().isEmpty()) {
      lines.add(table.columns());
    }
    for (List<String> row : table.rows()) {
      List<List<String>> cells =
          row.stream().map(cell -> wrapped(Inert.text(cell), maxCell)).toList();
      int height = cells.stream().mapToInt(List::size).max().orElse(0);
      for (int i = 0; i < height; i++) {
        int at = i;
        lines.add(cells.stream().map(cell -> at < cell.size() ? cell.get(at) : "").toList());
      }
    }
    return lines;
  }

  /** The text in lines between its words; a longer word stays whole. */
  private static List<String> wrapped(String text, int max) {
    List<String> lines = new ArrayList<>();
    String rest = text;
    while (length(rest) > max) {
      int space = rest.lastIndexOf(' ', max);
      if (space <= 0) {
        space = rest.indexOf(' ', max);
      }
      if (space < 0) {
        break;
      }
      lines.add(rest.substring(0, space));
      rest = rest.substring(space + 1);
    }
    lines.add(rest);
    return lines;
  }

  private static int length(String text) {
    return text.codePointCount(0, text.length());
  }
}
