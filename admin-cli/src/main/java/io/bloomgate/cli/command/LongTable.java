package io.bloomgate.cli.command;

import java.util.ArrayList;
import java.util.List;

/**
 * A table of any length in constant memory: the first rows say how wide the columns are, later ones
 * are printed as they come. Filled and printed by one command.
 */
public final class LongTable {

  private static final String GAP = "  ";

  /** Rows that are awaited for the widths of the columns. */
  private static final int MEASURED_ROWS = 500;

  private final List<List<String>> measured = new ArrayList<>();
  private final int[] widths;
  private boolean begun;

  /** A table with a heading. */
  public LongTable(List<String> heading) {
    widths = new int[heading.size()];
    measured.add(heading);
  }

  /** True when there was no row. */
  public boolean isEmpty() {
    return !begun && measured.size() == 1;
  }

  /** A row of texts from outside. */
  public void row(List<String> cells, Output out) {
    List<String> safe = cells.stream().map(TerminalText::safe).toList();
    if (begun) {
      print(safe, out);
      return;
    }
    measured.add(safe);
    if (measured.size() > MEASURED_ROWS) {
      end(out);
    }
  }

  /** Prints the rows that wait; call it after the last row. */
  public void end(Output out) {
    begun = true;
    for (List<String> row : measured) {
      for (int i = 0; i < widths.length; i++) {
        widths[i] = Math.max(widths[i], width(row.get(i)));
      }
    }
    measured.forEach(row -> print(row, out));
    measured.clear();
  }

  private void print(List<String> row, Output out) {
    StringBuilder line = new StringBuilder();
    for (int i = 0; i < row.size(); i++) {
      line.append(i == 0 ? "" : GAP)
          .append(row.get(i))
          .append(" ".repeat(Math.max(0, widths[i] - width(row.get(i)))));
    }
    out.line(line.toString().stripTrailing());
  }

  private static int width(String cell) {
    return cell.codePointCount(0, cell.length());
  }
}
