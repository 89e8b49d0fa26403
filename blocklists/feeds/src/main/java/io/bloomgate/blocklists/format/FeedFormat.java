package io.bloomgate.blocklists.format;

import io.bloomgate.blocklists.format.FeedSink.TooManyEntriesException;
import io.bloomgate.config.json.JsonRecords.Named;
import io.bloomgate.config.name.Check;
import io.bloomgate.config.name.Parsed;
import io.bloomgate.config.settings.Settings.Feeds.Match;
import java.io.IOException;
import java.io.InputStream;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A format that feeds come in: its name, and the way from octets to entries. Looked up by name from
 * settings and commands, or found by {@link FormatDetector}. Immutable, any thread.
 */
public final class FeedFormat {

  /**
   * A line of {@code feeds formats}.
   *
   * @param name as it is written in settings, COLUMN, KEY and FIELD to be filled in
   * @param match how far a bare name reaches unless the settings say otherwise
   */
  public record Kind(@Named("format") String name, String match, String description) {}

  private static final String RBLDNSD = "rbldnsd:";

  /** Name, how far a bare name reaches, description. */
  private static final List<Kind> KINDS =
      """
      lines          | exact               | addresses, networks, ranges, names, mailboxes mixed
      ips            |                     | an address, network or range a line
      domains        | exact               | a name a line; .x and *.x reach below
      hosts          | exact               | hosts file: names behind 0.0.0.0, 127.0.0.1, :: or ::1
      spamhaus-json  |                     | an object with "cidr" a line
      json           | exact               | array of strings
      postfix-cidr   |                     | cidr_table(5): REJECT lists, OK and DUNNO except
      adblock        | suffix              | ||x^ rules; @@||x^ excepts
      dnsmasq        | suffix              | address=, local= and server= lines
      unbound        | suffix              | local-zone lines
      wildcard       | suffix              | *.x, .x or x a line, each with all below
      urls           | exact               | a URL a line, or a table with a column of them: URLs and their hosts
      sha256         |                     | a SHA-256 value a line, or a table with a column of them
      entries        | exact               | an entry a line as Bloomgate writes it, of any kind; a comment behind #
      rpz            | as written          | response policy zone
      rbldnsd        | as written          | zone of rbldnsd(8), the form of an entry shows its type
      range-csv      |                     | first and last address in the first columns
      postfix-access | as Postfix reads it | access(5): REJECT lists, OK and DUNNO except
      ipset-save     |                     | what ipset save prints
      misp           | as written          | MISP warning list
      zeek-intel     | exact               | Zeek intelligence file
      asn-list       |                     | an AS number a line, or an object with "asn"
      asn-table      |                     | networks or ranges with AS number and country, or an MMDB
      json:KEY       | exact               | object whose member KEY is an array of strings
      csv:COLUMN     | exact               | table; COLUMN by name, or by number from 1
      ndjson:FIELD   | exact               | an object a line, its member FIELD
      rbldnsd:TYPE   | as written          | the same with all entries of one type
      """
          .lines()
          .map(row -> row.split(" *\\| *", 3))
          .map(cells -> new Kind(cells[0], cells[1], cells[2]))
          .toList();

  private final String name;
  private final FeedParser parser;

  private FeedFormat(String name, FeedParser parser) {
    this.name = name;
    this.parser = parser;
  }

  /** Every format, for {@code feeds formats}. */
  public static List<Kind> kinds() {
    return KINDS;
  }

  /**
   * The format of that name, or which names there are; names are lower-case, KEY and COLUMN are as
   * the feed has them.
   */
  public static Parsed<FeedFormat> named(String name) {
    String whole = RbldnsdParser.TYPES.contains(name) ? RBLDNSD + name : name;
    FeedParser line = LineFormats.TABLE.get(whole);
    FeedParser parser = line == null ? parser(whole) : line;
    return parser == null ? Parsed.bad(hint(name)) : Parsed.ok(new FeedFormat(whole, parser));
  }

