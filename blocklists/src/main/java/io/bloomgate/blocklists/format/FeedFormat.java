package io.bloomgate.blocklists.format;

import io.bloomgate.blocklists.format.EntryText.Accepts;
import io.bloomgate.blocklists.format.FeedSink.TooManyEntriesException;
import io.bloomgate.blocklists.format.octets.DamagedFeedException;
import io.bloomgate.blocklists.format.octets.FeedBytes;
import io.bloomgate.config.name.Check;
import io.bloomgate.config.settings.Settings.Feeds.Match;
import java.io.IOException;
import java.io.InputStream;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A format that feeds come in: its name, and the way from octets to entries. Looked up by name from
 * settings and commands, or found by {@link FormatDetector}. Immutable, any thread.
 */
public final class FeedFormat {

  /** The answer about the name of a format. */
  public sealed interface Lookup {
    /** A format of this release. */
    record Known(FeedFormat format) implements Lookup {}

    /** No format. */
    record Unknown(String hint) implements Lookup {}
  }

  /**
   * A line of {@code feeds formats}.
   *
   * @param name as it is written in settings, COLUMN, KEY and FIELD to be filled in
   * @param match how far a bare name reaches unless the settings say otherwise
   */
  public record Kind(String name, String description, String match) {}

  private static Plain plain(String name, String description, String match, FeedParser parser) {
    return new Plain(new Kind(name, description, match), parser);
  }

  private static final String EXACT = "exact";
  private static final String SUFFIX = "suffix";
  private static final String AS_WRITTEN = "as written";
  private static final String NO_NAMES = "";
  private static final String RBLDNSD = "rbldnsd:";

  /** A format without parameters in its name. */
  private record Plain(Kind kind, FeedParser parser) {}

  /** A format whose name goes on after a colon; the parser is made for the text there. */
  private record Family(Kind kind, String prefix, Function<String, FeedParser> parser) {}

  private static final List<Plain> PLAIN =
      List.of(
          plain(
              "lines",
              "addresses, networks, ranges, names, mailboxes mixed",
              EXACT,
              new EntryLinesParser(Accepts.ANYTHING)),
          plain(
              "ips",
              "an address, network or range a line",
              NO_NAMES,
              new EntryLinesParser(Accepts.NETWORKS)),
          plain(
              "domains",
              "a name a line; .x and *.x reach below",
              EXACT,
              new EntryLinesParser(Accepts.NAMES)),
          plain(
              "hosts",
              "hosts file: names behind 0.0.0.0, 127.0.0.1, :: or ::1",
              EXACT,
              new HostsParser()),
          plain(
              "spamhaus-json",
              "an object with \"cidr\" a line",
              NO_NAMES,
              new SpamhausJsonParser()),
          plain("json", "array of strings", EXACT, new JsonParser(null)),
          plain(
              "postfix-cidr",
              "cidr_table(5): REJECT lists, OK and DUNNO except",
              NO_NAMES,
              new PostfixCidrParser()),
          plain("adblock", "||x^ rules; @@||x^ excepts", SUFFIX, new AdblockParser()),
          plain("dnsmasq", "address=, local= and server= lines", SUFFIX, new DnsmasqParser()),
          plain("unbound", "local-zone lines", SUFFIX, new UnboundParser()),
          plain(
              "wildcard", "*.x, .x or x a line, each with all below", SUFFIX, new WildcardParser()),
          plain(
              "urls",
              "a URL a line, or a table with a column of them: URLs and their hosts",
              EXACT,
              UrlsParser.HOSTS),
          plain(
              "sha256",
              "a SHA-256 value a line, or a table with a column of them",
              NO_NAMES,
              new Sha256Parser()),
          plain("rpz", "response policy zone", AS_WRITTEN, new RpzParser()),
          plain(
              "rbldnsd",
              "zone of rbldnsd(8), the form of an entry shows its type",
              AS_WRITTEN,
              new RbldnsdParser()),
          plain(
              "range-csv",
              "first and last address in the first columns",
              NO_NAMES,
              new RangeCsvParser()),
          plain(
              "postfix-access",
              "access(5): REJECT lists, OK and DUNNO except",
              "as Postfix reads it",
              new PostfixAccessParser()),
          plain("ipset-save", "what ipset save prints", NO_NAMES, new IpsetSaveParser()),
          plain("misp", "MISP warning list", AS_WRITTEN, new MispParser()),
          plain("zeek-intel", "Zeek intelligence file", EXACT, new ZeekIntelParser()));

  private static final List<Family> FAMILIES =
      List.of(
          new Family(
              new Kind("json:KEY", "object whose member KEY is an array of strings", EXACT),
              "json:",
              JsonParser::new),
          new Family(
              new Kind("csv:COLUMN", "table; COLUMN by name, or by number from 1", EXACT),
              "csv:",
              CsvParser::new),
          new Family(
              new Kind("ndjson:FIELD", "an object a line, its member FIELD", EXACT),
              "ndjson:",
              NdjsonParser::new),
          new Family(
              new Kind("rbldnsd:TYPE", "the same with all entries of one type", AS_WRITTEN),
              RBLDNSD,
              RbldnsdParser::new));

  private final String name;
  private final FeedParser parser;

  private FeedFormat(String name, FeedParser parser) {
    this.name = name;
    this.parser = parser;
  }

  /** Every format, for {@code feeds formats}. */
  public static List<Kind> kinds() {
    return Stream.concat(PLAIN.stream().map(Plain::kind), FAMILIES.stream().map(Family::kind))
        .toList();
  }

  /** The format of that name; names are lower-case, KEY and COLUMN are as the feed has them. */
  public static Lookup named(String name) {
    for (Plain plain : PLAIN) {
      if (plain.kind.name().equals(name)) {
        return new Lookup.Known(new FeedFormat(name, plain.parser));
      }
    }
    UrlsParser urls = UrlsParser.named(name);
    if (urls != null) {
      return new Lookup.Known(new FeedFormat(name, urls));
    }
    if (RbldnsdParser.TYPES.contains(name)) {
      return new Lookup.Known(new FeedFormat(RBLDNSD + name, new RbldnsdParser(name)));
    }
    for (Family family : FAMILIES) {
      if (name.startsWith(family.prefix) && name.length() > family.prefix.length()) {
        return ofFamily(name, family);
      }
    }
    return new Lookup.Unknown(hint(name));
  }

  private static Lookup ofFamily(String name, Family family) {
    String rest = name.substring(family.prefix.length());
    if (family.prefix.equals(RBLDNSD) && !RbldnsdParser.TYPES.contains(rest)) {
      return new Lookup.Unknown(
          "types of rbldnsd are: "
              + RbldnsdParser.TYPES.stream().sorted().collect(Collectors.joining(", ")));
    }
    return new Lookup.Known(new FeedFormat(name, family.parser.apply(rest)));
  }

  private static String hint(String name) {
    for (Family family : FAMILIES) {
      String word = family.prefix.substring(0, family.prefix.length() - 1);
      if (name.equals(word) || name.equals(family.prefix)) {
        return word + " needs more: " + family.kind.name();
      }
    }
    return "formats are: " + String.join(", ", kinds().stream().map(Kind::name).toList());
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
    return parser instanceof UrlsParser
        ? new FeedFormat(UrlsParser.name(checks), UrlsParser.of(checks))
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
    try (InputStream text = FeedBytes.open(raw)) {
      parser.parse(text, run);
    } catch (DamagedFeedException | TooManyEntriesException e) {
      run.damage(String.valueOf(e.getMessage()));
    }
    return run.totals();
  }

  @Override
  public String toString() {
    return name;
  }
}
