package io.bloomgate.blocklists.format;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.bloomgate.config.json.Json;
import io.bloomgate.config.json.JsonSyntaxException;
import io.bloomgate.config.json.JsonValue;
import io.bloomgate.config.json.JsonValue.JsonObject;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Finds the format of a feed whose settings name none, from its first octets: most lines say which
 * formats are tried, and the one with the fewest bad lines wins, the narrower format first. So a
 * single line never decides how the others are read. Used by the refresh and by {@code feeds test};
 * pure but for reading its stream.
 */
public final class FormatDetector {

  /** Narrow before wide: an address list is also a name list with literals. */
  private static final List<String> LINE_FORMATS = List.of("ips", "domains", "hosts", "lines");

  /** A row of {@code access(5)} or {@code cidr_table(5)}; actions have either case there. */
  private static final String ACTION =
      "(?i)\\S++\\s++(?:REJECT|OK|DUNNO|DISCARD|DEFER|PERMIT|[45][0-9][0-9]\\s).*";

  /** Form that no line has. */
  private static final String NONE = "(?!)";

  /**
   * Formats whose lines have a form of their own. One is tried when most lines of the sample have
   * that form, or the first ones are its header; in this order.
   */
  private static final List<Marked> MARKED =
      List.of(
          new Marked("hosts", "(?:0\\.0\\.0\\.0|127\\.[0-9.]++|::1?+)\\s++[^\\s:].*", NONE),
          new Marked("adblock", "(?:@@)?+\\|\\|.*|[^\\s#]*+#[@?$%]?+#.*", "\\[Adblock.*"),
          new Marked(
              "rpz",
              ".*\\sCNAME\\s++\\S++\\s*+(?:;.*)?+",
              "\\$(?:ORIGIN|TTL)[ \\t].*|\\S++\\s.*\\sSOA\\s.*"),
          new Marked("dnsmasq", "(?:address|local|server)=/.*", NONE),
          new Marked("unbound", "local-(?:zone|data):.*", "server:.*"),
          new Marked("ipset-save", "(?:create|add) \\S++ .*", NONE),
          new Marked("sha256", "(?:.{0,200}?[\",;\\t ])??[0-9a-fA-F]{64}(?:[\",;\\t ].*)?+", NONE),
          new Marked("urls", "(?:[A-Za-z][A-Za-z0-9+.-]*+:)?+//\\S.*", NONE),
          new Marked("wildcard", "\\*\\..*", NONE),
          new Marked(
              "asn-table",
              "[0-9a-fA-F.:/]++[,;\\t ](?:(?=[0-9a-fA-F]*+[.:])[0-9a-fA-F.:]++[,;\\t ])?+"
                  + "(?:AS)?+[0-9]++[,;\\t ](?:[A-Z]{2}|None)(?:[,;\\t ].*)?+",
              NONE),
          new Marked("asn-list", "AS[0-9]++(?:[ \\t].*)?+", NONE),
          new Marked(
              "range-csv",
              "[0-9a-fA-F.:]++[,;\\t](?=[0-9a-fA-F]*+[.:])[0-9a-fA-F.:]++(?:[,;\\t].*)?+",
              NONE),
          new Marked("postfix-cidr", ACTION, NONE),
          new Marked("postfix-access", ACTION, NONE),
          new Marked("zeek-intel", ".*\\tIntel::.*", "#fields\\t.*"),
          new Marked(
              "rbldnsd",
              "\\S++\\s++:[^:]*+:.*",
              "\\$(?:SOA|NS|DATASET|TIMESTAMP|MAXRANGE4)[ \\t].*|:[0-9.]++:.*"));

  /**
   * A format and how it shows.
   *
   * @param line form of its entries
   * @param header form of a line before them
   */
  private record Marked(String format, Pattern line, Pattern header) {
    Marked(String format, String line, String header) {
      this(format, Pattern.compile(line), Pattern.compile(header));
    }

