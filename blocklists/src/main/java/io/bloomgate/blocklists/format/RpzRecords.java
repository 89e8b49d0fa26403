package io.bloomgate.blocklists.format;

import io.bloomgate.blocklists.format.octets.FeedLimits;
import io.bloomgate.blocklists.format.octets.Octets;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The records of a zone in master file form, RFC 1035 section 5.1, as words: comments off,
 * parentheses joined, the owner of the record before filled in. Used by {@link RpzParser}.
 */
final class RpzRecords {

  /**
   * A record or directive.
   *
   * @param words owner or directive first; quotes are off
   * @param text the line that it begins with, for reports
   */
  record ZoneRecord(List<String> words, String text, int line) {}

  /** Records whose parenthesis nobody closes, before the text is no zone at all. */
  private static final int MOST_STRAYS = 100;

  private record Line(String text, int number) {}

  private final FeedLines lines;
  private final ParseRun run;

  /** The lines that were taken for a part of a record and are none, to be read again. */
  private final Deque<Line> again = new ArrayDeque<>();

  private int strays;
  private String owner = "";

  RpzRecords(InputStream text, ParseRun run) throws IOException {
    this.lines = new FeedLines(text);
    this.run = run;
  }

  /** The next record, or nothing at the end of the text. */
  Optional<ZoneRecord> next() throws IOException {
    for (Line first = line(); first != null; first = line()) {
      Words words = new Words();
      words.add(first.text);
      if (words.open > 0) {
        close(words, first);
      }
      if (words.open <= 0 && !words.found.isEmpty()) {
        return Optional.of(record(words.found, first.text, first.number));
      }
    }
    return Optional.empty();
  }

  private @Nullable Line line() throws IOException {
    Line before = again.poll();
    if (before != null) {
      return before;
    }
    while (lines.next()) {
      run.lines(lines.number());
      if (!lines.overlong()) {
        String text = Octets.decode(lines.octets(), lines.from(), lines.to());
        return new Line(text, lines.number());
      }
      run.overlong(lines);
    }
    return null;
  }

  /** Reads on until the parenthesis is closed; one that never is takes no other records along. */
  private void close(Words words, Line first) throws IOException {
    List<Line> more = new ArrayList<>();
    while (words.open > 0 && more.size() < FeedLimits.LINES_PER_RECORD) {
      Line next = line();
      if (next == null) {
        break;
      }
      more.add(next);
      words.add(next.text);
    }
    if (words.open <= 0) {
      return;
    }
    run.problem(first.number, "parenthesis that is not closed", first.text);
    strays++;
    if (strays > MOST_STRAYS) {
      // Each costs a second look at the lines after it.
      run.damage("more than " + MOST_STRAYS + " parentheses are not closed");
    } else {
      more.reversed().forEach(again::addFirst);
    }
  }

  private ZoneRecord record(List<String> words, String text, int number) {
    if (text.charAt(0) == ' ' || text.charAt(0) == '\t') {
      words.addFirst(owner);
    } else if (!words.getFirst().startsWith("$")) {
      owner = words.getFirst();
    }
    return new ZoneRecord(List.copyOf(words), text, number);
  }

  /** Cuts lines into words until no parenthesis is open. */
  private static final class Words {
    private final List<String> found = new ArrayList<>();
    private int open;

    void add(String line) {
      StringBuilder word = new StringBuilder();
      boolean quoted = false;
      for (int i = 0; i < line.length(); i++) {
        char c = line.charAt(i);
        if (c == '"') {
          quoted = !quoted;
        } else if (quoted) {
          word.append(c);
        } else if (c == ';') {
          break;
        } else if (c == ' ' || c == '\t' || c == '(' || c == ')') {
          open += c == '(' ? 1 : c == ')' ? -1 : 0;
          end(word);
        } else {
          word.append(c);
        }
      }
      end(word);
    }

    private void end(StringBuilder word) {
      if (!word.isEmpty()) {
        found.add(word.toString());
        word.setLength(0);
      }
    }
  }
}
