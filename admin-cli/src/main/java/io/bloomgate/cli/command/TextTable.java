package io.bloomgate.cli.command;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;

/**
 * Rows in columns that are as wide as their widest cell. Numbers have no gaps between thousands,
 * because programs split such lines at spaces. Filled and printed by one command.
 */
public final class TextTable {

  private static final String GAP = "  ";

  /** A number of {@link HumanText}. */
  private static final Pattern GROUPED = Pattern.compile("\\d{1,3}(?: \\d{3})+");

  /** A cell, and how to colour it once it has its width. */
  private record Cell(String text, UnaryOperator<String> paint) {}

  private final List<List<Cell>> rows = new ArrayList<>();
  private final Set<Integer> rightAligned;

  /** A table with a heading; numbers are aligned to the right. */
  public TextTable(List<String> heading, Set<Integer> rightAligned) {
    this.rightAligned = rightAligned;
    rows.add(heading.stream().map(h -> new Cell(h, UnaryOperator.identity())).toList());
  }

  boolean isEmpty() {
    return rows.size() == 1;
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

  private static String ungrouped(String text) {
    return GROUPED.matcher(text).matches() ? text.replace(" ", "") : text;
  }

  public void print(Output out) {
    int columns = rows.getFirst().size();
    int[] widths = new int[columns];
    for (List<Cell> row : rows) {
      for (int i = 0; i < columns; i++) {
        widths[i] = Math.max(widths[i], width(row.get(i)));
      }
    }
    rows.forEach(row -> out.line(line(row, widths)));
  }

  private String line(List<Cell> row, int[] widths) {
    StringBuilder line = new StringBuilder();
    for (int i = 0; i < row.size(); i++) {
      Cell cell = row.get(i);
      String pad = " ".repeat(widths[i] - width(cell));
      String text = cell.paint().apply(cell.text());
      line.append(i == 0 ? "" : GAP).append(rightAligned.contains(i) ? pad + text : text + pad);
    }
    return line.toString().stripTrailing();
  }

  private static int width(Cell cell) {
    return cell.text().codePointCount(0, cell.text().length());
  }
}
