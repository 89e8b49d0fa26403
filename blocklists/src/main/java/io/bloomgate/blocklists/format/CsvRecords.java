package io.bloomgate.blocklists.format;

import io.bloomgate.blocklists.format.octets.FeedLimits;
import io.bloomgate.blocklists.format.octets.Octets;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Cuts a text into CSV records (RFC 4180): quoted fields may hold the delimiter, doubled quotes and
 * line ends. Made by {@link CsvParser} for one text.
 *
 * <p>A quote that is never closed spoils its own line and no other: the lines after it are read
 * again for themselves, so that one bad row cannot swallow a list.
 */
final class CsvRecords {

  /** A physical line. */
  private record Line(String text, int number, boolean overlong) {}

  /**
   * A record.
   *
   * @param line where it begins
   * @param raw its first physical line, for messages
   * @param problem why it cannot be read, {@code null} when it can
   */
  record CsvRecord(int line, String raw, List<String> fields, @Nullable String problem) {
    /** True for a line of a banner. */
    boolean isComment() {
      return raw.startsWith("#");
    }
  }

  private final FeedLines lines;
  private final Deque<Line> again = new ArrayDeque<>();

  /** Records that went over lines in vain so far. */
  private int unclosed;

  CsvRecords(FeedLines lines) {
    this.lines = lines;
  }

  /** The next line that is neither empty nor read as part of a record, without consuming it. */
  private Optional<Line> nextLine() throws IOException {
    if (!again.isEmpty()) {
      return Optional.of(again.pop());
    }
    if (!lines.next()) {
      return Optional.empty();
    }
    String text = Octets.decode(lines.octets(), lines.from(), lines.to());
    return Optional.of(new Line(text, lines.number(), lines.overlong()));
  }

  /** Lines read so far. */
  int lines() {
    return lines.number();
  }

  /**
   * The next record; blank lines are passed over. Lines that begin with {@code #} come as one
   * field.
   */
  Optional<CsvRecord> next(char delimiter) throws IOException {
    Optional<Line> found = nextLine();
    while (found.isPresent() && found.get().text.isBlank()) {
      found = nextLine();
    }
    if (found.isEmpty()) {
      return Optional.empty();
    }
    Line first = found.get();
    if (first.overlong) {
      return bad(first, "line longer than 65536 octets");
    }
    if (first.text.startsWith("#")) {
      return Optional.of(new CsvRecord(first.number, first.text, List.of(first.text), null));
    }
    return record(first, delimiter);
  }

  private Optional<CsvRecord> record(Line first, char delimiter) throws IOException {
    List<Line> taken = new ArrayList<>();
    StringBuilder joined = new StringBuilder(first.text);
    CsvFields cut = CsvFields.of(first.text, delimiter);
    while (cut instanceof CsvFields.Open open) {
      Optional<Line> more = unclosed < FeedLimits.UNCLOSED_QUOTES ? nextLine() : Optional.empty();
      more.ifPresent(taken::add);
      if (more.isEmpty()
          || more.get().overlong
          || joined.length() + more.get().text.length() > FeedLimits.LINE_OCTETS
          || taken.size() > FeedLimits.LINES_PER_RECORD) {
        return giveBack(first, taken, "quote that is not closed");
      }
      joined.append('\n').append(more.get().text);
      if (CsvFields.closes(more.get().text)) {
        cut = open.resume(joined.toString(), delimiter);
      }
    }
    return cut instanceof CsvFields.Complete(List<String> values)
        ? Optional.of(new CsvRecord(first.number, first.text, values, null))
        : giveBack(first, taken, "quote in a wrong place");
  }

  private Optional<CsvRecord> giveBack(Line first, List<Line> taken, String reason) {
    unclosed += taken.isEmpty() ? 0 : 1;
    taken.reversed().forEach(again::push);
    return bad(first, reason);
  }

  private static Optional<CsvRecord> bad(Line line, String reason) {
    return Optional.of(new CsvRecord(line.number, line.text, List.of(), reason));
  }
}
