package io.bloomgate.cli.command;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.function.IntUnaryOperator;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

/**
 * Rows in columns that are as wide as their widest cell. Where that is wider than the terminal, the
 * widest columns get narrower and their cells go on below. A table of any length takes constant
 * memory when its rows are given with the output: the first of them say how wide the columns are,
 * later ones are printed as they come. Filled and printed by one command.
 */
public final class TextTable {

  private static final String GAP = "  ";

  /** Rows that are awaited for the widths of the columns. */
  private static final int MEASURED_ROWS = 500;

  /** The width of a date; a narrower column would be hard to read. */
  private static final int NARROWEST = 10;

  /** Longer pieces of a cell are cut where the table would not fit, for example IPv6 addresses. */
  private static final int LONGEST_WHOLE = 15;

  /** The width of a column that is left where nothing else fits. */
  private static final int SHORTEST_PIECE = 6;

  /** A cell, and how to colour it once it has its width. */
  private record Cell(String text, UnaryOperator<String> paint) {}

  private final List<List<Cell>> rows = new ArrayList<>();
  private final List<Boolean> rightAligned;
  private final int[] widths;
  private boolean begun;

  /**
   * A table with a heading.
   *
   * @param titles of the columns with a bar between two of them; those with {@code >} in front are
   *     aligned to the right
   */
  public TextTable(String titles) {
    List<String> heading = Template.columns(titles);
    rightAligned = heading.stream().map(title -> title.startsWith(">")).toList();
    widths = new int[heading.size()];
    row(heading.stream().map(title -> title.replaceFirst("^>", "")).toList());
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
      row.add(
          new Cell(
              TerminalText.safe(cells.get(i)), i == column ? paint : UnaryOperator.identity()));
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

  /** Prints the rows that wait; call it after the last row. */
  public void print(Output out) {
    if (!begun) {
      begun = true;
      for (List<Cell> row : rows) {
        for (int i = 0; i < widths.length; i++) {
          widths[i] = Math.max(widths[i], TerminalText.width(row.get(i).text()));
        }
      }
      narrow(out.columns() - GAP.length() * (widths.length - 1));
    }
    rows.forEach(row -> print(row, out));
    rows.clear();
  }

  /**
   * Takes from the widest column until all fit: first from those whose words, ids and IPv4
   * addresses stay whole, so that they can be copied; where that is not enough, from all.
   */
  private void narrow(int room) {
    int[] least = IntStream.range(0, widths.length).map(this::longestPiece).toArray();
    while (isNarrowed(room, column -> Math.max(least[column], NARROWEST))
        || isNarrowed(room, _ -> NARROWEST)
        || isNarrowed(room, _ -> SHORTEST_PIECE)) {}
  }

  /** True when the widest column that is above its least width got narrower, as all did not fit. */
  private boolean isNarrowed(int room, IntUnaryOperator least) {
    if (IntStream.of(widths).sum() <= room) {
      return false;
    }
    OptionalInt widest =
        IntStream.range(0, widths.length)
            .filter(i -> widths[i] > least.applyAsInt(i))
            .reduce((a, b) -> widths[b] > widths[a] ? b : a);
    widest.ifPresent(column -> widths[column] = broken(column, widths[column] - 1));
    return widest.isPresent();
  }

  private int longestPiece(int column) {
    return rows.stream()
        .mapToInt(row -> TerminalText.longestPiece(row.get(column).text()))
        .map(width -> Math.min(width, LONGEST_WHOLE))
        .max()
        .orElse(0);
  }

  /**
   * The width of a column whose cells are broken: a time that goes on below needs no more than a
   * date.
   */
  private int broken(int column, int room) {
    return rows.stream()
        .flatMap(row -> TerminalText.lines(row.get(column).text(), room).stream())
        .mapToInt(TerminalText::width)
        .max()
        .orElse(room);
  }

  private void print(List<Cell> row, Output out) {
    List<List<String>> cells = new ArrayList<>();
    for (int i = 0; i < row.size(); i++) {
      cells.add(TerminalText.lines(row.get(i).text(), widths[i]));
    }
    int height = cells.stream().mapToInt(List::size).max().orElse(0);
    for (int part = 0; part < height; part++) {
      StringBuilder line = new StringBuilder();
      for (int i = 0; i < row.size(); i++) {
        String text = part < cells.get(i).size() ? cells.get(i).get(part) : "";
        String pad = " ".repeat(Math.max(0, widths[i] - TerminalText.width(text)));
        String painted = row.get(i).paint().apply(text);
        line.append(i == 0 ? "" : GAP).append(rightAligned.get(i) ? pad + painted : painted + pad);
      }
      out.verbatim(line.toString().stripTrailing());
    }
  }
}
