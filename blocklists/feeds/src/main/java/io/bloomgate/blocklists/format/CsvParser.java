package io.bloomgate.blocklists.format;

import io.bloomgate.blocklists.format.CsvParser.CsvRecords.CsvRecord;
import io.bloomgate.blocklists.format.EntryText.Accepts;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The format {@code csv:COLUMN}: one column of a table. COLUMN is a number from 1 for the position,
 * whatever the cells hold, or else the name in the header, letter case apart. The header is one of
 * the first rows, or the last line of a banner of {@code #} lines, as some publishers have it.
 * Fields are set apart by comma, semicolon or tab: by the one that shows the name, or that gives
 * most of the first rows the position.
 */
final class CsvParser implements FeedParser {

  /** Rows that may be the header, for a foreign line may be before it. */
  private static final int MAX_HEADER_ROWS = 10;

  /** Rows that choose the delimiter. */
  private static final int MAX_VOTING_ROWS = 200;

  /** Digits of a position. */
  private static final int MAX_DIGITS = 3;

  private final String column;

  /** True when the column is a position. */
  private final boolean isNumber;

  /** The index of the column, from 0; -1 where no column is. */
  private final int position;

  CsvParser(String column) {
    this.column = column;
    this.isNumber = column.chars().allMatch(c -> c >= '0' && c <= '9');
    this.position = isNumber && column.length() <= MAX_DIGITS ? Integer.parseInt(column) - 1 : -1;
  }

  /**
   * The field of a row that is read.
   *
   * @param header line of the header, 0 when it is none of the rows
   */
  private record Place(char delimiter, int index, int header) {}

  /** A row of the beginning, before the delimiter is known. */
  private record Row(String text, int line) {}

  @Override
  public void parse(InputStream text, ParseRun run) throws IOException {
    byte[] head = text.readNBytes(FeedLimits.DETECTION_OCTETS);
    StringBuilder banner = new StringBuilder();
    List<Row> rows = rows(head, banner);
    Optional<Place> found = isNumber ? byNumber(rows) : byName(rows, banner.toString());
    if (found.isEmpty() && !rows.isEmpty()) {
      run.damage(
          "no column \""
              + Octets.escape(column)
              + "\" in the header: "
              + Octets.escape(rows.getFirst().text));
    }
    if (found.isPresent()) {
      InputStream whole = new SequenceInputStream(new ByteArrayInputStream(head), text);
      read(new CsvRecords(new FeedLines(whole)), run, found.get());
    }
  }

  private void read(CsvRecords records, ParseRun run, Place place) throws IOException {
    Optional<CsvRecord> next = records.next(place.delimiter);
    while (next.isPresent()) {
      CsvRecord record = next.get();
      boolean header =
          isNumber
              ? run.isFirst() && CsvFields.isHeader(record.fields())
              : record.line() == place.header;
      if (header) {
        run.skip();
      } else if (!record.isComment()) {
        row(run, record, place);
      }
      next = records.next(place.delimiter);
    }
    run.lines(records.lines());
  }

  /** The first rows; the last comment before them is the banner. */
  private static List<Row> rows(byte[] head, StringBuilder banner) throws IOException {
    List<Row> rows = new ArrayList<>();
    FeedLines lines = new FeedLines(new ByteArrayInputStream(head));
    while (rows.size() < MAX_VOTING_ROWS && lines.next()) {
      String line = lines.text();
      if (!line.startsWith("#") && !line.isBlank()) {
        rows.add(new Row(line, lines.number()));
      } else if (line.startsWith("#") && rows.isEmpty()) {
        banner.replace(0, banner.length(), line.substring(1));
      }
    }
    return rows;
  }

  /** The first row of words that has the name, the banner, or else the first row of all. */
  private Optional<Place> byName(List<Row> rows, String banner) {
    List<Row> first = rows.subList(0, Math.min(MAX_HEADER_ROWS, rows.size()));
    Optional<Place> named = first.stream().flatMap(row -> places(row, true)).findFirst();
    return named
        .or(() -> rows.isEmpty() ? named : places(new Row(banner, 0), false).findFirst())
        .or(() -> first.stream().limit(1).flatMap(row -> places(row, false)).findFirst());
  }

  private Stream<Place> places(Row row, boolean ofWords) {
    return CsvFields.DELIMITERS
        .chars()
        .mapToObj(delimiter ->
            new Place((char) delimiter, indexIn(row.text, (char) delimiter, ofWords), row.line))
        .filter(place -> place.index >= 0);
  }

  private Optional<Place> byNumber(List<Row> rows) {
    Place best = null;
    long most = 0;
    for (int i = 0; i < CsvFields.DELIMITERS.length() && position >= 0; i++) {
      char delimiter = CsvFields.DELIMITERS.charAt(i);
      long having = rows.stream().filter(row -> hasPosition(row.text, delimiter)).count();
      if (having > most) {
        best = new Place(delimiter, position, 0);
        most = having;
      }
    }
    return Optional.ofNullable(best);
  }

  private boolean hasPosition(String row, char delimiter) {
    return CsvFields.of(row, delimiter) instanceof CsvFields.Complete(List<String> values)
        && values.size() > Math.max(position, 1);
  }

  private int indexIn(String header, char delimiter, boolean ofWords) {
    if (CsvFields.of(header, delimiter) instanceof CsvFields.Complete(List<String> names)
        && (!ofWords || CsvFields.isHeader(names))) {
      List<String> folded = names.stream().map(n -> n.toLowerCase(Locale.ROOT)).toList();
      return folded.indexOf(column.toLowerCase(Locale.ROOT));
    }
    return -1;
  }

  private static void row(ParseRun run, CsvRecord record, Place place) {
    String problem = record.problem();
    run.at(record.line(), record.raw());
    if (problem != null) {
      run.problem(problem);
    } else if (record.fields().size() <= place.index) {
      run.problem("row without the column");
    } else {
      EntryText.read(run, Accepts.ANYTHING, record.fields().get(place.index));
    }
  }

  /**
   * Cuts a text into CSV records (RFC 4180): quoted fields may hold the delimiter, doubled quotes
   * and line ends. Made by {@link CsvParser} for one text.
   *
   * <p>A quote that is never closed spoils its own line and no other: the lines after it are read
   * again for themselves, so that one bad row cannot swallow a list.
   */
  static final class CsvRecords {

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

    /** Number of records until now whose quotes did not end. */
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
      String text = lines.text();
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
}
