package io.bloomgate.blocklists.format;

import io.bloomgate.blocklists.entry.ListEntry;
import io.bloomgate.blocklists.entry.ListEntry.NameMatch;
import io.bloomgate.blocklists.format.FeedSink.ParseProblem;
import io.bloomgate.blocklists.format.octets.FeedLimits;
import io.bloomgate.blocklists.format.octets.Octets;
import io.bloomgate.config.name.AsNumber;
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
  private long linesBefore;
  private long readBefore;
  private long entries;
  private long invalid;
  private long skipped;
  private long masked;
  private @Nullable String damage;

  ParseRun(FeedSink sink, @Nullable Match match) {
    this.sink = sink;
    this.match = match;
  }

  /** A part of the feed begins: its lines go on after those of the parts before. */
  void begin() {
    linesBefore = lines;
    readBefore = entries + invalid + skipped;
  }

  /** The number of a line over all parts. */
  private int at(int line) {
    return (int) Math.min(Integer.MAX_VALUE, linesBefore + line);
  }

  /** A host or network; its host bits may have been masked. */
  void network(Parsed.Ok<IpPrefix> parsed, boolean exception, int line) {
    masked += parsed.warning() == null ? 0 : 1;
    entry(new ListEntry.Network(parsed.value(), exception, at(line)));
  }

  private void entry(ListEntry entry) {
    entries++;
    sink.entry(entry);
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

  private List<ListEntry.Network> networks(
      IpAddress first, IpAddress last, boolean exception, int line) {
    return IpRange.networks(first, last).stream()
        .map(p -> new ListEntry.Network(p, exception, at(line)))
        .toList();
  }

  /** The reach of a name: as the operator says, but for what is below a name only. */
  private NameMatch effective(NameMatch written) {
    return switch (match) {
      case null -> written;
      case EXACT -> written == NameMatch.BELOW ? written : NameMatch.EXACT;
      case SUFFIX -> written == NameMatch.BELOW ? written : NameMatch.SUFFIX;
    };
  }

  /**
   * A name as it was read, an exception or not, or the problem with it.
   *
   * @param written how far the format says that the name reaches; the operator's {@code match}
   *     wins, but for what is below a name only, since the list left the name itself out
   */
  void name(Parsed<DomainName> read, NameMatch written, boolean exception, int line, String shown) {
    switch (read) {
      case Parsed.Bad<DomainName>(String reason) -> problem(line, reason, shown);
      case Parsed.Ok<DomainName>(DomainName name, var ignored) ->
          entry(
              new ListEntry.Domain(
                  name, exception ? written : effective(written), exception, at(line)));
    }
  }

  /** A name that the list names, or the problem with it. */
  void name(Parsed<DomainName> read, NameMatch written, int line, byte[] text, int from, int to) {
    switch (read) {
      case Parsed.Bad<DomainName>(String reason) -> problem(line, reason, text, from, to);
      case Parsed.Ok<DomainName>(DomainName name, var ignored) ->
          entry(new ListEntry.Domain(name, effective(written), false, at(line)));
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
    entry(new ListEntry.Domain(name, NameMatch.EXACT, false, at(line)));
  }

  /** A mailbox. */
  void address(MailAddress address, boolean exception, int line) {
    entry(new ListEntry.Address(address, exception, at(line)));
  }

  /** A web address. */
  void url(WebUrl url, int line) {
    entry(new ListEntry.Url(url, false, at(line)));
  }

  /** The host of a web address that was counted already. */
  void hostOf(WebUrl url, int line) {
    sink.entry(
        switch (url.host()) {
          case DomainName name ->
              new ListEntry.Domain(name, effective(NameMatch.EXACT), false, at(line));
          case IpAddress address -> new ListEntry.Network(IpPrefix.host(address), false, at(line));
          case MailAddress _, WebUrl _, Fingerprint _, Likeness _, AsNumber _ ->
              throw new IllegalStateException("the host of a web address is a name or an address");
        });
  }

  /** A SHA-256 value. */
  void print(Fingerprint print, int line) {
    entry(new ListEntry.Hash(print, false, at(line)));
  }

  /** An AS number as it was read, or the problem with it. */
  void asNumber(Parsed<AsNumber> read, int line, String shown) {
    switch (read) {
      case Parsed.Bad<AsNumber>(String reason) -> problem(line, reason, shown);
      case Parsed.Ok<AsNumber> ok -> entry(new ListEntry.As(ok.value(), false, at(line)));
    }
  }

  /**
   * A row of a table of AS numbers and countries.
   *
   * @param networks that it is about
   * @param line 0 in a file without lines
   */
  void asnRow(List<IpPrefix> networks, @Nullable AsNumber number, String country, int line) {
    entries++;
    int where = line == 0 ? 0 : at(line);
    networks.forEach(one -> sink.entry(new ListEntry.AsnRow(one, number, country, where)));
  }

  /** A line or value that is no entry. */
  void problem(int line, String reason, byte[] text, int from, int to) {
    invalid++;
    sink.problem(new ParseProblem(at(line), reason, Octets.escape(text, from, to)));
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
    sink.problem(new ParseProblem(at(line), reason, Octets.escape(text)));
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

  /** Sets the number of lines of this part that were read so far. */
  void lines(long count) {
    lines = linesBefore + count;
  }

  /** True until something of this part was read or left out, comments apart. */
  boolean isFirst() {
    return entries + invalid + skipped == readBefore;
  }

  ParseTotals totals() {
    return new ParseTotals(lines, entries, invalid, skipped, masked, damage);
  }
}
