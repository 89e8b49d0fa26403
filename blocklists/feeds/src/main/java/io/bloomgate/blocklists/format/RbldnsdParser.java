package io.bloomgate.blocklists.format;

import io.bloomgate.blocklists.entry.ListEntry.NameMatch;
import io.bloomgate.config.name.DomainName;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.name.IpPrefix;
import io.bloomgate.config.name.Parsed;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * The format {@code rbldnsd}: zones for the DNS server of that name, {@code rbldnsd(8)}. {@code !}
 * takes out, {@code :A:TEXT} and what follows an entry is the answer and means nothing here, and
 * the test record 127.0.0.2 that every zone has lists nobody.
 *
 * <p>A zone does not say of which type it is, so the form of its entries shows the type unless the
 * settings name the type. In a combined zone only data sets that are served at the zone's own name
 * ({@code @}) block; the others are often allow lists.
 *
 * <p>Made for one text; knows the data set that the lines belong to.
 */
final class RbldnsdParser {

  /** Types that have lists of hosts or names; {@code generic} holds DNS records. */
  static final Set<String> TYPES =
      Set.of("ip4set", "ip4tset", "ip4trie", "ip6trie", "ip6tset", "dnset", "dnhash", "combined");

  private static final String BY_FORM = "combined";
  private static final IpPrefix TEST_RECORD = IpPrefix.host(IpAddress.ofV4(0x7f000002));
  private static final int TSET_BITS = 64;

  private final ParseRun run;
  private String type;
  private boolean served = true;
  private int widestV4;

  private RbldnsdParser(ParseRun run, String type) {
    this.run = run;
    this.type = type;
  }

  /** A parser for zones whose type shows in the form of the entries. */
  static FeedParser byForm() {
    return of(BY_FORM);
  }

  /** A parser for zones of one of {@link #TYPES}. */
  static FeedParser of(String type) {
    return (text, run) -> {
      RbldnsdParser zone = new RbldnsdParser(run, type);
      FeedLines.read(text, run, (_, octets, from, to) -> zone.line(octets, from, to));
    };
  }

  private void line(byte[] text, int from, int to) {
    String line = Octets.decode(text, from, to);
    char first = line.charAt(0);
    if (first == '$' || line.startsWith("#$")) {
      directive(line.substring(line.indexOf('$')));
    } else if (first == ':') {
      // The answer for the entries that follow.
      run.skip();
    } else if (first != '#' && first != ';') {
      entry(line);
    }
  }

  private void directive(String line) {
    List<String> words = List.of(line.split("[ \t]+", -1));
    switch (words.getFirst().toUpperCase(Locale.ROOT)) {
      case "$DATASET" -> dataSet(words);
      case "$MAXRANGE4" -> maxRange(words);
      default -> run.skip();
    }
  }

  private void dataSet(List<String> words) {
    String named = words.size() < 2 ? "" : words.get(1).toLowerCase(Locale.ROOT);
    String kind = named.contains(":") ? named.substring(0, named.indexOf(':')) : named;
    if (!TYPES.contains(kind)) {
      run.problem("$DATASET of a type that lists no hosts or names");
      served = false;
      return;
    }
    run.skip();
    type = kind;
    served = words.size() == 2 || words.subList(2, words.size()).contains("@");
  }

  private void maxRange(List<String> words) {
    int bits = words.size() < 2 ? -1 : rangeBits(words.get(1));
    if (bits < 0) {
      run.problem("$MAXRANGE4 without a number of addresses");
    } else {
      run.skip();
      widestV4 = bits;
    }
  }

  /** The shortest prefix length that holds no more addresses than written; -1 when unreadable. */
  private static int rangeBits(String written) {
    try {
      if (written.startsWith("/")) {
        int length = Integer.parseInt(written.substring(1));
        return length >= 0 && length <= 32 ? length : -1;
      }
      long addresses = Long.parseLong(written);
      return addresses > 0 && addresses <= 1L << 32
          ? 32 - (63 - Long.numberOfLeadingZeros(addresses))
          : -1;
    } catch (NumberFormatException e) {
      return -1;
    }
  }

  private void entry(String line) {
    if (!served) {
      run.skip();
      return;
    }
    boolean exception = line.charAt(0) == '!';
    String value = line.substring(exception ? 1 : 0).strip().split("[ \t]", 2)[0];
    switch (type) {
      case "ip4set", "ip4tset", "ip4trie" -> v4(value, exception);
      case "ip6trie", "ip6tset" -> v6(value, exception);
      case "dnset", "dnhash" -> name(value, exception);
      default -> byForm(value, exception);
    }
  }

