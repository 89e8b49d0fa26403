package io.bloomgate.cli.feeds;

import io.bloomgate.blocklists.generation.FeedCounts;
import java.util.List;
import java.util.Locale;

/**
 * The table of {@code feeds overlap} as a picture (SVG 1.1): a row and a column a list, the more is
 * shared the darker. Pure.
 */
final class OverlapPlot {

  /** The side of a cell, in pixels. */
  private static final int CELL = 44;

  /** The width of a character of a name, in pixels. */
  private static final int LETTER = 8;

  private static final int MARGIN = 16;

  private OverlapPlot() {}

  /** Names of feeds are letters, digits, dots and dashes, which need no escaping. */
  static String svg(OverlapReport report) {
    List<String> names = report.feeds().stream().map(FeedCounts::name).toList();
    int longest = names.stream().mapToInt(String::length).max().orElse(0);
    int side = 2 * MARGIN + longest * LETTER;
    int size = side + names.size() * CELL + MARGIN;
    StringBuilder svg = new StringBuilder();
    svg.append(
        """
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %1$d %1$d" font-family="sans-serif" font-size="12">
        <title>Part of each list (row) that the other lists (column) list too</title>
        <rect width="100%%" height="100%%" fill="#fff"/>
        """
            .formatted(size));
    for (int row = 0; row < names.size(); row++) {
      int middle = side + row * CELL + CELL / 2;
      svg.append(
          """
          <text x="%d" y="%d" text-anchor="end" dominant-baseline="middle">%s</text>
          <text transform="translate(%d %d) rotate(-90)" dominant-baseline="middle">%s</text>
          """
              .formatted(
                  side - MARGIN / 2,
                  middle,
                  names.get(row),
                  middle,
                  side - MARGIN / 2,
                  names.get(row)));
      for (int column = 0; column < names.size(); column++) {
        if (row != column) {
          double share = report.measured().share(names.get(row), names.get(column));
          svg.append(cell(side + column * CELL, side + row * CELL, share));
        }
      }
    }
    return svg.append("</svg>\n").toString();
  }

  private static String cell(int x, int y, double share) {
    // Black on light cells, white on dark ones: both are read at a contrast of 4.5 and more.
    return String.format(
        Locale.ROOT,
        """
        <rect x="%d" y="%d" width="%d" height="%d" fill="#b30000" fill-opacity="%.3f" stroke="#ddd"/>
        <text x="%d" y="%d" text-anchor="middle" dominant-baseline="middle" fill="%s">%s</text>
        """,
        x,
        y,
        CELL,
        CELL,
        share,
        x + CELL / 2,
        y + CELL / 2,
        share > 0.6 ? "#fff" : "#000",
        share == 0 ? "" : OverlapText.percent(share).replace("<", "&lt;"));
  }
}
