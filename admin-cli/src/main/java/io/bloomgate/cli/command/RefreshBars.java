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
 * reports. One command, one thread.
 */
final class RefreshBars {

  private static final int WIDEST_NAME = 24;
  private static final int WIDEST_BAR = 24;

  /** The least width of a bar, in characters: a shorter one shows nothing. */
  private static final int NARROWEST_BAR = 6;

  /** The longest text behind the bar: {@code 100 % 999.9/999.9 MB unchanged}. */
  private static final int BEHIND_BAR = 34;

  private static final long KB = 1000;
  private static final long MB = 1_000_000;

  /** The progress of a feed; octets -1 where unknown. */
  private record Row(String step, long octets, long total) {

    boolean isEnded() {
      return switch (step) {
        case "fresh", "unchanged", "held", "rejected", "failed" -> true;
        default -> false;
      };
    }

    /** Share of the file that has come; nothing before its size is known. */
    Optional<Double> share() {
      if (!step.equals("fetching")) {
        return Optional.of(1.0);
      }
      return total > 0 ? Optional.of(Math.min(1.0, (double) octets / total)) : Optional.empty();
    }
  }

  private final Palette palette;
  private final TerminalSize size;
  private final Map<String, Row> rows = new LinkedHashMap<>();

  RefreshBars(Palette palette, TerminalSize size) {
    this.palette = palette;
    this.size = size;
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
    int room = size.rows() - 2;
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

  /** The bar and what is behind it are left out where the terminal is too narrow. */
  private String line(String feed, Row row, int longestName) {
    int width = size.columns() - 1;
    int nameWidth = Math.min(longestName, WIDEST_NAME);
    String name = feed.substring(0, Math.min(feed.length(), nameWidth));
    name += " ".repeat(nameWidth - name.length()) + "  ";
    int bar = Math.min(WIDEST_BAR, width - name.length() - 2 - BEHIND_BAR);
    if (bar >= NARROWEST_BAR) {
      return name + "[" + bar(row, bar) + "]" + behind(row) + "  " + painted(row);
    }
    // Colour has no width, so the text is cut before it is painted.
    String whole = name + row.step;
    return whole.substring(0, Math.min(whole.length(), width));
  }

  private static String bar(Row row, int width) {
    int filled = row.share().map(s -> (int) (s * width)).orElse(0);
    String head = filled > 0 && filled < width ? ">" : "";
    return "=".repeat(filled - head.length()) + head + " ".repeat(width - filled);
  }

  /** The share in per cent, and how much of the file has come. */
  private static String behind(Row row) {
    boolean fetching = row.step.equals("fetching");
    long unit = Math.max(row.octets, row.total) < MB ? KB : MB;
    String percent =
        row.share()
            .filter(s -> fetching)
            .map(s -> String.format(Locale.ROOT, " %3d %%", (int) (s * 100)))
            .orElse("");
    String of = row.total >= 0 && fetching ? "/" + in(row.total, unit) : "";
    return row.octets < 0
        ? percent
        : percent + "  " + in(row.octets, unit) + of + (unit == KB ? " kB" : " MB");
  }

  private static String in(long octets, long unit) {
    return String.format(Locale.ROOT, "%.1f", (double) octets / unit);
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