  private void byForm(String value, boolean exception) {
    if (value.indexOf(':') >= 0) {
      v6(value, exception);
    } else if (value.chars().allMatch(c -> (c >= '0' && c <= '9') || "./-".indexOf(c) >= 0)) {
      v4(value, exception);
    } else {
      name(value, exception);
    }
  }

  private void v4(String value, boolean exception) {
    switch (RbldnsdRange.parse(value)) {
      case Parsed.Bad<RbldnsdRange>(String reason) -> run.problem(reason);
      case Parsed.Ok<RbldnsdRange>(RbldnsdRange range, var ignored) -> v4(range, exception);
    }
  }

  private void v4(RbldnsdRange range, boolean exception) {
    List<IpPrefix> networks = IpRange.networks(range.first, range.last);
    if (networks.equals(List.of(TEST_RECORD)) && !exception) {
      run.skip();
    } else if (range.addresses() > 1L << (32 - widestV4) && !exception) {
      run.problem("wider than the zone's own $MAXRANGE4");
    } else if (networks.size() == 1) {
      run.network(Parsed.ok(networks.getFirst()), exception);
    } else {
      run.range(range.first, range.last, exception);
    }
  }

  private void v6(String value, boolean exception) {
    int slash = value.indexOf('/');
    String address = slash < 0 ? value : value.substring(0, slash);
    boolean cut = !address.contains("::") && address.chars().filter(c -> c == ':').count() < 7;
    // Trailing zeros may be left out; of an ip6tset the first half is the whole entry.
    String whole = cut ? address + "::" : address;
    String length = slash >= 0 ? value.substring(slash) : cut ? "/" + TSET_BITS : "";
    if (type.equals("ip6tset") && !exception && slash < 0) {
      length = "/" + TSET_BITS;
    }
    Parsed<IpPrefix> read = IpPrefix.parse(whole + length);
    if (!exception && read instanceof Parsed.Ok<IpPrefix> ok && ok.value().equals(TEST_RECORD)) {
      run.skip();
    } else {
      run.network(read, exception);
    }
  }

  private void name(String value, boolean exception) {
    NameMatch match =
        value.startsWith("*.")
            ? NameMatch.BELOW
            : value.startsWith(".") ? NameMatch.SUFFIX : NameMatch.EXACT;
    int from = match == NameMatch.BELOW ? 2 : match == NameMatch.SUFFIX ? 1 : 0;
    run.name(DomainName.parse(value.substring(from)), match, exception);
  }

  /**
   * IPv4 addresses as {@code rbldnsd(8)} writes them: {@code a.b.c.d}, the beginning of an address
   * ({@code a.b.c} is a /24), {@code prefix/length}, {@code first-last} where either may be cut
   * short and a last of one number means the last number of the first ({@code 127.16-31}). Both
   * ends included. Immutable.
   */
  private record RbldnsdRange(IpAddress first, IpAddress last) {

    /** Reads one. */
    static Parsed<RbldnsdRange> parse(String text) {
      int slash = text.indexOf('/');
      int dash = text.indexOf('-');
      if (slash >= 0) {
        return cut(text.substring(0, slash))
            .then(cut -> IpPrefix.parse(cut.network() + text.substring(slash)))
            .map(prefix -> new RbldnsdRange(prefix.network(), prefix.last()));
      }
      if (dash < 0) {
        return cut(text).map(cut -> new RbldnsdRange(cut.network(), cut.last()));
      }
      String first = text.substring(0, dash);
      String last = text.substring(dash + 1);
      String end = last.indexOf('.') < 0 ? first.substring(0, first.lastIndexOf('.') + 1) : "";
      return cut(first).then(from -> cut(end + last).then(to -> range(from.network(), to.last())));
    }

    private static Parsed<RbldnsdRange> range(IpAddress first, IpAddress last) {
      return first.compareTo(last) > 0
          ? Parsed.bad("range that ends before it begins")
          : Parsed.ok(new RbldnsdRange(first, last));
    }

    /** The network of one to four numbers; a dot may end a cut address. */
    private static Parsed<IpPrefix> cut(String text) {
      String bare = text.endsWith(".") ? text.substring(0, text.length() - 1) : text;
      return bare.isEmpty() || !bare.chars().allMatch(c -> (c >= '0' && c <= '9') || c == '.')
          ? Parsed.bad("not an IPv4 address")
          : IpPrefix.parse(PostfixKey.whole(bare));
    }

    long addresses() {
      return Integer.toUnsignedLong(last.v4Bits()) - Integer.toUnsignedLong(first.v4Bits()) + 1;
    }
  }
}
