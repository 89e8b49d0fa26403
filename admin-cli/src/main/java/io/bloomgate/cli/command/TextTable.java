package io.bloomgate.cli.command;

import io.bloomgate.config.notation.TerminalText;
import io.bloomgate.config.notation.TextColumns;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Rows that are printed in {@link TextColumns}. A table of any length takes constant memory when
 * its rows are given with the output: the first of them say how wide the columns are, later ones
 * are printed as they come. Filled and printed by one command.
 */
public final class TextTable {

  /** Rows that are awaited for the widths of the columns. */
  private static final int MEASURED_ROWS = 500;

  /** Longer words are cut where the table would not fit, for example IPv6 addresses. */
  private static final int LONGEST_WHOLE = 15;

  /** A blank at which no line ends. */
  private static final char UNBROKEN = '\u00a0';

  /** A row, and how to colour one of its cells once it has its width. */
  private record Row(List<String> cells, int painted, UnaryOperator<String> paint) {}

  private final List<Row> rows = new ArrayList<>();
  private final List<Boolean> rightAligned;
  private @Nullable TextColumns columns;

  /**
   * A table with a heading.
   *
   * @param titles of the columns with a bar between two of them; those with {@code >} in front are
   *     aligned to the right
   */
  public TextTable(String titles) {
    List<String> heading = Template.columns(titles);
    rightAligned = heading.stream().map(title -> title.startsWith(">")).toList();
    row(heading.stream().map(title -> title.replaceFirst("^>", "")).toList());
  }

  /** True when there was no row. */
  public boolean isEmpty() {
    return columns == null && rows.size() == 1;
  }

  /** A row of texts from outside. */
  public void row(List<String> cells) {
    row(cells, -1, UnaryOperator.identity());
  }

  /** A row with one coloured cell. */
  public void row(List<String> cells, int column, UnaryOperator<String> paint) {
    rows.add(new Row(cells.stream().map(TerminalText::safe).toList(), column, paint));
  }

  /** A row of a table that may be long. */
  public void row(List<String> cells, Output out) {
    row(cells);
    if (columns != null || rows.size() > MEASURED_ROWS) {
      print(out);
    }
  }

  /** Prints the rows that wait; call it after the last row. */
  public void print(Output out) {
    TextColumns shown =
        columns == null
            ? new TextColumns(rows.stream().map(Row::cells).toList(), out.columns(), LONGEST_WHOLE)
            : columns;
    columns = shown;
    for (Row row : rows) {
      shown
          .lines(row.cells, rightAligned::get, row.painted, row.paint)
          .forEach(line -> out.verbatim(line.replace(UNBROKEN, ' ')));
    }
    rows.clear();
  }
}
