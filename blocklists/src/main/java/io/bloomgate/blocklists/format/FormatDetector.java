package io.bloomgate.blocklists.format;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.bloomgate.blocklists.format.octets.DamagedFeedException;
import io.bloomgate.blocklists.format.octets.FeedBytes;
import io.bloomgate.blocklists.format.octets.FeedLimits;
import io.bloomgate.config.json.Json;
import io.bloomgate.config.json.JsonSyntaxException;
import io.bloomgate.config.json.JsonValue.JsonObject;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Finds the format of a feed whose settings name none, from its first octets: each candidate reads
 * them, and the one with the fewest bad lines wins, the narrower format first. Used by the refresh
 * and by {@code feeds test}; pure but for reading its stream.
 */
public final class FormatDetector {

  /** Narrow before wide: an address list is also a name list with literals. */
  private static final List<String> LINE_FORMATS =
      List.of("ips", "domains", "hosts", "postfix-cidr", "lines");

  /**
   * Formats whose lines have a form of their own, and the shape of a line that shows them. They are
   * tried in this order: the first one that any line of the sample shows and that reads the sample
   * well.
   */
  private static final List<Marked> MARKED =
      List.of(
          new Marked("zeek-intel", "#fields\\t.*"),
          new Marked("rbldnsd", "\\$(?:SOA|NS|DATASET|TIMESTAMP|MAXRANGE4)[ \\t].*"),
          new Marked("adblock", "\\[Adblock.*|(?:@@)?+\\|\\|.*"),
          new Marked(
              "rpz",
              "\\$(?:ORIGIN|TTL)[ \\t].*|\\S++\\s.*\\sSOA\\s.*|.*\\sCNAME\\s++\\S++\\s*+(?:;.*)?+"),
          new Marked("dnsmasq", "(?:address|local|server)=/.*"),
          new Marked("unbound", "local-zone:.*"),
          new Marked("ipset-save", "(?:create|add) \\S++ .*"),
          new Marked("sha256", "(?:.{0,200}?[\",;\\t ])??[0-9a-fA-F]{64}(?:[\",;\\t ].*)?+"),
          new Marked("urls", "[A-Za-z][A-Za-z0-9+.-]*+://.*"),
          new Marked("wildcard", "\\*\\..*"),
          new Marked(
              "range-csv",
              "[0-9a-fA-F.:]++[,;\\t](?=[0-9a-fA-F]*+[.:])[0-9a-fA-F.:]++(?:[,;\\t].*)?+"),
          new Marked(
              "postfix-access",
              "(?![0-9a-fA-F.:/]++\\s)\\S++\\s++(?:REJECT|OK|DUNNO|DISCARD|DEFER|PERMIT|[45][0-9][0-9]\\s).*"));

  private record Marked(String format, Pattern line) {
    Marked(String format, String line) {
      this(format, Pattern.compile(line));
    }
  }

  /** A member of an object whose value is an array, at the beginning of a JSON text. */
  private static final Pattern ARRAY_MEMBER =
      Pattern.compile("\"((?:[^\"\\\\]|\\\\.){1,100}+)\"\\s*+:\\s*+\\[");

  private static final Pattern MISP_LIST = Pattern.compile("\"list\"\\s*+:\\s*+\\[");

  /** What only a warning list has besides its list; the type may come after the sample. */
  private static final Pattern MISP_OTHER =
      Pattern.compile(
          "\"description\"\\s*+:\\s*+\"|\"matching_attributes\"\\s*+:\\s*+\\["
              + "|\"type\"\\s*+:\\s*+\"(?:cidr|hostname|string|substring|regex)\"");

  /** Columns and members that are tried, and characters of their names. */
  private static final int MOST_COLUMNS = 100;

  private static final int LONGEST_NAME = 100;

  /** Lines of the sample that may show a format. */
  private static final int MARKED_LINES = 200;

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

  /** Without the line that the end of the sample cut. */
  private static byte[] wholeLines(byte[] sample) {
    int end = sample.length;
    while (end > 0 && sample[end - 1] != '\n' && sample[end - 1] != '\r') {
      end--;
    }
    return end == 0 ? sample : java.util.Arrays.copyOf(sample, end);
  }

  private static FeedFormat ofSample(byte[] sample) {
    String text = new String(sample, ISO_8859_1).replaceFirst("^\u00ef\u00bb\u00bf", "").strip();
    if (text.startsWith("[") && !text.startsWith("[Adblock")) {
      return format("json");
    }
    if (text.startsWith("{")) {
      return json(sample, text);
    }
    Optional<FeedFormat> marked = marked(sample, text);
    if (marked.isPresent()) {
      return marked.get();
    }
    FeedFormat best = format("lines");
    ParseTotals fewest = read(best, sample);
    for (String name : LINE_FORMATS) {
      FeedFormat candidate = format(name);
      ParseTotals totals = read(candidate, sample);
      if (better(totals, fewest) || (name.equals("ips") && equal(totals, fewest))) {
        best = candidate;
        fewest = totals;
      } else if (equal(totals, fewest) && best.name().equals("lines")) {
        best = candidate;
      }
    }
    return fewest.invalid() == 0 ? best : csv(sample, text, fewest).orElse(best);
  }

