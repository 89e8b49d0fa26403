package io.bloomgate.blocklists.format;

import io.bloomgate.blocklists.format.octets.Octets;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.name.Parsed;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;

/**
 * The format {@code range-csv}: the first two columns are the first and last address of a range.
 * Fields are set apart by comma, semicolon or tab; the first row may name the columns.
 */
final class RangeCsvParser implements FeedParser {

  @Override
  public void parse(InputStream text, ParseRun run) throws IOException {
    LineLoop.read(text, run, (octets, from, to, number) -> line(run, octets, from, to, number));
  }

  private static void line(ParseRun run, byte[] text, int from, int to, int number) {
    if (Comments.isWhole(text, from, to)) {
      return;
    }
    String line = Octets.decode(text, from, to);
    List<String> fields = CsvFields.ofLine(line);
    if (fields.size() > 1) {
      range(run, fields, line, number);
    } else {
      run.problem(number, "row without two columns", line);
    }
  }

  private static void range(ParseRun run, List<String> fields, String line, int number) {
    if (!(IpAddress.parse(fields.get(0)) instanceof Parsed.Ok<IpAddress>(var first, var a))
        || !(IpAddress.parse(fields.get(1)) instanceof Parsed.Ok<IpAddress>(var last, var b))) {
      if (run.isFirst() && CsvFields.isHeader(fields)) {
        run.skip();
      } else {
        run.problem(number, "row that does not begin with two addresses", line);
      }
    } else if (first.isV4() != last.isV4()) {
      run.problem(number, "range between two families", line);
    } else if (first.compareTo(last) > 0) {
      run.problem(number, "range that ends before it begins", line);
    } else {
      run.range(first, last, number);
    }
  }
}
