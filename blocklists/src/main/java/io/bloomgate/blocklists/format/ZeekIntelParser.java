package io.bloomgate.blocklists.format;

import io.bloomgate.blocklists.format.EntryText.Accepts;
import io.bloomgate.blocklists.format.octets.Octets;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;

/**
 * The format {@code zeek-intel}: columns set apart by tabs and named by a {@code #fields} line, as
 * Zeek's intelligence framework reads them. Addresses, networks, domains and mailboxes are entries;
 * indicators of other types are left out.
 */
final class ZeekIntelParser implements FeedParser {

  private static final String FIELDS = "#fields\t";

  @Override
  public void parse(InputStream text, ParseRun run) throws IOException {
    Columns columns = new Columns(run);
    LineLoop.read(text, run, columns::line);
    if (columns.indicator < 0) {
      run.damage("no line \"#fields\" with the columns indicator and indicator_type");
    }
  }

  /** Reads one text; knows where its columns are. */
  private static final class Columns {
    private final ParseRun run;
    private int indicator = -1;
    private int type = -1;

    Columns(ParseRun run) {
      this.run = run;
    }

    void line(byte[] text, int from, int to, int number) {
      String line = Octets.decode(text, from, to);
      List<String> names =
          line.startsWith(FIELDS)
              ? List.of(line.substring(FIELDS.length()).split("\t", -1))
              : List.of();
      if (names.contains("indicator") && names.contains("indicator_type")) {
        indicator = names.indexOf("indicator");
        type = names.indexOf("indicator_type");
        run.skip();
      } else if (text[from] != '#') {
        row(line.split("\t", -1), line, number);
      }
    }

    private void row(String[] fields, String line, int number) {
      if (indicator < 0 || type < 0 || fields.length <= Math.max(indicator, type)) {
        run.problem(number, "row without the columns indicator and indicator_type", line);
        return;
      }
      byte[] value = Octets.encode(fields[indicator]);
      switch (fields[type]) {
        case "Intel::ADDR", "Intel::SUBNET" ->
            EntryText.read(run, Accepts.NETWORKS, value, 0, value.length, number);
        case "Intel::DOMAIN" -> EntryText.read(run, Accepts.NAMES, value, 0, value.length, number);
        case "Intel::EMAIL" ->
            EntryText.read(run, Accepts.ANYTHING, value, 0, value.length, number);
        default -> {
          if (fields[type].startsWith("Intel::")) {
            run.skip();
          } else {
            run.problem(number, "indicator without a type of Zeek", line);
          }
        }
      }
    }
  }
}