    boolean isMostOf(List<String> lines) {
      return 2 * lines.stream().filter(text -> line.matcher(text).matches()).count() > lines.size();
    }
  }

  /** A format and what it reads of the sample. */
  private record Tried(FeedFormat format, ParseTotals totals) {
    static Tried on(byte[] sample, String name) {
      FeedFormat format = FormatDetector.format(name);
      return new Tried(format, read(format, sample));
    }

    /** True when it reads more than it refuses. */
    boolean isFit() {
      return totals.damage().isEmpty()
          && totals.entries() > 0
          && totals.invalid() <= totals.entries();
    }
  }

  /** An address in brackets, and a header in them, are no array. */
  private static final Pattern ARRAY = Pattern.compile("\\[\\s*+[\"\\[\\]{]");

  /** A member of an object whose value is an array, at the beginning of a JSON text. */
  private static final Pattern ARRAY_MEMBER =
      Pattern.compile("\"((?:[^\"\\\\]|\\\\.){1,100}+)\"\\s*+:\\s*+\\[");

  private static final Pattern MISP_LIST = Pattern.compile("\"list\"\\s*+:\\s*+\\[");

  /**
   * The members that only a warning list has besides its list; the type may come after the sample.
   */
  private static final Pattern MISP_OTHER =
      Pattern.compile(
          "\"description\"\\s*+:\\s*+\"|\"matching_attributes\"\\s*+:\\s*+\\["
              + "|\"type\"\\s*+:\\s*+\"(?:cidr|hostname|string|substring|regex)\"");

  /** Columns and members that are tried, and characters of their names. */
  private static final int MOST_COLUMNS = 100;

  private static final int LONGEST_NAME = 100;

  /** Lines of the sample that show a format. */
  private static final int MAX_MARKED_LINES = 1_000;

  /** Lines before the entries that may be a header, a foreign one among them. */
  private static final int MAX_HEADER_LINES = 3;

  /** Rows whose fields may name columns or members. */
  private static final int MAX_NAMING_ROWS = 10;

  private static final Pattern COMMENT = Pattern.compile("[#;!].*|//(?:[ \t].*)?+");

  private FormatDetector() {}

  /**
   * The format of these octets, compressed or not. Never fails: what fits nothing is {@code lines},
   * and the guard will say what is wrong with it.
   *
   * @throws IOException only when {@code raw} throws it
   */
  public static FeedFormat detect(InputStream raw) throws IOException {
    byte[] sample;
    try (InputStream text = FeedBytes.open(raw)) {
      sample = text.readNBytes(FeedLimits.DETECTION_OCTETS);
    } catch (DamagedFeedException e) {
      return format("lines");
    }
    return ofSample(sample.length < FeedLimits.DETECTION_OCTETS ? sample : wholeLines(sample));
  }

  /** The sample without the line that its end cut. */
  private static byte[] wholeLines(byte[] sample) {
    int end = sample.length;
    while (end > 0 && sample[end - 1] != '\n' && sample[end - 1] != '\r') {
      end--;
    }
    return end == 0 ? sample : java.util.Arrays.copyOf(sample, end);
  }

  private static FeedFormat ofSample(byte[] sample) {
    String text = new String(sample, ISO_8859_1).strip();
    List<String> all = text.lines().map(String::strip).limit(MAX_MARKED_LINES).toList();
    List<String> lines =
        all.stream().filter(line -> !line.isEmpty() && !COMMENT.matcher(line).matches()).toList();
    List<JsonObject> objects =
        lines.stream()
            .filter(line -> line.startsWith("{") && line.endsWith("}"))
            .flatMap(line -> json(line).stream())
            .flatMap(value -> value instanceof JsonObject object ? Stream.of(object) : Stream.of())
            .toList();
    boolean byLines = lines.size() > 1 && json(lines.getFirst()).isPresent();
    if (2 * objects.size() > lines.size()) {
      return ofObjects(sample, text, objects);
    }
    if (ARRAY.matcher(text).lookingAt() && !byLines) {
      return format("json");
    }
    if (text.startsWith("{") && !byLines) {
      return ofObject(text);
    }
    return marked(sample, lines, all).orElseGet(() -> unmarked(sample, lines));
  }

