package io.bloomgate.blocklists.format;

import io.bloomgate.blocklists.entry.ListEntry.NameMatch;
import io.bloomgate.blocklists.format.octets.Octets;
import io.bloomgate.config.name.DomainName;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.name.IpPrefix;
import io.bloomgate.config.name.Parsed;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * The format {@code rbldnsd}: zones for the DNS server of that name, {@code rbldnsd(8)}. {@code !}
 * takes out, {@code :A:TEXT} and what follows an entry is the answer and means nothing here, and
 * the test record 127.0.0.2 that every zone has lists nobody.
 *
 * <p>A zone does not say of which type it is, so the form of its entries shows the type unless the
 * settings name the type. In a combined zone only data sets that are served at the zone's own name
 * ({@code @}) block; the others are often allow lists.
 */
final class RbldnsdParser implements FeedParser {

  /** Types that have lists of hosts or names; {@code generic} holds DNS records. */
  static final Set<String> TYPES =
      Set.of("ip4set", "ip4tset", "ip4trie", "ip6trie", "ip6tset", "dnset", "dnhash", "combined");

  private static final String BY_FORM = "combined";
  private static final IpPrefix TEST_RECORD = IpPrefix.host(IpAddress.ofV4(0x7f000002));
  private static final int TSET_BITS = 64;

  private final String type;

  /** A parser for zones whose type shows in the form of the entries. */
  RbldnsdParser() {
    this(BY_FORM);
  }

  /**
   * @param type one of {@link #TYPES}
   */
  RbldnsdParser(String type) {
    this.type = type;
  }

  @Override
  public void parse(InputStream text, ParseRun run) throws IOException {
    Zone zone = new Zone(run, type);
    FeedLines.read(text, run, (_, octets, from, to, line) -> zone.line(octets, from, to, line));
  }

  /** Reads one text; knows the data set that the lines belong to. */
  private static final class Zone {
    private final ParseRun run;
    private String type;
    private boolean served = true;
    private int widestV4;

    Zone(ParseRun run, String type) {
      this.run = run;
      this.type = type;
    }

    void line(byte[] text, int from, int to, int number) {
      String line = Octets.decode(text, from, to);
      char first = line.charAt(0);
      if (first == '$' || line.startsWith("#$")) {
        directive(line.substring(line.indexOf('$')), number);
      } else if (first == ':') {
        // The answer for the entries that follow.
        run.skip();
      } else if (first != '#' && first != ';') {
        entry(line, number);
      }
    }

    private void directive(String line, int number) {
      List<String> words = List.of(line.split("[ \t]+", -1));
      switch (words.getFirst().toUpperCase(Locale.ROOT)) {
        case "$DATASET" -> dataSet(words, line, number);
        case "$MAXRANGE4" -> maxRange(words, line, number);
        default -> run.skip();
      }
    }

    private void dataSet(List<String> words, String line, int number) {
      String named = words.size() < 2 ? "" : words.get(1).toLowerCase(Locale.ROOT);
      String kind = named.contains(":") ? named.substring(0, named.indexOf(':')) : named;
      if (!TYPES.contains(kind)) {
        run.problem(number, "$DATASET of a type that lists no hosts or names", line);
        served = false;
        return;
      }
      run.skip();
      type = kind;
      served = words.size() == 2 || words.subList(2, words.size()).contains("@");
    }

