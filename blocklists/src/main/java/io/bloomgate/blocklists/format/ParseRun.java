package io.bloomgate.blocklists.format;

import io.bloomgate.blocklists.entry.ListEntry;
import io.bloomgate.blocklists.entry.ListEntry.NameMatch;
import io.bloomgate.blocklists.format.FeedSink.ParseProblem;
import io.bloomgate.blocklists.format.octets.FeedLimits;
import io.bloomgate.blocklists.format.octets.Octets;
import io.bloomgate.config.name.DomainName;
import io.bloomgate.config.name.Fingerprint;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.name.IpPrefix;
import io.bloomgate.config.name.Likeness;
import io.bloomgate.config.name.MailAddress;
import io.bloomgate.config.name.Parsed;
import io.bloomgate.config.name.WebUrl;
import io.bloomgate.config.settings.Settings.Feeds.Match;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The state that all parsers share while they read one text: turning values into entries with the
 * operator's match mode, counting, and handing on. Made for one text, used on the thread that
 * parses it.
 */
final class ParseRun {

  private final FeedSink sink;
  private final @Nullable Match match;
  private long lines;
  private long entries;
  private long invalid;
  private long skipped;
  private long masked;
  private @Nullable String damage;

  ParseRun(FeedSink sink, @Nullable Match match) {
    this.sink = sink;
    this.match = match;
  }

  /** A host or network; its host bits may have been masked. */
  void network(Parsed.Ok<IpPrefix> parsed, boolean exception, int line) {
    entries++;
    if (parsed.warning() != null) {
      masked++;
    }
    sink.entry(new ListEntry.Network(parsed.value(), exception, line));
  }

  /** A range, both ends included. */
  void range(IpAddress first, IpAddress last, int line) {
    entries++;
    sink.range(first, last, networks(first, last, false, line));
  }

  /** A range as it was read, or the problem with it. */
  void range(IpAddress first, IpAddress last, int line, byte[] text, int from, int to) {
    if (first.isV4() != last.isV4()) {
      problem(line, "range between two families", text, from, to);
    } else if (first.compareTo(last) > 0) {
      problem(line, "range that ends before it begins", text, from, to);
    } else {
      range(first, last, line);
    }
  }

  /** A range that the list takes out. */
  void rangeException(IpAddress first, IpAddress last, int line) {
    entries++;
    networks(first, last, true, line).forEach(sink::entry);
  }

  private static List<ListEntry.Network> networks(
      IpAddress first, IpAddress last, boolean exception, int line) {
    return IpRange.networks(first, last).stream()
        .map(p -> new ListEntry.Network(p, exception, line))
        .toList();
  }

  /**
   * A name.
   *
   * @param written how far the format says that the name reaches; the operator's {@code match}
   *     wins, but for what is below a name only, since the list left the name itself out
   */
  void domain(DomainName name, NameMatch written, int line) {
    entries++;
    sink.entry(new ListEntry.Domain(name, effective(written), false, line));
  }

  private NameMatch effective(NameMatch written) {
    return switch (written) {
      case BELOW -> written;
      case EXACT, SUFFIX ->
          switch (match) {
            case null -> written;
            case EXACT -> NameMatch.EXACT;
            case SUFFIX -> NameMatch.SUFFIX;
          };
    };
  }

  /** A name as it was read, an exception or not, or the problem with it. */
  void name(Parsed<DomainName> read, NameMatch written, boolean exception, int line, String shown) {
    switch (read) {
      case Parsed.Bad<DomainName>(String reason) -> problem(line, reason, shown);
      case Parsed.Ok<DomainName>(DomainName name, var ignored) -> {
        entries++;
        NameMatch match = exception ? written : effective(written);
        sink.entry(new ListEntry.Domain(name, match, exception, line));
      }
    }
  }

  /** A name that the list names, or the problem with it. */
  void name(Parsed<DomainName> read, NameMatch written, int line, byte[] text, int from, int to) {
    switch (read) {
      case Parsed.Bad<DomainName>(String reason) -> problem(line, reason, text, from, to);
      case Parsed.Ok<DomainName>(DomainName name, var ignored) -> domain(name, written, line);
    }
  }

  /** A network as it was read, an exception or not, or the problem with it. */
  void network(Parsed<IpPrefix> read, boolean exception, int line, String shown) {
    switch (read) {
      case Parsed.Bad<IpPrefix>(String reason) -> problem(line, reason, shown);
      case Parsed.Ok<IpPrefix> ok -> network(ok, exception, line);
    }
  }

  /** {@code @name}: every mailbox of this very domain, whatever the match mode of names is. */
  void wholeDomain(DomainName name, int line) {
    entries++;
    sink.entry(new ListEntry.Domain(name, NameMatch.EXACT, false, line));
  }

  /** A mailbox. */
  void address(MailAddress address, boolean exception, int line) {
    entries++;
    sink.entry(new ListEntry.Address(address, exception, line));
  }

  /** A web address. */
  void url(WebUrl url, int line) {
    entries++;
    sink.entry(new ListEntry.Url(url, false, line));
  }

  /** The host of a web address that was counted already. */
  void hostOf(WebUrl url, int line) {
    switch (url.host()) {
      case DomainName name ->
          sink.entry(new ListEntry.Domain(name, effective(NameMatch.EXACT), false, line));
      case IpAddress address ->
          sink.entry(new ListEntry.Network(IpPrefix.host(address), false, line));
      case MailAddress _, WebUrl _, Fingerprint _, Likeness _ ->
          throw new IllegalStateException("the host of a web address is a name or an address");
    }
  }

  /** A SHA-256 value. */
  void print(Fingerprint print, int line) {
    entries++;
    sink.entry(new ListEntry.Hash(print, false, line));
  }

  /** A line or value that is no entry. */
  void problem(int line, String reason, byte[] text, int from, int to) {
    invalid++;
    sink.problem(new ParseProblem(line, reason, Octets.escape(text, from, to)));
  }

  /** A line above the limit; its beginning is shown. */
  void overlong(FeedLines lines) {
    problem(
        lines.number(),
        "line longer than " + FeedLimits.LINE_OCTETS + " octets",
        lines.octets(),
        lines.from(),
        lines.to());
  }

  /** A value that is no entry. */
  void problem(int line, String reason, String text) {
    invalid++;
    sink.problem(new ParseProblem(line, reason, Octets.escape(text)));
  }

  /** A line that is well-formed and lists nothing, or something that no mail can hit. */
  void skip() {
    skipped++;
  }

  /** The text as a whole cannot be trusted; the first reason stays. */
  void damage(String reason) {
    if (damage == null) {
      damage = reason;
    }
  }

  /** Sets the number of lines that were read so far. */
  void lines(long count) {
    lines = count;
  }

  /** True until something was read or left out, comments apart. */
  boolean isFirst() {
    return entries == 0 && invalid == 0 && skipped == 0;
  }

  ParseTotals totals() {
    return new ParseTotals(lines, entries, invalid, skipped, masked, damage);
  }
}
