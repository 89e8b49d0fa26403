package io.bloomgate.blocklists.format;

import io.bloomgate.blocklists.format.EntryText.Accepts;
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
        (_, octets, from, to) -> {
          String line = Octets.decode(octets, from, to);
          boolean names = line.startsWith(FIELDS);
          List<String> fields =
              List.of(line.substring(names ? FIELDS.length() : 0).split("\t", -1));
          if (names && fields.containsAll(List.of(INDICATOR, TYPE))) {
            columns.clear();
            columns.addAll(fields);
            run.skip();
          } else if (!line.startsWith("#")) {
            row(run, columns, fields);
          }
        });
    if (columns.isEmpty()) {
      run.damage("no line \"#fields\" with the columns indicator and indicator_type");
    }
  }

  private static void row(ParseRun run, List<String> columns, List<String> fields) {
    int indicator = columns.indexOf(INDICATOR);
    int type = columns.indexOf(TYPE);
    if (indicator < 0 || fields.size() <= Math.max(indicator, type)) {
      run.problem("row without the columns indicator and indicator_type");
      return;
    }
    String value = fields.get(indicator);
    switch (fields.get(type)) {
      case "Intel::ADDR", "Intel::SUBNET" -> EntryText.read(run, Accepts.NETWORKS, value);
      case "Intel::DOMAIN" -> EntryText.read(run, Accepts.NAMES, value);
      case "Intel::EMAIL" -> EntryText.read(run, Accepts.ANYTHING, value);
      case String other when other.startsWith("Intel::") -> run.skip();
      default -> run.problem("indicator without a type of Zeek");
    }
  }
}