  private static boolean better(ParseTotals a, ParseTotals b) {
    return a.damage().isEmpty() && a.entries() > 0 && a.invalid() < b.invalid();
  }

  private static boolean equal(ParseTotals a, ParseTotals b) {
    return a.entries() > 0 && a.invalid() == b.invalid() && a.entries() >= b.entries();
  }

  /** The format that a line of the sample shows, if it reads more of the sample than it refuses. */
  private static Optional<FeedFormat> marked(byte[] sample, String text) {
    List<String> lines = text.lines().limit(MARKED_LINES).toList();
    for (Marked candidate : MARKED) {
      if (lines.stream().anyMatch(line -> candidate.line.matcher(line.strip()).matches())) {
        FeedFormat format = format(candidate.format);
        ParseTotals totals = read(format, sample);
        if (totals.damage().isEmpty()
            && totals.entries() > 0
            && totals.invalid() <= totals.entries()
            && totals.invalid() <= read(format("lines"), sample).invalid()) {
          return Optional.of(format);
        }
      }
    }
    return Optional.empty();
  }

  private static FeedFormat json(byte[] sample, String text) {
    ParseTotals spamhaus = read(format("spamhaus-json"), sample);
    if (spamhaus.entries() > spamhaus.invalid()) {
      return format("spamhaus-json");
    }
    if (text.lines().limit(2).filter(line -> line.startsWith("{") && line.endsWith("}")).count()
        == Math.min(2, text.lines().limit(2).count())) {
      Optional<FeedFormat> field = ndjson(sample, text);
      if (field.isPresent()) {
        return field.get();
      }
    }
    if (MISP_LIST.matcher(text).find() && MISP_OTHER.matcher(text).find()) {
      return format("misp");
    }
    Matcher member = ARRAY_MEMBER.matcher(text);
    return member.find() ? format("json:" + member.group(1)) : format("json");
  }

  /** The member with the most entries in objects of one line each. */
  private static Optional<FeedFormat> ndjson(byte[] sample, String text) {
    Optional<FeedFormat> best = Optional.empty();
    long most = 0;
    for (String field : members(text.lines().findFirst().orElse(""))) {
      FeedFormat candidate = format("ndjson:" + field);
      ParseTotals totals = read(candidate, sample);
      if (totals.entries() > most) {
        best = Optional.of(candidate);
        most = totals.entries();
      }
    }
    return best;
  }

  private static List<String> members(String line) {
    try {
      return Json.parse(line) instanceof JsonObject object
          ? object.members().keySet().stream()
              .filter(name -> !name.isEmpty() && name.length() <= LONGEST_NAME)
              .limit(MOST_COLUMNS)
              .toList()
          : List.of();
    } catch (JsonSyntaxException e) {
      return List.of();
    }
  }

  /** The column with the most entries, if it has more of them than reading by lines gave. */
  private static Optional<FeedFormat> csv(byte[] sample, String text, ParseTotals lines) {
    Optional<FeedFormat> best = Optional.empty();
    long most = lines.entries();
    for (String column : columns(text)) {
      FeedFormat candidate = format("csv:" + column);
      ParseTotals totals = read(candidate, sample);
      if (totals.damage().isEmpty()
          && totals.entries() > most
          && totals.entries() > 4 * totals.invalid()) {
        best = Optional.of(candidate);
        most = totals.entries();
      }
    }
    return best;
  }

  /** Names of the header, whichever line and delimiter it has, or numbers where there is none. */
  private static Set<String> columns(String text) {
    Set<String> columns = new LinkedHashSet<>();
    String banner = "";
    for (String line : text.split("\\R", 200)) {
      if (line.startsWith("#")) {
        banner = line.substring(1);
        continue;
      }
      if (line.isBlank()) {
        continue;
      }
      for (char delimiter : new char[] {',', ';', '\t'}) {
        addFields(columns, banner, delimiter);
        addFields(columns, line, delimiter);
      }
      int numbered = columns.size();
      for (int i = 1; i <= Math.min(numbered, MOST_COLUMNS); i++) {
        columns.add(Integer.toString(i));
      }
      break;
    }
    return columns;
  }

  private static void addFields(Set<String> columns, String line, char delimiter) {
    if (CsvFields.of(line, delimiter) instanceof CsvFields.Complete(List<String> names)
        && names.size() > 1) {
      names.stream()
          .filter(n -> !n.isEmpty() && n.length() <= LONGEST_NAME)
          .limit(MOST_COLUMNS - columns.size())
          .forEach(columns::add);
    }
  }

  private static ParseTotals read(FeedFormat format, byte[] sample) {
    try {
      return format.parse(new ByteArrayInputStream(sample), null, FeedSink.NONE);
    } catch (IOException e) {
      throw new UncheckedIOException("reading from memory", e);
    }
  }

  private static FeedFormat format(String name) {
    return switch (FeedFormat.named(name)) {
      case FeedFormat.Lookup.Known(FeedFormat format) -> format;
      case FeedFormat.Lookup.Unknown unknown -> throw new IllegalStateException(unknown.hint());
    };
  }
}