  /** An address list, a name list or a table: what leaves the fewest bad lines. */
  private static FeedFormat unmarked(byte[] sample, List<String> lines) {
    FeedFormat best = format("lines");
    ParseTotals fewest = read(best, sample);
    for (String name : LINE_FORMATS) {
      FeedFormat candidate = format(name);
      ParseTotals totals = read(candidate, sample);
      boolean first = best.name().equals("lines") || name.equals("ips");
      if (better(totals, fewest) || (first && equal(totals, fewest))) {
        best = candidate;
        fewest = totals;
      }
    }
    if (best.name().equals("domains")) {
      ParseTotals addresses = read(format("ips"), sample);
      // A few names among addresses: their ranges and ports are not those of a name list.
      best = addresses.entries() > addresses.invalid() ? format("lines") : best;
    }
    if (fewest.invalid() == 0) {
      return best;
    }
    FeedFormat found = best;
    return csv(sample, lines, fewest).or(() -> tableOfUrls(sample)).orElse(found);
  }

  private static Optional<FeedFormat> tableOfUrls(byte[] sample) {
    ParseTotals totals = read(format("urls"), sample);
    return totals.entries() > 4 * totals.invalid() ? Optional.of(format("urls")) : Optional.empty();
  }

  private static boolean better(ParseTotals a, ParseTotals b) {
    return a.damage().isEmpty() && a.entries() > 0 && a.invalid() < b.invalid();
  }

  private static boolean equal(ParseTotals a, ParseTotals b) {
    return a.entries() > 0 && a.invalid() == b.invalid() && a.entries() >= b.entries();
  }

  /** A format that most lines or a header show, if it reads more of the sample than it refuses. */
  private static Optional<FeedFormat> marked(byte[] sample, List<String> lines, List<String> all) {
    Stream<Marked> most = MARKED.stream().filter(candidate -> candidate.isMostOf(lines));
    long byLines = read(format("lines"), sample).invalid();
    return fewestBad(most, sample, Long.MAX_VALUE)
        .or(() ->
            fewestBad(
                MARKED.stream().filter(candidate -> isHeaded(candidate, all)), sample, byLines));
  }

  private static Optional<FeedFormat> fewestBad(
      Stream<Marked> candidates, byte[] sample, long maxInvalid) {
    return candidates
        .map(candidate -> Tried.on(sample, candidate.format))
        .filter(Tried::isFit)
        .filter(tried -> tried.totals.invalid() <= maxInvalid)
        .min(Comparator.comparingLong(tried -> tried.totals.invalid()))
        .map(Tried::format);
  }

  private static boolean isHeaded(Marked candidate, List<String> all) {
    int seen = 0;
    for (String line : all) {
      if (candidate.header.matcher(line).matches()) {
        return true;
      }
      boolean entry = !line.isEmpty() && !COMMENT.matcher(line).matches();
      seen += entry ? 1 : 0;
      if (seen == MAX_HEADER_LINES) {
        return false;
      }
    }
    return false;
  }

  /** The value of a line; empty when it is no JSON. */
  private static Optional<JsonValue> json(String line) {
    try {
      return Optional.of(Json.parse(line));
    } catch (JsonSyntaxException e) {
      return Optional.empty();
    }
  }

