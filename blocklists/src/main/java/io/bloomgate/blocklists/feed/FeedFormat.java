package io.bloomgate.blocklists.feed;

import io.bloomgate.blocklists.feed.EntryText.Accepts;
import io.bloomgate.config.settings.Settings.Feeds.Match;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A format that feeds come in: its name, and the way from octets to entries. Looked up by name from
 * settings and commands, or found by {@link FormatDetector}. Immutable, any thread.
 */
public final class FeedFormat {

  /** What a name stands for. */
  public sealed interface Lookup {
    /** A format of this release. */
    record Known(FeedFormat format) implements Lookup {}

    /** A format that a later release has. */
    record NotInThisRelease(String name) implements Lookup {}

    /** No format. */
    record Unknown(String hint) implements Lookup {}
  }

  /**
   * A line of {@code feeds formats}.
   *
   * @param name as it is written in settings, COLUMN, KEY and FIELD to be filled in
   * @param match how far a bare name reaches unless the settings say otherwise
   */
  public record Kind(String name, String description, String match, boolean available) {}

  private static final String CSV = "csv:";
  private static final String JSON = "json:";

  private static final Map<String, FeedParser> PLAIN =
      Map.of(
          "lines", new EntryLinesParser(Accepts.ANYTHING),
          "ips", new EntryLinesParser(Accepts.NETWORKS),
          "domains", new EntryLinesParser(Accepts.NAMES),
          "hosts", new HostsParser(),
          "spamhaus-json", new SpamhausJsonParser(),
          "json", new JsonParser(null),
          "postfix-cidr", new PostfixCidrParser());

  private static final Set<String> LATER =
      Set.of(
          "adblock",
          "dnsmasq",
          "unbound",
          "wildcard",
          "urls",
          "rpz",
          "rbldnsd",
          "ndjson",
          "range-csv",
          "postfix-access",
          "ipset-save",
          "misp",
          "zeek-intel");

  private static final List<Kind> KINDS =
      List.of(
          new Kind("lines", "addresses, networks, ranges, names, mailboxes mixed", "exact", true),
          new Kind("ips", "an address, network or range a line", "", true),
          new Kind("domains", "a name a line; .x and *.x reach below", "exact", true),
          new Kind("hosts", "hosts file: the names behind the address", "exact", true),
          new Kind("spamhaus-json", "an object with \"cidr\" a line", "", true),
          new Kind("json", "array of strings", "exact", true),
          new Kind("json:KEY", "object whose member KEY is an array of strings", "exact", true),
          new Kind("csv:COLUMN", "table; COLUMN by name, or by number from 1", "exact", true),
          new Kind("postfix-cidr", "cidr_table(5): REJECT lists, OK and DUNNO except", "", true),
          new Kind("adblock", "||x^ rules", "suffix", false),
          new Kind("dnsmasq", "address= and local= lines", "suffix", false),
          new Kind("unbound", "local-zone lines", "suffix", false),
          new Kind("wildcard", "*.x lines", "suffix", false),
          new Kind("urls", "a URL a line: its host", "exact", false),
          new Kind("rpz", "response policy zone", "as the trigger says", false),
          new Kind("rbldnsd", "ip4set, ip4trie, ip6trie, dnset, combined", "as written", false),
          new Kind("ndjson:FIELD", "an object a line", "exact", false),
          new Kind("range-csv", "first,last address", "", false),
          new Kind("postfix-access", "access(5)", "as written", false),
          new Kind("ipset-save", "ipset save", "", false),
          new Kind("misp", "MISP warning list", "as its type says", false),
          new Kind("zeek-intel", "Zeek intelligence file", "exact", false));

  private final String name;
  private final FeedParser parser;

  private FeedFormat(String name, FeedParser parser) {
    this.name = name;
    this.parser = parser;
  }

  /** Every format, those of later releases included, for {@code feeds formats}. */
  public static List<Kind> kinds() {
    return KINDS;
  }

  /** The format of that name; names are lower-case, KEY and COLUMN are as the feed has them. */
  public static Lookup named(String name) {
    FeedParser plain = PLAIN.get(name);
    if (plain != null) {
      return new Lookup.Known(new FeedFormat(name, plain));
    }
    if (name.startsWith(CSV) && name.length() > CSV.length()) {
      return known(name, new CsvParser(name.substring(CSV.length())));
    }
    if (name.startsWith(JSON) && name.length() > JSON.length()) {
      return known(name, new JsonParser(name.substring(JSON.length())));
    }
    int colon = name.indexOf(':');
    String family = (colon < 0 ? name : name.substring(0, colon)).toLowerCase(Locale.ROOT);
    if (LATER.contains(family)) {
      return new Lookup.NotInThisRelease(family);
    }
    return new Lookup.Unknown(
        family.equals("csv")
            ? "csv needs the column: csv:COLUMN"
            : "formats are: " + String.join(", ", available()));
  }

  private static Lookup known(String name, FeedParser parser) {
    return new Lookup.Known(new FeedFormat(name, parser));
  }

  private static List<String> available() {
    return KINDS.stream().filter(Kind::available).map(Kind::name).toList();
  }

  /** The name, COLUMN or KEY included. */
  public String name() {
    return name;
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
    } catch (DamagedFeedException e) {
      run.damage(String.valueOf(e.getMessage()));
    }
    return run.totals();
  }

  @Override
  public String toString() {
    return name;
  }
}
