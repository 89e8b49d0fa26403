package io.bloomgate.gateway.report;

import io.bloomgate.gateway.html.Inert;
import io.bloomgate.gateway.report.ReportTables.ReportTable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToIntFunction;

/** A report as lines of text. Pure. */
final class ReportText {

  private static final String GAP = "  ";

  /** The columns of a line where nobody says how many there are, and the least that are used. */
  private static final int USUAL_LINE = 100;

  private static final int SHORTEST_LINE = 60;

  /** The longest line of a note, which mail (RFC 5322 section 2.1.1) and terminals do not break. */
  private static final int MAX_NOTE = 78 - GAP.length();

  /** The columns that a longer cell has at least, more than a heading takes. */
  private static final int LEAST_CELL = 16;

  /** The longest word that stays whole where there is room. */
  private static final int LONGEST_WORD = 32;

  /** The width of a cell that is not cut. */
  private static final int WHOLE = Integer.MAX_VALUE;

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
    List<List<String>> whole = lines(table, new int[0]);
    int[] widths = widths(table, whole, ReportText::length);
    int room = most - widths.length * GAP.length();
    int[] words = widths(table, whole, ReportText::least);
    fit(widths, words, room);
    Arrays.fill(words, LEAST_CELL);
    fit(widths, words, room);
    List<List<String>> lines = lines(table, widths);
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

  private static int[] widths(
      ReportTable table, List<List<String>> lines, ToIntFunction<String> width) {
    int[] widths = new int[table.columns().size()];
    for (List<String> line : lines) {
      for (int i = 0; i < widths.length; i++) {
        widths[i] = Math.max(widths[i], width.applyAsInt(line.get(i)));
      }
    }
    return widths;
  }

  /** The width below which a cell's words would be cut; long words, as of addresses, are. */
  private static int least(String cell) {
    return Arrays.stream(cell.split(" ", -1))
        .mapToInt(ReportText::length)
        .filter(word -> word > LEAST_CELL && word <= LONGEST_WORD)
        .max()
        .orElse(LEAST_CELL);
  }

  /** Takes from the widest columns that may be narrower, until all have room. */
  private static void fit(int[] widths, int[] least, int room) {
    while (Arrays.stream(widths).sum() > room) {
      int widest = -1;
      for (int i = 0; i < widths.length; i++) {
        boolean mayBeNarrower = widths[i] > least[i];
        widest = mayBeNarrower && (widest < 0 || widths[i] > widths[widest]) ? i : widest;
      }
      if (widest < 0) {
        return;
      }
      widths[widest]--;
    }
  }

  /** Heading and rows; a row whose cells are wider than their columns takes several lines. */
  private static List<List<String>> lines(ReportTable table, int[] widths) {
    List<List<String>> lines = new ArrayList<>();
    if (table.hasHeading() && !table.rows().isEmpty()) {
      lines.add(table.columns());
    }
    for (List<String> row : table.rows()) {
      List<List<String>> cells = new ArrayList<>();
      for (int i = 0; i < row.size(); i++) {
        cells.add(wrapped(Inert.text(row.get(i)), i < widths.length ? widths[i] : WHOLE));
      }
      int height = cells.stream().mapToInt(List::size).max().orElse(0);
      for (int i = 0; i < height; i++) {
        int at = i;
        lines.add(cells.stream().map(cell -> at < cell.size() ? cell.get(at) : "").toList());
      }
    }
    return lines;
  }

  /** The text in lines between its words; a longer word is cut. */
  private static List<String> wrapped(String text, int most) {
    List<String> lines = new ArrayList<>();
    String rest = text;
    while (length(rest) > most) {
      int end = rest.offsetByCodePoints(0, most);
      int space = rest.lastIndexOf(' ', end);
      lines.add(rest.substring(0, space > 0 ? space : end));
      rest = rest.substring(space > 0 ? space + 1 : end);
    }
    lines.add(rest);
    return lines;
  }

  private static int length(String text) {
    return text.codePointCount(0, text.length());
  }
}
