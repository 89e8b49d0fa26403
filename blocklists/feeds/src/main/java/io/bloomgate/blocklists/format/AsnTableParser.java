package io.bloomgate.blocklists.format;

import io.bloomgate.config.name.AsNumber;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.name.IpPrefix;
import io.bloomgate.config.name.Parsed;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The format {@code asn-table}: whose networks are. A row is a network, or the first and last
 * address of a range; behind that come an AS number, a country, or both. Fields are set apart by
 * tab, comma, semicolon or blanks. Most of the first rows say which field is which, so that no row
 * decides alone: a name of two letters is no country. A binary file is read as {@link MmdbReader}
 * does. Used on the parsing thread.
 *
 * @param number field of the AS number behind the network; {@link #NO_FIELD} for none
 * @param country the same of the country
 */
record AsnTableParser(ParseRun run, char delimiter, int number, int country) {

  /** Rows that choose the delimiter and the fields. */
  private static final int MAX_VOTING_ROWS = 200;

  /** Fields behind the network that may hold the AS number or the country. */
  private static final int FIELDS = 4;

  /** Characters that set fields apart; a blank stands for any number of them. */
  private static final String DELIMITERS = "\t,; ";

  /** Words that tables have where there is no AS number or country. */
  private static final Set<String> NOBODY = Set.of("", "0", "AS0", "-", "--", "NONE", "NA", "ZZ");

  private static final Pattern COUNTRY = Pattern.compile("[A-Za-z]{2}");
  private static final Pattern BLANKS = Pattern.compile("[ \t]+");

  private static final int NO_FIELD = -1;

  static void parse(InputStream text, ParseRun run) throws IOException {
    byte[] head = text.readNBytes(FeedLimits.DETECTION_OCTETS);
    InputStream whole = new SequenceInputStream(new ByteArrayInputStream(head), text);
    if (Octets.indexOf(head, 0, head.length, '\0') >= 0) {
      MmdbReader.read(whole, run);
      return;
    }
    AsnTableParser parser = ofHead(head, run);
    if (parser.number == NO_FIELD && parser.country == NO_FIELD) {
      run.damage("behind its networks most rows have neither an AS number nor a country");
    } else {
      FeedLines.read(whole, run, parser::line);
    }
  }

  private static AsnTableParser ofHead(byte[] head, ParseRun run) throws IOException {
    List<String> rows = new ArrayList<>();
    FeedLines lines = new FeedLines(new ByteArrayInputStream(head));
    while (rows.size() < MAX_VOTING_ROWS && lines.next()) {
      String line = lines.text().strip();
      if (!line.isEmpty() && !line.startsWith("#")) {
        rows.add(line);
      }
    }
    AsnTableParser best = new AsnTableParser(run, ' ', NO_FIELD, NO_FIELD);
    int most = 0;
    for (int d = 0; d < DELIMITERS.length(); d++) {
      char delimiter = DELIMITERS.charAt(d);
      int having = 0;
      int[] said = new int[FIELDS];
      int[] numbers = new int[FIELDS];
      int[] countries = new int[FIELDS];
      for (String row : rows) {
        List<String> fields = fields(row, delimiter);
        int first = networkFields(fields);
        having += first > 0 ? 1 : 0;
        for (int i = 0; first > 0 && i < FIELDS && first + i < fields.size(); i++) {
          String field = fields.get(first + i);
          said[i] += isNobody(field) ? 0 : 1;
          numbers[i] += AsNumber.parse(field) instanceof Parsed.Ok ? 1 : 0;
          countries[i] += COUNTRY.matcher(field).matches() ? 1 : 0;
        }
      }
      if (having > most) {
        most = having;
        best = new AsnTableParser(run, delimiter, mostOf(numbers, said), mostOf(countries, said));
      }
    }
    return best;
  }

  /** The first field that more than half of the rows have so which say something there. */
  private static int mostOf(int[] votes, int[] said) {
    for (int i = 0; i < votes.length; i++) {
      if (2 * votes[i] > said[i]) {
        return i;
      }
    }
    return NO_FIELD;
  }

  private static List<String> fields(String line, char delimiter) {
    if (delimiter == ' ') {
      return List.of(BLANKS.split(line));
    }
    return CsvFields.of(line, delimiter) instanceof CsvFields.Complete(List<String> values)
        ? values
        : List.of();
  }

  /** The number of fields that say the network: one or two; 0 for a row that says none. */
  private static int networkFields(List<String> fields) {
    if (fields.size() < 2 || !(IpPrefix.parse(fields.getFirst()) instanceof Parsed.Ok)) {
      return 0;
    }
    return IpAddress.parse(fields.get(1)) instanceof Parsed.Ok ? 2 : 1;
  }

  private void line(ParseRun same, byte[] text, int from, int to) {
    if (Comments.isWhole(text, from, to)) {
      return;
    }
    List<String> fields = fields(Octets.decode(text, from, to), delimiter);
    int first = networkFields(fields);
    if (first == 0 && run.isFirst() && CsvFields.isHeader(fields)) {
      run.skip();
      return;
    }
    String as = field(fields, first, number);
    String code = field(fields, first, country).toUpperCase(Locale.ROOT);
    @Nullable AsNumber read = AsNumber.parse(as).toOptional().orElse(null);
    boolean noCountry = isNobody(code);
    if (first == 0) {
      run.problem("row that does not begin with a network or range");
    } else if (read == null && !isNobody(as)) {
      run.problem("no AS number where most rows have one");
    } else if (!noCountry && !COUNTRY.matcher(code).matches()) {
      run.problem("no country where most rows have one");
    } else if (read == null && noCountry) {
      run.skip();
    } else {
      networks(fields, first).ifPresent(found -> run.asnRow(found, read, noCountry ? "" : code));
    }
  }

  private static boolean isNobody(String field) {
    return NOBODY.contains(field.toUpperCase(Locale.ROOT));
  }

  private static String field(List<String> fields, int first, int behind) {
    return behind == NO_FIELD || first + behind >= fields.size() ? "" : fields.get(first + behind);
  }

  private Optional<List<IpPrefix>> networks(List<String> fields, int first) {
    IpPrefix network = IpPrefix.parse(fields.getFirst()).toOptional().orElseThrow();
    if (first == 1) {
      return Optional.of(List.of(network));
    }
    IpAddress last = IpAddress.parse(fields.get(1)).toOptional().orElseThrow();
    if (network.isHost()
        && network.isV4() == last.isV4()
        && network.network().compareTo(last) <= 0) {
      return Optional.of(IpRange.networks(network.network(), last));
    }
    run.problem("range that ends before it begins");
    return Optional.empty();
  }
}
