package io.bloomgate.blocklists.format;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.bloomgate.blocklists.format.CsvRecords.CsvRecord;
import io.bloomgate.blocklists.format.EntryText.Accepts;
import io.bloomgate.blocklists.format.octets.Octets;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The format {@code csv:COLUMN}: one column of a table. COLUMN is the name in the header, letter
 * case apart, or a number from 1 for tables without one. The header is the first row, or the last
 * line of a banner of {@code #} lines, as some publishers have it. Fields are set apart by comma,
 * semicolon or tab, whichever shows the column.
 */
final class CsvParser implements FeedParser {

  private static final String DELIMITERS = ",;\t";

  private final String column;

  CsvParser(String column) {
    this.column = column;
  }

  /** Which field of a row to read. */
  private record Place(char delimiter, int index, boolean rowIsHeader) {}

  @Override
  public void parse(InputStream text, ParseRun run) throws IOException {
    CsvRecords records = new CsvRecords(new FeedLines(text));
    @Nullable Place place = null;
    String banner = "";
    Optional<CsvRecord> next = records.next(',');
    while (next.isPresent()) {
      CsvRecord record = next.get();
      if (record.isComment()) {
        banner = record.raw().substring(1);
      } else if (place == null) {
        place = place(record, banner);
        if (place == null) {
          run.damage("no column \"" + Octets.escape(column) + "\" in the header: " + shown(record));
          break;
        }
        if (place.rowIsHeader) {
          run.skip();
        } else {
          // The first row was cut at commas before the delimiter was known.
          row(run, recut(record, place.delimiter), place);
        }
      } else {
        row(run, record, place);
      }
      next = records.next(place == null ? ',' : place.delimiter);
    }
    run.lines(records.lines());
  }

  private static String shown(CsvRecord record) {
    return Octets.escape(record.raw());
  }

  private static CsvRecord recut(CsvRecord record, char delimiter) {
    return delimiter != ','
            && CsvFields.of(record.raw(), delimiter) instanceof CsvFields.Complete cut
        ? new CsvRecord(record.line(), record.raw(), cut.values(), null)
        : record;
  }

  private @Nullable Place place(CsvRecord first, String banner) {
    String header = first.raw();
    for (int i = 0; i < DELIMITERS.length(); i++) {
      char delimiter = DELIMITERS.charAt(i);
      int index = indexIn(header, delimiter);
      if (index >= 0) {
        return new Place(delimiter, index, true);
      }
      index = indexIn(banner, delimiter);
      if (index >= 0) {
        return new Place(delimiter, index, false);
      }
    }
    return byNumber(header);
  }

  private @Nullable Place byNumber(String row) {
    if (column.length() > 3 || !column.chars().allMatch(c -> c >= '0' && c <= '9')) {
      return null;
    }
    int index = Integer.parseInt(column) - 1;
    for (int i = 0; i < DELIMITERS.length() && index >= 0; i++) {
      if (CsvFields.of(row, DELIMITERS.charAt(i)) instanceof CsvFields.Complete(var values)
          && values.size() > Math.max(index, 1)) {
        return new Place(DELIMITERS.charAt(i), index, false);
      }
    }
    return null;
  }

  private int indexIn(String header, char delimiter) {
    if (CsvFields.of(header, delimiter) instanceof CsvFields.Complete(List<String> names)) {
      List<String> folded = names.stream().map(n -> n.toLowerCase(Locale.ROOT)).toList();
      return folded.indexOf(column.toLowerCase(Locale.ROOT));
    }
    return -1;
  }

  private static void row(ParseRun run, CsvRecord record, Place place) {
    String problem = record.problem();
    if (problem != null) {
      run.problem(record.line(), problem, record.raw());
    } else if (record.fields().size() <= place.index) {
      run.problem(record.line(), "row without the column", record.raw());
    } else {
      byte[] value = record.fields().get(place.index).getBytes(UTF_8);
      EntryText.read(run, Accepts.ANYTHING, value, 0, value.length, record.line());
    }
  }
}