  /** An object a line. */
  private static FeedFormat ofObjects(byte[] sample, String text, List<JsonObject> objects) {
    ParseTotals spamhaus = read(format("spamhaus-json"), sample);
    if (spamhaus.entries() > spamhaus.invalid()) {
      return format("spamhaus-json");
    }
    // Spamhaus's ASN-DROP; other objects have an AS number beside what they list.
    Predicate<JsonObject> ofNumbers = o -> o.get("asn").isPresent() && o.get("rir").isPresent();
    if (2 * objects.stream().filter(ofNumbers).count() > objects.size()) {
      return format("asn-list");
    }
    return ndjson(sample, objects).orElseGet(() -> ofObject(text));
  }

  /** One object over the whole text. */
  private static FeedFormat ofObject(String text) {
    if (MISP_LIST.matcher(text).find() && MISP_OTHER.matcher(text).find()) {
      return format("misp");
    }
    Matcher member = ARRAY_MEMBER.matcher(text);
    return member.find() ? format("json:" + member.group(1)) : format("json");
  }

  /** The member that gives the most entries. */
  private static Optional<FeedFormat> ndjson(byte[] sample, List<JsonObject> objects) {
    Stream<String> members =
        objects.stream()
            .limit(MAX_NAMING_ROWS)
            .flatMap(object -> object.members().keySet().stream().limit(MOST_COLUMNS))
            .filter(name -> !name.isEmpty() && name.length() <= LONGEST_NAME)
            .distinct()
            .limit(MOST_COLUMNS);
    return mostEntries(members.map("ndjson:"::concat), sample, 0, totals -> true);
  }

  /** The format with the most entries, of those that are fit and give more than this number. */
  private static Optional<FeedFormat> mostEntries(
      Stream<String> names, byte[] sample, long above, Predicate<ParseTotals> fit) {
    return names
        .map(name -> Tried.on(sample, name))
        .filter(tried -> tried.totals.entries() > above && fit.test(tried.totals))
        .max(Comparator.comparingLong(tried -> tried.totals.entries()))
        .map(Tried::format);
  }

  /** The column with the most entries, if it has more of them than reading by lines gave. */
  private static Optional<FeedFormat> csv(byte[] sample, List<String> rows, ParseTotals lines) {
    long several = rows.stream().filter(row -> CsvFields.ofLine(row).size() > 1).count();
    if (2 * several <= rows.size()) {
      return Optional.empty();
    }
    Stream<String> columns = columns(new String(sample, ISO_8859_1), rows).stream();
    return mostEntries(
        columns.map("csv:"::concat),
        sample,
        lines.entries(),
        totals -> totals.damage().isEmpty() && totals.entries() > 4 * totals.invalid());
  }

  /** Names of the header, whichever line and delimiter it has, and numbers where there is none. */
  private static List<String> columns(String text, List<String> rows) {
    Stream<String> banner = text.lines().takeWhile(line -> line.startsWith("#") || line.isBlank());
    List<List<String>> cut =
        Stream.concat(
                banner.filter(line -> line.startsWith("#")).map(line -> line.substring(1)),
                rows.stream().limit(MAX_NAMING_ROWS))
            .map(CsvFields::ofLine)
            .toList();
    Stream<String> names =
        cut.stream()
            .filter(CsvFields::isHeader)
            .flatMap(List::stream)
            .filter(name -> !name.isEmpty() && name.length() <= LONGEST_NAME);
    int width = cut.stream().mapToInt(List::size).max().orElse(0);
    return Stream.concat(
            names.distinct().limit(MOST_COLUMNS),
            IntStream.rangeClosed(1, width > 1 ? Math.min(width, MOST_COLUMNS) : 0)
                .mapToObj(Integer::toString))
        .toList();
  }

  private static ParseTotals read(FeedFormat format, byte[] sample) {
    try {
      return format.parse(new ByteArrayInputStream(sample), null, FeedSink.NONE);
    } catch (IOException e) {
      throw new UncheckedIOException("reading from memory", e);
    }
  }

  private static FeedFormat format(String name) {
    return FeedFormat.named(name).toOptional().orElseThrow();
  }
}
