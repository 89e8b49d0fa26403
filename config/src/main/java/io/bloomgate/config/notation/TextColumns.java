package io.bloomgate.config.notation;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.function.IntPredicate;
import java.util.function.IntUnaryOperator;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

/**
 * The columns of a table, as wide as their widest cell. Where that is wider than the room, the
 * widest columns get narrower and their cells go on below. Made by the tables of commands and of
 * reports; immutable.
 */
public final class TextColumns {

  private static final String GAP = "  ";

  /** The width of a date; a narrower column would be hard to read. */
  private static final int NARROWEST = 10;

  /** The width of a column whose words are cut, where there is room. */
  private static final int SHORTEST_CUT = 15;

  /** The width of a column that is left where nothing else fits. */
  private static final int SHORTEST_PIECE = 6;

  private final int[] widths;

  /**
   * The columns for these rows, and for others that come later.
   *
   * @param room for all columns and the gaps between them
   * @param longestWhole longer words are cut where the table would not fit
   */
  public TextColumns(List<List<String>> rows, int room, int longestWhole) {
    int count = rows.isEmpty() ? 0 : rows.getFirst().size();
    widths = IntStream.range(0, count).map(column -> widest(rows, column)).toArray();
    narrow(rows, room - GAP.length() * (count - 1), longestWhole);
  }

  private static int widest(List<List<String>> rows, int column) {
    return rows.stream().mapToInt(row -> TerminalText.width(row.get(column))).max().orElse(0);
  }

  /**
   * Takes from the widest column until all fit: first from those whose words stay whole, so that
   * ids and IPv4 addresses can be copied and searched for; then more from those whose words are cut
   * anyway; where that is not enough, from all.
   */
  private void narrow(List<List<String>> rows, int room, int longestWhole) {
    int[] least = leastWidths(rows, longestWhole, SHORTEST_CUT);
    int[] copied = leastWidths(rows, longestWhole, NARROWEST);
    while (isNarrowed(rows, room, column -> Math.max(least[column], NARROWEST))
        || isNarrowed(rows, room, column -> Math.max(copied[column], NARROWEST))
        || isNarrowed(rows, room, column -> copied[column])
        || isNarrowed(rows, room, _ -> NARROWEST)
        || isNarrowed(rows, room, _ -> SHORTEST_PIECE)) {}
  }

  /** True when the widest column that is above its least width got narrower, as all did not fit. */
  private boolean isNarrowed(List<List<String>> rows, int room, IntUnaryOperator least) {
    if (IntStream.of(widths).sum() <= room) {
      return false;
    }
    OptionalInt widest =
        IntStream.range(0, widths.length)
            .filter(i -> widths[i] > least.applyAsInt(i))
            .reduce((a, b) -> widths[b] > widths[a] ? b : a);
    // A cell that begins with spaces has lines wider than its room.
    widest.ifPresent(column ->
        widths[column] = Math.min(widths[column] - 1, broken(rows, column, widths[column] - 1)));
    return widest.isPresent();
  }

  /** The widths of the longest words that stay whole; of a longer word this many columns count. */
  private static int[] leastWidths(List<List<String>> rows, int longestWhole, int ofCut) {
    return IntStream.range(0, rows.isEmpty() ? 0 : rows.getFirst().size())
        .map(column ->
            rows.stream()
                .flatMap(row -> TerminalText.pieces(row.get(column)))
                .mapToInt(TerminalText::width)
                .map(width -> width > longestWhole ? ofCut : width)
                .max()
                .orElse(0))
        .toArray();
  }

  /**
   * The width of a column whose cells are broken: a time that goes on below needs no more than a
   * date.
   */
  private static int broken(List<List<String>> rows, int column, int room) {
    return rows.stream()
        .flatMap(row -> TerminalText.lines(row.get(column), room).stream())
        .mapToInt(TerminalText::width)
        .max()
        .orElse(room);
  }

  /**
   * The lines of a row.
   *
   * @param right true for a column that is aligned to the right
   * @param painted for one column, the number of which is given
   */
  public List<String> lines(
      List<String> row, IntPredicate right, int painted, UnaryOperator<String> paint) {
    List<List<String>> cells = new ArrayList<>();
    for (int i = 0; i < widths.length; i++) {
      cells.add(TerminalText.lines(row.get(i), widths[i]));
    }
    int height = cells.stream().mapToInt(List::size).max().orElse(0);
    List<String> lines = new ArrayList<>();
    for (int part = 0; part < height; part++) {
      StringBuilder line = new StringBuilder();
      for (int i = 0; i < widths.length; i++) {
        String text = part < cells.get(i).size() ? cells.get(i).get(part) : "";
        String pad = " ".repeat(Math.max(0, widths[i] - TerminalText.width(text)));
        String shown = i == painted ? paint.apply(text) : text;
        line.append(i == 0 ? "" : GAP).append(right.test(i) ? pad + shown : shown + pad);
      }
      lines.add(line.toString().stripTrailing());
    }
    return lines;
  }
}