  private static @Nullable FeedParser parser(String name) {
    return switch (name) {
      case "spamhaus-json" -> JsonFormats::spamhaus;
      case "json" -> JsonFormats.array(null);
      case "misp" -> JsonFormats::misp;
      case "postfix-cidr" -> PostfixTables::cidr;
      case "postfix-access" -> PostfixTables::access;
      case "adblock" -> new AdblockParser();
      case "unbound" -> UnboundParser::parse;
      case "rpz" -> RpzParser::parse;
      case "rbldnsd" -> RbldnsdParser.byForm();
      case "zeek-intel" -> new ZeekIntelParser();
      case "asn-list" -> JsonFormats::asns;
      case "asn-table" -> AsnTableParser::parse;
      default -> {
        UrlsParser urls = UrlsParser.named(name);
        yield urls == null ? ofFamily(name) : urls;
      }
    };
  }

  /** A parser that is made for the text behind the colon. */
  private static @Nullable FeedParser ofFamily(String name) {
    int colon = name.indexOf(':');
    String rest = name.substring(colon + 1);
    return rest.isEmpty()
        ? null
        : switch (name.substring(0, Math.max(0, colon))) {
          case "json" -> JsonFormats.array(rest);
          case "csv" -> new CsvParser(rest);
          case "ndjson" -> JsonFormats.field(rest);
          case "rbldnsd" -> RbldnsdParser.TYPES.contains(rest) ? RbldnsdParser.of(rest) : null;
          default -> null;
        };
  }

  private static String hint(String name) {
    if (name.startsWith(RBLDNSD) && name.length() > RBLDNSD.length()) {
      return "types of rbldnsd are: "
          + RbldnsdParser.TYPES.stream().sorted().collect(Collectors.joining(", "));
    }
    String word = name.endsWith(":") ? name.substring(0, name.length() - 1) : name;
    return KINDS.stream()
        .map(Kind::name)
        .filter(kind -> kind.startsWith(word + ":"))
        .findFirst()
        .map(kind -> word + " needs more: " + kind)
        .orElseGet(
            () -> "formats are: " + String.join(", ", KINDS.stream().map(Kind::name).toList()));
  }

  /** The name, COLUMN or KEY included. */
  public String name() {
    return name;
  }

  /**
   * The format as a feed with these checks reads it: only with the check {@code url} a list of URLs
   * gives them, and only with another one their hosts. The name says which, so that a version is
   * read again as it was judged.
   */
  public FeedFormat forChecks(Set<Check> checks) {
    String read = UrlsParser.name(checks);
    return parser instanceof UrlsParser
        ? new FeedFormat(read, Objects.requireNonNull(UrlsParser.named(read)))
        : this;
  }

  /** The same with everything that a feed of this format can list, for {@code feeds test}. */
  public FeedFormat whole() {
    return forChecks(EnumSet.allOf(Check.class));
  }

  /** True when its names and addresses are the hosts of URLs. */
  public boolean listsUrls() {
    return parser instanceof UrlsParser;
  }

  /**
   * Reads a whole feed: octets as they were fetched, compressed or not. Total: whatever they say,
   * the result is entries, problems and totals.
   *
   * @param match how names are to be compared, {@code null} for what the format says
   * @throws IOException only when {@code raw} throws it
   */
  public ParseTotals parse(InputStream raw, @Nullable Match match, FeedSink sink)
      throws IOException {
    ParseRun run = new ParseRun(sink, match);
    parse(raw, run);
    return run.totals();
  }

  /** Reads one part of a feed; its lines go on after those of the parts before. */
  void parse(InputStream raw, ParseRun run) throws IOException {
    run.begin();
    try (InputStream text = FeedBytes.open(raw)) {
      parser.parse(text, run);
    } catch (DamagedFeedException | TooManyEntriesException e) {
      run.damage(String.valueOf(e.getMessage()));
    }
  }

  @Override
  public String toString() {
    return name;
  }
}
