package io.bloomgate.blocklists.format;

import io.bloomgate.blocklists.format.EntryText.Accepts;
import io.bloomgate.blocklists.format.octets.Octets;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;

/**
 * The format {@code zeek-intel}: columns set apart by tabs and named by a {@code #fields} line, as
 * Zeek's intelligence framework reads them. Addresses, networks, domains and mailboxes are entries;
 * indicators of other types are left out.
 */
final class ZeekIntelParser implements FeedParser {

  private static final String FIELDS = "#fields\t";
  private static final String INDICATOR = "indicator";
  private static final String TYPE = "indicator_type";

  @Override
  public void parse(InputStream text, ParseRun run) throws IOException {
    List<String> columns = new ArrayList<>();
    FeedLines.read(
        text,
        run,
        (_, octets, from, to, number) -> {
          String line = Octets.decode(octets, from, to);
          boolean names = line.startsWith(FIELDS);
          List<String> fields =
              List.of(line.substring(names ? FIELDS.length() : 0).split("\t", -1));
          if (names && fields.containsAll(List.of(INDICATOR, TYPE))) {
            columns.clear();
            columns.addAll(fields);
            run.skip();
          } else if (!line.startsWith("#")) {
            row(run, columns, fields, line, number);
          }
        });
    if (columns.isEmpty()) {
      run.damage("no line \"#fields\" with the columns indicator and indicator_type");
    }
  }

  private static void row(
      ParseRun run, List<String> columns, List<String> fields, String line, int number) {
    int indicator = columns.indexOf(INDICATOR);
    int type = columns.indexOf(TYPE);
    if (indicator < 0 || fields.size() <= Math.max(indicator, type)) {
      run.problem(number, "row without the columns indicator and indicator_type", line);
      return;
    }
    String value = fields.get(indicator);
    switch (fields.get(type)) {
      case "Intel::ADDR", "Intel::SUBNET" -> EntryText.read(run, Accepts.NETWORKS, value, number);
      case "Intel::DOMAIN" -> EntryText.read(run, Accepts.NAMES, value, number);
      case "Intel::EMAIL" -> EntryText.read(run, Accepts.ANYTHING, value, number);
      case String other when other.startsWith("Intel::") -> run.skip();
      default -> run.problem(number, "indicator without a type of Zeek", line);
    }
  }
}
