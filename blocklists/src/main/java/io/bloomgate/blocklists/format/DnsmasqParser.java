package io.bloomgate.blocklists.format;

import io.bloomgate.blocklists.entry.ListEntry.NameMatch;
import io.bloomgate.blocklists.format.octets.Octets;
import java.io.IOException;
import java.io.InputStream;
import java.util.Set;

/**
 * The format {@code dnsmasq}: {@code address=/x/0.0.0.0}, {@code local=/x/} and {@code server=/x/}
 * list a name and all below it, {@code dnsmasq(8)}; {@code server=/x/#} is an exception. A name
 * that is sent to a real address or server is not blocked, so its line is a bad one, like every
 * other setting.
 */
final class DnsmasqParser implements FeedParser {

  /** The server of an exception: the name is asked at the usual servers. */
  private static final String STANDARD_SERVERS = "#";

  /** Answers that mean "there is no such host"; {@code #} is the null address of both families. */
  private static final Set<String> NOWHERE = Set.of("", "#", "0.0.0.0", "127.0.0.1", "::", "::1");

  @Override
  public void parse(InputStream text, ParseRun run) throws IOException {
    LineLoop.read(text, run, (octets, from, to, number) -> line(run, octets, from, to, number));
  }

  private static void line(ParseRun run, byte[] text, int from, int lineTo, int number) {
    if (text[from] == '#') {
      return;
    }
    int to = withoutComment(text, from, lineTo);
    int equals = Octets.indexOf(text, from, to, '=');
    int last = to - 1;
    while (last > equals && text[last] != '/') {
      last--;
    }
    if (equals < 0 || last <= equals + 1 || text[equals + 1] != '/') {
      run.problem(number, "no line address=/NAME/, local=/NAME/ or server=/NAME/", text, from, to);
      return;
    }
    String setting = Octets.decode(text, from, equals);
    String value = Octets.decode(text, last + 1, to);
    boolean servers = setting.equals("server") || setting.equals("local");
    boolean denies =
        servers ? value.isEmpty() : setting.equals("address") && NOWHERE.contains(value);
    boolean excepts = servers && value.equals(STANDARD_SERVERS);
    if (!denies && !excepts) {
      run.problem(number, "sends a name to a real address or server", text, from, to);
      return;
    }
    int at = equals + 2;
    while (at <= last) {
      int slash = Octets.indexOf(text, at, last + 1, '/');
      name(run, text, at, slash, excepts, number);
      at = slash + 1;
    }
  }

  /** A comment follows a blank; {@code /#} without one is a value. */
  private static int withoutComment(byte[] text, int from, int to) {
    for (int i = from + 1; i < to; i++) {
      if (text[i] == '#' && Octets.isBlank(text[i - 1])) {
        return Octets.trimEnd(text, from, i);
      }
    }
    return to;
  }

  private static void name(
      ParseRun run, byte[] text, int from, int to, boolean exception, int number) {
    int start = Octets.startsWith(text, from, to, ".") ? from + 1 : from;
    run.name(
        EntryText.parseName(text, start, to),
        NameMatch.SUFFIX,
        exception,
        number,
        Octets.decode(text, from, to));
  }
}