    private void maxRange(List<String> words, String line, int number) {
      int bits = words.size() < 2 ? -1 : rangeBits(words.get(1));
      if (bits < 0) {
        run.problem(number, "$MAXRANGE4 without a number of addresses", line);
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

    private void entry(String line, int number) {
      if (!served) {
        run.skip();
        return;
      }
      boolean exception = line.charAt(0) == '!';
      String value = line.substring(exception ? 1 : 0).strip();
      int end = 0;
      while (end < value.length() && value.charAt(end) != ' ' && value.charAt(end) != '\t') {
        end++;
      }
      Item item = new Item(value.substring(0, end), exception, line, number);
      switch (type) {
        case "ip4set", "ip4tset", "ip4trie" -> v4(item);
        case "ip6trie", "ip6tset" -> v6(item);
        case "dnset", "dnhash" -> name(item);
        default -> byForm(item);
      }
    }

    private void byForm(Item item) {
      if (item.value.indexOf(':') >= 0) {
        v6(item);
      } else if (item.value
          .chars()
          .allMatch(c -> (c >= '0' && c <= '9') || "./-".indexOf(c) >= 0)) {
        v4(item);
      } else {
        name(item);
      }
    }

    private void v4(Item item) {
      switch (RbldnsdRange.parse(item.value)) {
        case Parsed.Bad<RbldnsdRange>(String reason) -> run.problem(item.number, reason, item.line);
        case Parsed.Ok<RbldnsdRange>(RbldnsdRange range, var ignored) -> v4(item, range);
      }
    }

    private void v4(Item item, RbldnsdRange range) {
      if (item.exception) {
        run.rangeException(range.first(), range.last(), item.number);
      } else if (range.first().equals(TEST_RECORD.network())
          && range.last().equals(TEST_RECORD.network())) {
        run.skip();
      } else if (range.addresses() > 1L << (32 - widestV4)) {
        run.problem(item.number, "wider than the zone's own $MAXRANGE4", item.line);
      } else {
        range
            .prefix()
            .ifPresentOrElse(
                prefix -> run.network(new Parsed.Ok<>(prefix, null), false, item.number),
                () -> run.range(range.first(), range.last(), item.number));
      }
    }

    private void v6(Item item) {
      String value = item.value;
      int slash = value.indexOf('/');
      String address = slash < 0 ? value : value.substring(0, slash);
      boolean cut = !address.contains("::") && address.chars().filter(c -> c == ':').count() < 7;
      // Trailing zeros may be left out; of an ip6tset the first half is the whole entry.
      String whole = cut ? address + "::" : address;
      String length = slash >= 0 ? value.substring(slash) : cut ? "/" + TSET_BITS : "";
      if (type.equals("ip6tset") && !item.exception && slash < 0) {
        length = "/" + TSET_BITS;
      }
      switch (IpPrefix.parse(whole + length)) {
        case Parsed.Bad<IpPrefix>(String reason) -> run.problem(item.number, reason, item.line);
        case Parsed.Ok<IpPrefix> ok -> {
          if (ok.value().equals(TEST_RECORD) && !item.exception) {
            run.skip();
          } else {
            run.network(ok, item.exception, item.number);
          }
        }
      }
    }

    private void name(Item item) {
      NameMatch match = NameMatch.EXACT;
      String written = item.value;
      if (written.startsWith("*.")) {
        match = NameMatch.BELOW;
        written = written.substring(2);
      } else if (written.startsWith(".")) {
        match = NameMatch.SUFFIX;
        written = written.substring(1);
      }
      run.name(DomainName.parse(written), match, item.exception, item.number, item.line);
    }
  }

  /** An entry with its line. */
  private record Item(String value, boolean exception, String line, int number) {}

  /**
   * IPv4 addresses as {@code rbldnsd(8)} writes them: {@code a.b.c.d}, the beginning of an address
   * ({@code a.b.c} is a /24), {@code prefix/length}, {@code first-last} where either may be cut
   * short and a last of one number means the last number of the first ({@code 127.16-31}). Both
   * ends included. Immutable.
   */
  private record RbldnsdRange(IpAddress first, IpAddress last) {

    private static final int OCTETS = 4;

    /** Numbers of an address that may be cut short. */
    private record Cut(int value, int octets) {
      int first() {
        return octets == OCTETS ? value : value << (8 * (OCTETS - octets));
      }

      int last() {
        return octets == OCTETS ? value : first() | (-1 >>> (8 * octets));
      }
    }

    /** Reads one. */
    static Parsed<RbldnsdRange> parse(String text) {
      int slash = text.indexOf('/');
      int dash = text.indexOf('-');
      if (slash >= 0) {
        return network(text.substring(0, slash), text.substring(slash + 1));
      }
      Optional<Cut> first = cut(dash < 0 ? text : text.substring(0, dash));
      if (first.isEmpty()) {
        return Parsed.bad("not an IPv4 address");
      }
      if (dash < 0) {
        return range(first.get().first(), first.get().last());
      }
      return cut(text.substring(dash + 1))
          .map(last -> range(first.get().first(), end(first.get(), last)))
          .orElseGet(() -> Parsed.bad("not an IPv4 address"));
    }

    private static int end(Cut first, Cut last) {
      if (last.octets == 1 && first.octets > 1) {
        return new Cut((first.value & ~0xff) | last.value, first.octets).last();
      }
      return last.last();
    }

    private static Parsed<RbldnsdRange> network(String address, String length) {
      Optional<Cut> cut = cut(address);
      if (cut.isEmpty()) {
        return Parsed.bad("not an IPv4 address");
      }
      return switch (IpPrefix.parse(IpAddress.ofV4(cut.get().first()) + "/" + length)) {
        case Parsed.Bad<IpPrefix>(String reason) -> Parsed.bad(reason);
        case Parsed.Ok<IpPrefix>(IpPrefix prefix, var ignored) ->
            Parsed.ok(new RbldnsdRange(prefix.network(), prefix.last()));
      };
    }

    private static Parsed<RbldnsdRange> range(int first, int last) {
      return Integer.compareUnsigned(first, last) > 0
          ? Parsed.bad("range that ends before it begins")
          : Parsed.ok(new RbldnsdRange(IpAddress.ofV4(first), IpAddress.ofV4(last)));
    }

    /** One to four numbers without leading zeros; a dot may end a cut address. */
    private static Optional<Cut> cut(String text) {
      String[] numbers =
          (text.endsWith(".") ? text.substring(0, text.length() - 1) : text).split("\\.", -1);
      if (numbers.length > OCTETS) {
        return Optional.empty();
      }
      int value = 0;
      for (String number : numbers) {
        if (!number.matches("0|[1-9][0-9]{0,2}") || Integer.parseInt(number) > 255) {
          return Optional.empty();
        }
        value = (value << 8) | Integer.parseInt(number);
      }
      return Optional.of(new Cut(value, numbers.length));
    }

    long addresses() {
      return Integer.toUnsignedLong(last.v4Bits()) - Integer.toUnsignedLong(first.v4Bits()) + 1;
    }

    /** The network that is exactly this range, if there is one. */
    Optional<IpPrefix> prefix() {
      long size = addresses();
      if (Long.bitCount(size) != 1) {
        return Optional.empty();
      }
      IpPrefix around = IpPrefix.around(first, 32 - Long.numberOfTrailingZeros(size));
      return around.network().equals(first) ? Optional.of(around) : Optional.empty();
    }
  }
}
