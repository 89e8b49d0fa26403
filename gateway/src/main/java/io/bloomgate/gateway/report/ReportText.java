package io.bloomgate.gateway.report;

import java.util.ArrayList;
import java.util.List;

/** A report as lines of text. Pure. */
final class ReportText {

  private static final String GAP = "  ";

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
    List<List<String>> lines = new ArrayList<>();
    if (table.hasHeading() && !table.rows().isEmpty()) {
      lines.add(table.columns());
    }
    table.rows().forEach(row -> lines.add(row.stream().map(Inert::text).toList()));
    int[] widths = new int[table.columns().size()];
    for (List<String> line : lines) {
      for (int i = 0; i < widths.length; i++) {
        widths[i] = Math.max(widths[i], length(line.get(i)));
      }
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
      out.append(GAP).append(Inert.text(table.note())).append('\n');
    }
  }

  private static int length(String text) {
    return text.codePointCount(0, text.length());
  }
}
