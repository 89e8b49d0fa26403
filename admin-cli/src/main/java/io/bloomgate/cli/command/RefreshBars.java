package io.bloomgate.cli.command;

import io.bloomgate.config.json.JsonValue.JsonObject;
import io.bloomgate.config.notation.TerminalText;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * A line with a bar for every feed of a refresh, drawn again with each step that the gateway
 * reports; a narrow terminal cuts its end. One command, one thread.
 */
final class RefreshBars {

  /** The width of a bar, in characters. */
  private static final int WIDTH = 24;

  private static final double MB = 1_000_000;

  /** The progress of a feed; octets -1 where unknown. */
  private record Row(String step, long octets, long total) {
    boolean isFetched() {
      return !step.equals("fetching");
    }

    boolean isEnded() {
      return switch (step) {
        case "fresh", "unchanged", "held", "rejected", "failed" -> true;
        default -> false;
      };
    }

    /** Share of the file that has come; nothing before its size is known. */
    double share() {
      return isFetched() ? 1 : total > 0 ? Math.min(1.0, (double) octets / total) : 0;
    }
  }

  private final Palette palette;
  private final int screen;
  private final Map<String, Row> rows = new LinkedHashMap<>();

  /**
   * Bars of no feed yet.
   *
   * @param screen lines of the terminal
   */
  RefreshBars(Palette palette, int screen) {
    this.palette = palette;
    this.screen = screen;
  }

  /** Takes a step; the result is the text to show now. */
  List<String> take(JsonObject step) {
    String word = step.text("step").orElse("working");
    Optional<String> feed = step.text("feed");
    if (feed.isPresent()) {
      String name = TerminalText.safe(feed.get());
      Row before = rows.getOrDefault(name, new Row(word, -1, -1));
      rows.put(
          name,
          new Row(
              TerminalText.safe(word),
              step.number("octets").orElse(before.octets),
              step.number("total").orElse(before.total)));
    } else if (word.equals("building")) {
      rows.replaceAll(
          (name, row) -> row.step.equals("accepted") ? new Row(word, row.octets, row.total) : row);
    }
    return lines();
  }

  /**
   * The lines that fit: when not all feeds do, those that are being fetched come first; the last
   * line of the screen stays free.
   */
  private List<String> lines() {
    int room = screen - 2;
    int name = rows.keySet().stream().mapToInt(String::length).max().orElse(0);
    List<String> lines = new ArrayList<>();
    if (rows.size() <= room) {
      rows.forEach((feed, row) -> lines.add(line(feed, row, name)));
      return lines;
    }
    rows.forEach((feed, row) -> {
      if (!row.isEnded() && lines.size() < room - 1) {
        lines.add(line(feed, row, name));
      }
    });
    long ended = rows.values().stream().filter(Row::isEnded).count();
    lines.add(ended + " of " + rows.size() + " feeds are done");
    return lines;
  }

  private String line(String feed, Row row, int longestName) {
    int filled = (int) (WIDTH * row.share());
    String head = filled > 0 && filled < WIDTH ? ">" : "";
    return feed
        + " ".repeat(longestName - feed.length())
        + "  ["
        + "=".repeat(filled - head.length())
        + head
        + " ".repeat(WIDTH - filled)
        + "]"
        + came(row)
        + "  "
        + painted(row);
  }

  /** The part of the file that has come, in per cent and in octets. */
  private static String came(Row row) {
    if (row.isFetched() || row.total <= 0) {
      return row.octets < 0 ? "" : String.format(Locale.ROOT, "  %.1f MB", row.octets / MB);
    }
    return String.format(
        Locale.ROOT,
        " %3d %%  %.1f/%.1f MB",
        (int) (100 * row.share()),
        Math.max(0, row.octets) / MB,
        row.total / MB);
  }

  private String painted(Row row) {
    return switch (row.step) {
      case "fresh", "unchanged" -> palette.good(row.step);
      case "held" -> palette.warn(row.step);
      case "rejected", "failed" -> palette.bad(row.step);
      default -> row.step;
    };
  }
}
