package io.bloomgate.blocklists.format;

import static io.bloomgate.blocklists.format.LineFormats.Comment.ALONE;
import static io.bloomgate.blocklists.format.LineFormats.Comment.HASH;
import static io.bloomgate.blocklists.format.LineFormats.Comment.INLINE;

import io.bloomgate.blocklists.entry.ListEntry.NameMatch;
import io.bloomgate.blocklists.format.EntryText.Accepts;
import io.bloomgate.config.name.AsNumber;
import io.bloomgate.config.name.DomainName;
import io.bloomgate.config.name.Fingerprint;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.name.IpPrefix;
import io.bloomgate.config.name.Likeness;
import io.bloomgate.config.name.MailAddress;
import io.bloomgate.config.name.NamePattern;
import io.bloomgate.config.name.Parsed;
import io.bloomgate.config.name.Subject;
import io.bloomgate.config.name.WebUrl;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The formats of which each line says alone what it lists: a row of {@link #TABLE} says what is a
 * comment, and who reads the rest. Stateless; looked up by {@link FeedFormat}, used on the parsing
 * thread.
 */
final class LineFormats {

  /** The kinds of comments of a format. */
  enum Comment {
    /** A line that begins with {@code #}. */
    HASH,
    /** A line that begins with {@code #}, {@code ;} or {@code //}. */
    ALONE,
    /** The same, and what follows an entry: it is cut off. */
    INLINE
  }

  /**
   * A row of the table.
   *
   * @param reader of the lines that are no comments
   */
  private record LineFormat(Comment comment, FeedLines.Lines reader) implements FeedParser {
    @Override
    public void parse(InputStream text, ParseRun run) throws IOException {
      FeedLines.read(
          text,
          run,
          (_, octets, from, to) -> {
            if (comment == HASH ? octets[from] != '#' : !Comments.isWhole(octets, from, to)) {
              int end = comment == INLINE ? Comments.trimmed(octets, from, to) : to;
              reader.line(run, octets, from, end);
            }
          });
    }
  }

  /** The formats by name. */
  static final Map<String, FeedParser> TABLE =
      Map.of(
          "lines", new LineFormat(ALONE, entries(Accepts.ANYTHING)),
          "ips", new LineFormat(ALONE, entries(Accepts.NETWORKS)),
          "domains", new LineFormat(ALONE, entries(Accepts.NAMES)),
          "hosts", new LineFormat(INLINE, LineFormats::hosts),
          "wildcard", new LineFormat(INLINE, LineFormats::wildcard),
          "dnsmasq", new LineFormat(HASH, LineFormats::dnsmasq),
          "ipset-save", new LineFormat(HASH, LineFormats::ipset),
          "range-csv", new LineFormat(ALONE, LineFormats::range),
          "sha256", new LineFormat(ALONE, LineFormats::sha256),
          "entries", new LineFormat(HASH, LineFormats::entry));

  /** The kinds of octets of a line that is more than one word. */
  private static final int MORE_THAN_A_WORD =
      OctetKinds.BLANK | OctetKinds.COMMENT | OctetKinds.QUOTE;

  /** Names that every hosts file has for the machine itself. */
  private static final List<byte[]> SYSTEM =
      Stream.of(
              ("localhost localhost.localdomain localhost4 localhost4.localdomain4 localhost6"
                      + " localhost6.localdomain6 local broadcasthost ip6-localhost ip6-loopback"
                      + " ip6-localnet ip6-mcastprefix ip6-allnodes ip6-allrouters ip6-allhosts"
                      + " 0.0.0.0")
                  .split(" ", -1))
          .map(Octets::encode)
          .toList();

  private static final int LOOPBACK_OCTET = 127;

  /** The place of the address in a line of {@code ipset save}. */
  private static final int ELEMENT = 2;

  private LineFormats() {}

  /**
   * An entry a line. An address may be followed by a count, as some publishers write it; any other
   * second word makes the line bad, because a list whose meaning is guessed lists the wrong things.
   */
  private static FeedLines.Lines entries(Accepts accepts) {
    return (run, text, from, lineTo) -> {
      if (Comments.isUrl(text, from, lineTo)) {
        String reason = "a URL, which format urls reads; a comment has a blank behind //";
        run.problem(reason);
        return;
      }
      if (!OctetKinds.any(OctetKinds.of(text, from, lineTo), MORE_THAN_A_WORD)) {
        EntryText.read(run, accepts, text, from, lineTo);
        return;
      }
      int to = Comments.trimmed(text, from, lineTo);
      int end = text[from] == '"' ? to : Octets.tokenEnd(text, from, to);
      boolean counted = isCount(text, end, to);
      if (end == to || counted || isRange(text, end, to)) {
        EntryText.read(run, accepts, text, from, counted ? end : to);
      } else if (accepts == Accepts.NAMES || !EntryText.namedRange(run, text, from, to)) {
        run.problem("more than one word in a line");
      }
    };
  }

  /** {@code a - b} with blanks around the dash. */
  private static boolean isRange(byte[] text, int end, int to) {
    int dash = Octets.skipBlanks(text, end, to);
    return dash < to && text[dash] == '-';
  }

  private static boolean isCount(byte[] text, int end, int to) {
    int at = Octets.skipBlanks(text, end, to);
    int first = at;
    while (at < to && Octets.isDigit(text[at])) {
      at++;
    }
    return at > first && at == to;
  }

  /** {@code *.x}, {@code .x} or {@code x}: a name and all below it, as DNS filters mean it. */
  private static void wildcard(ParseRun run, byte[] text, int from, int to) {
    int start = Octets.startsWith(text, from, to, "*.") ? from + 2 : from;
    start += start == from && text[from] == '.' ? 1 : 0;
    run.name(EntryText.parseName(text, start, to), NameMatch.SUFFIX, false);
  }

  /**
   * An address to which the names after it are sent, {@code hosts(5)}. Names that are sent nowhere
   * are the entries. A name with a real address is a bad line: somebody's own host, not a listed
   * one.
   */
  private static void hosts(ParseRun run, byte[] text, int from, int to) {
    int at = Octets.tokenEnd(text, from, to);
    int zone = Octets.indexOf(text, from, at, '%');
    if (!(IpAddress.parse(text, from, zone < 0 ? at : zone)
        instanceof Parsed.Ok<IpAddress>(IpAddress address, var ignored))) {
      run.problem("does not begin with an address");
    } else if (at == to) {
      run.problem("address without a name");
    } else if (isNowhere(address) || isSystem(text, Octets.skipBlanks(text, at, to), to)) {
      hostNames(run, text, at, to);
    } else {
      run.problem("sends a name to a real address");
    }
  }

  private static boolean isNowhere(IpAddress address) {
    return address.isV4()
        ? address.v4Bits() == 0 || address.v4Bits() >>> 24 == LOOPBACK_OCTET
        : address.high() == 0 && (address.low() == 0 || address.low() == 1);
  }

  private static void hostNames(ParseRun run, byte[] text, int from, int to) {
    boolean system = false;
    int at = from;
    while (at < to) {
      int start = Octets.skipBlanks(text, at, to);
      at = Octets.tokenEnd(text, start, to);
      if (isSystem(text, start, at)) {
        system = true;
      } else if (EntryText.looksLikeNetwork(OctetKinds.of(text, start, at))
          && IpPrefix.parse(text, start, at) instanceof Parsed.Ok<IpPrefix> literal) {
        run.network(literal, false);
      } else {
        run.name(EntryText.parseName(text, start, at), NameMatch.EXACT, false);
      }
    }
    if (system) {
      run.skip();
    }
  }

  private static boolean isSystem(byte[] text, int from, int to) {
    for (byte[] name : SYSTEM) {
      if (Arrays.equals(name, 0, name.length, text, from, to)) {
        return true;
      }
    }
    return false;
  }

  /**
   * {@code address=/x/0.0.0.0}, {@code local=/x/} and {@code server=/x/} list a name and all below
   * it, {@code dnsmasq(8)}; {@code server=/x/#} is an exception. A name that is sent to a real
   * address or server is not blocked, so its line is a bad one, like every other setting.
   */
  private static void dnsmasq(ParseRun run, byte[] text, int from, int lineTo) {
    int to = lineTo;
    for (int i = lineTo - 1; i > from; i--) {
      to = text[i] == '#' && Octets.isBlank(text[i - 1]) ? i : to;
    }
    to = Octets.trimEnd(text, from, to);
    int equals = Octets.indexOf(text, from, to, '=');
    int last = to - 1;
    while (last > equals && text[last] != '/') {
      last--;
    }
    if (equals < 0 || last <= equals + 1 || text[equals + 1] != '/') {
      run.problem("no line address=/NAME/, local=/NAME/ or server=/NAME/");
      return;
    }
    String setting = Octets.decode(text, from, equals);
    String value = Octets.decode(text, last + 1, to);
    boolean servers = setting.equals("server") || setting.equals("local");
    // The null address of both families is #.
    boolean nowhere = Set.of("", "#").contains(value) || EntryText.NOWHERE.contains(value);
    boolean denies = servers ? value.isEmpty() : setting.equals("address") && nowhere;
    // The name is asked at the usual servers.
    boolean excepts = servers && value.equals("#");
    if (!denies && !excepts) {
      run.problem("sends a name to a real address or server");
      return;
    }
    int at = equals + 2;
    while (at <= last) {
      int slash = Octets.indexOf(text, at, last + 1, '/');
      int start = Octets.startsWith(text, at, slash, ".") ? at + 1 : at;
      Parsed<DomainName> name = EntryText.parseName(text, start, slash);
      run.name(name, NameMatch.SUFFIX, excepts);
      at = slash + 1;
    }
  }

  /**
   * {@code add SET ADDRESS} as {@code ipset save} prints it, {@code ipset(8)}; with {@code nomatch}
   * an exception. An element that ties an address to a port, a mark or another network does not
   * list the address and is a bad line.
   */
  private static void ipset(ParseRun run, byte[] text, int from, int to) {
    String line = Octets.decode(text, from, to);
    List<String> words = List.of(line.split("[ \t]+", -1));
    if (Set.of("create", "-N", "COMMIT").contains(words.getFirst())) {
      run.skip();
    } else if (!words.getFirst().equals("add") && !words.getFirst().equals("-A")) {
      run.problem("not a line of ipset save");
    } else if (words.size() <= ELEMENT) {
      run.problem("add without an address");
    } else if (words.get(ELEMENT).indexOf(',') >= 0) {
      run.problem("ties an address to a port, a mark or another network");
    } else {
      // Any text may follow the word comment.
      List<String> options =
          words.stream().skip(ELEMENT + 1L).takeWhile(word -> !word.equals("comment")).toList();
      if (options.contains("nomatch")) {
        run.network(IpPrefix.parse(words.get(ELEMENT)), true);
      } else {
        EntryText.read(run, Accepts.NETWORKS, words.get(ELEMENT));
      }
    }
  }

  /** The first and last address of a range in the first two columns. */
  private static void range(ParseRun run, byte[] text, int from, int to) {
    List<String> fields = CsvFields.ofLine(Octets.decode(text, from, to));
    if (fields.size() < 2) {
      run.problem("row without two columns");
    } else if (IpAddress.parse(fields.get(0)) instanceof Parsed.Ok<IpAddress>(var first, var a)
        && IpAddress.parse(fields.get(1)) instanceof Parsed.Ok<IpAddress>(var last, var b)) {
      run.range(first, last, false);
    } else if (run.isFirst() && CsvFields.isHeader(fields)) {
      run.skip();
    } else {
      run.problem("row that does not begin with two addresses");
    }
  }

  /** A subject as {@link Subject#parse} reads it, one word; a comment may follow. */
  private static void entry(ParseRun run, byte[] text, int from, int to) {
    int end = Octets.tokenEnd(text, from, to);
    int rest = Octets.skipBlanks(text, end, to);
    if (rest < to && text[rest] != '#') {
      run.problem("more than one word in a line");
      return;
    }
    switch (Subject.parse(Octets.decode(text, from, end))) {
      case Parsed.Bad<Subject>(String reason) -> run.problem(reason);
      case Parsed.Ok<Subject>(Subject subject, var ignored) -> {
        switch (subject) {
          case IpPrefix network -> run.network(Parsed.ok(network), false);
          case DomainName name -> run.name(Parsed.ok(name), NameMatch.EXACT, false);
          case MailAddress address -> run.address(Parsed.ok(address), false);
          case WebUrl url -> run.url(Parsed.ok(url));
          case Fingerprint print -> run.print(Parsed.ok(print));
          case Likeness _, NamePattern _ ->
              run.problem("a likeness or a pattern, which no list has");
          case AsNumber as -> run.asNumber(Parsed.ok(as));
        }
      }
    }
  }

  /**
   * 64 hexadecimal digits, alone or before a file name as {@code sha256sum} writes them; or a
   * table, of which the first field of 64 digits counts. Values of other lengths (MD5, SHA-1, TLSH)
   * are other columns.
   */
  private static void sha256(ParseRun run, byte[] text, int from, int to) {
    int first = Octets.tokenEnd(text, from, to);
    Optional<Fingerprint> print =
        first - from == 2 * Fingerprint.OCTETS
            ? Fingerprint.parse(Octets.decode(text, from, first)).toOptional()
            : Optional.empty();
    if (print.isEmpty()) {
      String line = Octets.decode(text, from, to);
      print = CsvFields.find(line, field -> Fingerprint.parse(field).toOptional());
      if (print.isEmpty() && run.isFirst() && line.toLowerCase(Locale.ROOT).contains("sha256")) {
        run.skip();
        return;
      }
    }
    run.print(
        print
            .map(Parsed::ok)
            .orElseGet(() -> Parsed.bad("no SHA-256 value of 64 hexadecimal digits")));
  }
}
