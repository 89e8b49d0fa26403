package io.bloomgate.blocklists.format;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.bloomgate.blocklists.entry.ListEntry;
import io.bloomgate.blocklists.entry.ListEntry.AsnRow;
import io.bloomgate.blocklists.format.FeedSink.ParseProblem;
import io.bloomgate.config.settings.Settings.Feeds.Match;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A text read by a format, written down so that tests can compare it. */
public final class Reading implements FeedSink {

  public final List<String> entries = new ArrayList<>();
  final List<String> problems = new ArrayList<>();
  public ParseTotals totals = ParseTotals.NONE;

  public static Reading of(String format, String text) {
    return of(format, text.getBytes(UTF_8), null);
  }

  public static Reading of(String format, byte[] octets, @Nullable Match match) {
    return of(format, new ByteArrayInputStream(octets), match);
  }

  /**
   * Reads a list of which each line says behind an arrow what it gives: its entries, {@code bad} or
   * {@code bad: REASON} for a problem; nothing without an arrow.
   */
  static Reading expect(String format, String table) {
    List<String[]> rows = table.lines().map(line -> line.split(" => ", 2)).toList();
    Reading read =
        of(format, rows.stream().map(row -> row[0] + "\n").collect(Collectors.joining()));
    Map<Integer, List<String>> given = new HashMap<>();
    for (String entry : read.entries) {
      int at = entry.lastIndexOf(':');
      given
          .computeIfAbsent(Integer.parseInt(entry.substring(at + 1)), _ -> new ArrayList<>())
          .add(entry.substring(0, at));
    }
    for (String problem : read.problems) {
      String[] parts = problem.split(":", 2);
      List<String> row = given.computeIfAbsent(Integer.parseInt(parts[0]), _ -> new ArrayList<>());
      row.add(
          table.contains(rows.get(Integer.parseInt(parts[0]) - 1)[0] + " => bad\n")
              ? "bad"
              : "bad: " + parts[1]);
    }
    StringBuilder shown = new StringBuilder();
    for (int i = 0; i < rows.size(); i++) {
      List<String> row = given.getOrDefault(i + 1, List.of());
      shown.append(rows.get(i)[0]).append(row.isEmpty() ? "" : " => " + String.join(", ", row));
      shown.append('\n');
    }
    assertEquals(table, shown.toString());
    return read;
  }

  /** The same of a source that gives one octet at a time. */
  static Reading trickled(String format, byte[] octets) {
    InputStream drops =
        new ByteArrayInputStream(octets) {
          @Override
          public int read(byte[] target, int from, int length) {
            return super.read(target, from, Math.min(length, 1));
          }
        };
    return of(format, drops, null);
  }

  private static Reading of(String format, InputStream octets, @Nullable Match match) {
    Reading reading = new Reading();
    try {
      reading.totals = format(format).parse(octets, match, reading);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return reading;
  }

  /** All that was read, to compare. */
  List<Object> everything() {
    return List.of(entries, problems, totals);
  }

  public static FeedFormat format(String name) {
    return FeedFormat.named(name).toOptional().orElseThrow();
  }

  @Override
  public void entry(ListEntry entry) {
    String text =
        entry instanceof AsnRow row
            ? row.prefix() + " " + row.number() + " " + row.country()
            : entry.text();
    String match =
        entry instanceof ListEntry.Domain domain && domain.match() == ListEntry.NameMatch.SUFFIX
            ? "+"
            : "";
    entries.add((entry.exception() ? "!" : "") + text + match + ":" + entry.line());
  }

  @Override
  public void problem(ParseProblem problem) {
    problems.add(problem.line() + ":" + problem.reason());
  }
}
