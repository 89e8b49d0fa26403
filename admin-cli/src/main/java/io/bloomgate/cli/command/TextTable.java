package io.bloomgate.cli.command;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;

/**
 * Rows in columns that are as wide as their widest cell. Numbers have no gaps between thousands,
 * because programs split such lines at spaces. A table of any length takes constant memory when its
 * rows are given with the output: the first of them say how wide the columns are, later ones are
 * printed as they come. Filled and printed by one command.
 */
public final class TextTable {

  private static final String GAP = "  ";

  /** Rows that are awaited for the widths of the columns. */
  private static final int MEASURED_ROWS = 500;

  /** A number of {@link HumanText}. */
  private static final Pattern GROUPED = Pattern.compile("\\d{1,3}(?: \\d{3})+");

  /** A cell, and how to colour it once it has its width. */
  private record Cell(String text, UnaryOperator<String> paint) {}

  private final List<List<Cell>> rows = new ArrayList<>();
  private final Set<Integer> rightAligned;
  private final int[] widths;
  private boolean begun;

  /** A table with a heading, all of whose columns are aligned to the left. */
  public TextTable(List<String> heading) {
    this(heading, Set.of());
  }

  /** A table with a heading; numbers are aligned to the right. */
  public TextTable(List<String> heading, Set<Integer> rightAligned) {
    this.rightAligned = rightAligned;
    this.widths = new int[heading.size()];
    rows.add(heading.stream().map(h -> new Cell(h, UnaryOperator.identity())).toList());
  }

  /** True when there was no row. */
  public boolean isEmpty() {
    return !begun && rows.size() == 1;
  }

  /** A row of texts from outside. */
  public void row(List<String> cells) {
    row(cells, -1, UnaryOperator.identity());
  }

  /** A row with one coloured cell. */
  public void row(List<String> cells, int column, UnaryOperator<String> paint) {
    List<Cell> row = new ArrayList<>();
    for (int i = 0; i < cells.size(); i++) {
      String text = TerminalText.safe(cells.get(i));
      row.add(
          new Cell(
              rightAligned.contains(i) ? ungrouped(text) : text,
              i == column ? paint : UnaryOperator.identity()));
    }
    rows.add(row);
  }

  /** A row of a table that may be long. */
  public void row(List<String> cells, Output out) {
    row(cells);
    if (begun || rows.size() > MEASURED_ROWS) {
      print(out);
    }
  }

  private static String ungrouped(String text) {
    return GROUPED.matcher(text).matches() ? text.replace(" ", "") : text;
  }

  /** Prints the rows that wait; call it after the last row. */
  public void print(Output out) {
    if (!begun) {
      begun = true;
      for (List<Cell> row : rows) {
        for (int i = 0; i < widths.length; i++) {
          widths[i] = Math.max(widths[i], width(row.get(i)));
        }
      }
    }
    rows.forEach(row -> out.line(line(row)));
    rows.clear();
  }

  private String line(List<Cell> row) {
    StringBuilder line = new StringBuilder();
    for (int i = 0; i < row.size(); i++) {
      Cell cell = row.get(i);
      String pad = " ".repeat(Math.max(0, widths[i] - width(cell)));
      String text = cell.paint().apply(cell.text());
      line.append(i == 0 ? "" : GAP).append(rightAligned.contains(i) ? pad + text : text + pad);
    }
    return line.toString().stripTrailing();
  }

  private static int width(Cell cell) {
    return cell.text().codePointCount(0, cell.text().length());
  }
}
