package io.bloomgate.blocklists.format;

import io.bloomgate.blocklists.entry.ListEntry;
import io.bloomgate.blocklists.entry.ListEntry.NameMatch;
import io.bloomgate.blocklists.format.FeedSink.ParseProblem;
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
import java.util.function.Function;
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

  /** The number of the line that is read, over all parts; 0 in a file without lines. */
  private int number;

  /** The octets of it that a problem shows. */
  private byte[] shown = {};

  private int shownFrom;
  private int shownTo;

  ParseRun(FeedSink sink, @Nullable Match match) {
    this.sink = sink;
    this.match = match;
  }

  /** A part of the feed begins: its lines go on after those of the parts before. */
  void begin() {
    linesBefore = lines;
    readBefore = entries + invalid + skipped;
    number = 0;
  }

  /** A line, or a value of it, begins: what is said next is about it. */
  void at(int line, byte[] text, int from, int to) {
    number = (int) Math.min(Integer.MAX_VALUE, linesBefore + line);
    shown = text;
    shownFrom = from;
    shownTo = to;
  }

  /** The line of this part that is read. */
  int line() {
    return (int) (number - linesBefore);
  }

  /** The same of a text that is no line. */
  void at(int line, String text) {
    byte[] octets = Octets.encode(text);
    at(line, octets, 0, octets.length);
  }

  private void entry(ListEntry entry) {
    entries++;
    sink.entry(entry);
  }

  private <T> void take(Parsed<T> read, Function<T, ListEntry> made) {
    switch (read) {
      case Parsed.Bad<T>(String reason) -> problem(reason);
      case Parsed.Ok<T>(T value, String warning) -> {
        masked += warning != null && value instanceof IpPrefix ? 1 : 0;
        entry(made.apply(value));
      }
    }
  }

  /** A host or network, or the problem with it; its host bits may have been masked. */
  void network(Parsed<IpPrefix> read, boolean exception) {
    take(read, prefix -> new ListEntry.Network(prefix, exception, number));
  }

  /** A range, both ends included, or the problem with it. */
  void range(IpAddress first, IpAddress last, boolean exception) {
    if (first.isV4() != last.isV4()) {
      problem("range between two families");
    } else if (first.compareTo(last) > 0) {
      problem("range that ends before it begins");
    } else {
      entries++;
      List<ListEntry.Network> networks =
          IpRange.networks(first, last).stream()
              .map(prefix -> new ListEntry.Network(prefix, exception, number))
              .toList();
      if (exception) {
        networks.forEach(sink::entry);
      } else {
        sink.range(first, last, networks);
      }
    }
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
   * A name, or the problem with it.
   *
   * @param written how far the format says that the name reaches; the operator's {@code match}
   *     wins, but for exceptions and for what is below a name only, since the list left the name
   *     itself out
   */
  void name(Parsed<DomainName> read, NameMatch written, boolean exception) {
    NameMatch reach = exception ? written : effective(written);
    take(read, name -> new ListEntry.Domain(name, reach, exception, number));
  }

  /** {@code @name}: every mailbox of this very domain, whatever the match mode of names is. */
  void wholeDomain(Parsed<DomainName> read) {
    take(read, name -> new ListEntry.Domain(name, NameMatch.EXACT, false, number));
  }

  /** A mailbox, or the problem with it. */
  void address(Parsed<MailAddress> read, boolean exception) {
    take(read, address -> new ListEntry.Address(address, exception, number));
  }

  /** A web address, or the problem with it. */
  void url(Parsed<WebUrl> read) {
    take(read, url -> new ListEntry.Url(url, false, number));
  }

  /** The host of a web address that was counted already. */
  void hostOf(WebUrl url) {
    sink.entry(
        switch (url.host()) {
          case DomainName name ->
              new ListEntry.Domain(name, effective(NameMatch.EXACT), false, number);
          case IpAddress address -> new ListEntry.Network(IpPrefix.host(address), false, number);
          case MailAddress _, WebUrl _, Fingerprint _, Likeness _, AsNumber _ ->
              throw new IllegalStateException("the host of a web address is a name or an address");
        });
  }

  /** A SHA-256 value, or the problem with it. */
  void print(Parsed<Fingerprint> read) {
    take(read, print -> new ListEntry.Hash(print, false, number));
  }

  /** An AS number, or the problem with it. */
  void asNumber(Parsed<AsNumber> read) {
    take(read, as -> new ListEntry.As(as, false, number));
  }

  /** A row of a table of AS numbers and countries about these networks. */
  void asnRow(List<IpPrefix> networks, @Nullable AsNumber as, String country) {
    entries++;
    networks.forEach(one -> sink.entry(new ListEntry.AsnRow(one, as, country, number)));
  }

  /** Counts and shows what is read now, which is no entry. */
  void problem(String reason) {
    invalid++;
    sink.problem(new ParseProblem(number, reason, Octets.escape(shown, shownFrom, shownTo)));
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
