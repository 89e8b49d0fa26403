package io.bloomgate.blocklists.format;

import io.bloomgate.blocklists.entry.ListEntry.NameMatch;
import io.bloomgate.config.name.DomainName;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.name.IpPrefix;
import io.bloomgate.config.name.MailAddress;
import io.bloomgate.config.name.Parsed;
import java.util.Set;

/**
 * Reads one value, as it is in a line, a JSON array or a CSV cell, into an entry. Used by the
 * parsers; stateless.
 */
final class EntryText {

  /** The kinds of entries that a place may hold. */
  enum Accepts {
    /** Addresses, networks, ranges, names, mailboxes. */
    ANYTHING,
    /** Addresses, networks, ranges. */
    NETWORKS,
    /** Names; addresses and networks count as what they are. */
    NAMES
  }

  private static final int PORT_DIGITS = 5;

  /** Addresses that mean "there is no such host" where a resolver answers with them. */
  static final Set<String> NOWHERE = Set.of("0.0.0.0", "127.0.0.1", "::", "::0", "::1");

  private EntryText() {}

  /** Reads a value, blanks at its ends apart. */
  static void read(ParseRun run, Accepts accepts, String value) {
    byte[] octets = Octets.encode(value.strip());
    read(run, accepts, octets, 0, octets.length);
  }

  /** Reads the octets {@code from} to {@code to}, which have no blanks at their ends. */
  static void read(ParseRun run, Accepts accepts, byte[] text, int from, int to) {
    int kinds = OctetKinds.of(text, from, to);
    if (from == to) {
      run.problem("empty value");
    } else if (accepts == Accepts.ANYTHING && OctetKinds.any(kinds, OctetKinds.AT)) {
      mailbox(run, text, from, to);
    } else if (OctetKinds.any(kinds, OctetKinds.COLON) && withColon(run, accepts, text, from, to)) {
      return;
    } else if (accepts != Accepts.NAMES && looksLikeRange(kinds) && range(run, text, from, to)) {
      return;
    } else if (accepts == Accepts.NETWORKS || looksLikeNetwork(kinds)) {
      run.network(IpPrefix.parse(text, from, to), false);
    } else {
      name(run, accepts, text, from, to);
    }
  }

  /** True when the text was one whose colon ends a name, a host or a scheme: nothing is left. */
  private static boolean withColon(ParseRun run, Accepts accepts, byte[] text, int from, int to) {
    if (accepts != Accepts.NAMES && namedRange(run, text, from, to)) {
      return true;
    }
    int colon = Octets.indexOf(text, from, to, ':');
    if (Octets.startsWith(text, colon, to, "://")) {
      run.problem("a URL, which format urls reads");
      return true;
    }
    boolean brackets = text[from] == '[';
    int host = brackets ? Octets.indexOf(text, from, to, ']') : colon;
    int port = brackets ? host + 1 : host;
    if (host < 0 || (port < to && !isPort(text, port, to))) {
      return false;
    }
    if (accepts == Accepts.ANYTHING) {
      read(run, accepts, text, brackets ? from + 1 : from, host);
    } else {
      run.problem("a host with a port, which format lines reads");
    }
    return true;
  }

  /** RFC 3986 section 3.2.3, with the colon. */
  private static boolean isPort(byte[] text, int from, int to) {
    int at = from + 1;
    while (at < to && Octets.isDigit(text[at])) {
      at++;
    }
    return text[from] == ':' && at == to && to - from > 1 && to - from <= 1 + PORT_DIGITS;
  }

  /** PeerGuardian's {@code NAME:FIRST-LAST}; true when it is one, good or bad. */
  static boolean namedRange(ParseRun run, byte[] text, int from, int to) {
    int colon = to - 1;
    while (colon >= from && text[colon] != ':') {
      colon--;
    }
    return colon > from && range(run, text, colon + 1, to);
  }

  /** Two addresses hold nothing else; names with a dash mostly do. */
  private static boolean looksLikeRange(int kinds) {
    return OctetKinds.any(kinds, OctetKinds.DASH)
        && OctetKinds.only(
            kinds,
            OctetKinds.DIGIT
                | OctetKinds.DOT
                | OctetKinds.HEX
                | OctetKinds.COLON
                | OctetKinds.DASH
                | OctetKinds.BLANK);
  }

  /** True for what no name can be, and every network is. */
  static boolean looksLikeNetwork(int kinds) {
    return OctetKinds.any(kinds, OctetKinds.COLON)
        || OctetKinds.only(kinds, OctetKinds.DIGIT | OctetKinds.DOT | OctetKinds.SLASH);
  }

  /** True when the text was a range, good or bad, and nothing is left to do. */
  private static boolean range(ParseRun run, byte[] text, int from, int to) {
    int dash = Octets.indexOf(text, from, to, '-');
    if (dash < 0) {
      return false;
    }
    int firstEnd = Octets.trimEnd(text, from, dash);
    int lastFrom = Octets.skipBlanks(text, dash + 1, to);
    if (!(IpAddress.parse(text, from, firstEnd) instanceof Parsed.Ok<IpAddress>(var first, var a))
        || !(IpAddress.parse(text, lastFrom, to)
            instanceof Parsed.Ok<IpAddress>(var last, var b))) {
      return false;
    }
    run.range(first, last, false);
    return true;
  }

  /** A bare name reaches as far as itself; {@code *.x}, {@code .x} and {@code ||x^} below too. */
  private static void name(ParseRun run, Accepts accepts, byte[] text, int from, int to) {
    int start = from;
    int end = to;
    NameMatch match = NameMatch.SUFFIX;
    if (Octets.startsWith(text, from, to, "*.")) {
      start += 2;
    } else if (text[from] == '.') {
      start++;
    } else if (accepts == Accepts.ANYTHING
        && Octets.startsWith(text, from, to, "||")
        && text[to - 1] == '^') {
      start += 2;
      end--;
    } else {
      match = NameMatch.EXACT;
    }
    run.name(parseName(text, start, end), match, false);
  }

  static Parsed<DomainName> parseName(byte[] text, int from, int to) {
    if (from >= to) {
      return Parsed.bad("empty label in a domain name");
    }
    Parsed<DomainName> read = DomainName.parse(text, from, to);
    // Octets that are no UTF-8 may be a name in Latin-1.
    return read instanceof Parsed.Ok || Octets.isAscii(text, from, to)
        ? read
        : DomainName.parse(Octets.decode(text, from, to));
  }

  private static void mailbox(ParseRun run, byte[] text, int from, int to) {
    if (text[from] == '@') {
      run.wholeDomain(parseName(text, from + 1, to));
      return;
    }
    Parsed<MailAddress> read = MailAddress.parse(Octets.decode(text, from, to));
    boolean overlong =
        read instanceof Parsed.Ok && localOctets(text, from, to) > FeedLimits.LOCAL_PART_OCTETS;
    run.address(overlong ? Parsed.bad("local part longer than 64 octets") : read, false);
  }

  private static int localOctets(byte[] text, int from, int to) {
    int at = to - 1;
    while (text[at] != '@') {
      at--;
    }
    return at - from;
  }
}
