package io.bloomgate.blocklists.feed;

import io.bloomgate.blocklists.key.DomainName;
import io.bloomgate.blocklists.key.ListEntry.NameMatch;
import io.bloomgate.blocklists.key.Parsed;
import java.io.IOException;
import java.io.InputStream;
import java.util.Set;

/**
 * The format {@code dnsmasq}: {@code address=/x/0.0.0.0}, {@code local=/x/} and {@code server=/x/}
 * list a name and all below it, {@code dnsmasq(8)}. A name that is sent to a real address or server
 * is not blocked, so it is left out, like every other setting.
 */
final class DnsmasqParser implements FeedParser {

  private static final Set<String> SETTINGS = Set.of("address", "local", "server");

  /** Answers that mean "there is no such host"; {@code #} is the null address of both families. */
  private static final Set<String> NOWHERE = Set.of("", "#", "0.0.0.0", "127.0.0.1", "::", "::1");

  @Override
  public void parse(InputStream text, ParseRun run) throws IOException {
    LineLoop.read(text, run, (octets, from, to, number) -> line(run, octets, from, to, number));
  }

  private static void line(ParseRun run, byte[] text, int from, int to, int number) {
    if (text[from] == '#') {
      return;
    }
    int equals = Octets.indexOf(text, from, to, '=');
    int last = to - 1;
    while (last > equals && text[last] != '/') {
      last--;
    }
    if (equals < 0
        || !SETTINGS.contains(Octets.decode(text, from, equals))
        || last <= equals + 1
        || text[equals + 1] != '/'
        || !NOWHERE.contains(Octets.decode(text, last + 1, to))) {
      run.skip();
      return;
    }
    int at = equals + 2;
    while (at <= last) {
      int slash = Octets.indexOf(text, at, last + 1, '/');
      name(run, text, at, slash, number);
      at = slash + 1;
    }
  }

  private static void name(ParseRun run, byte[] text, int from, int to, int number) {
    int start = Octets.startsWith(text, from, to, ".") ? from + 1 : from;
    switch (EntryText.parseName(text, start, to)) {
      case Parsed.Bad<DomainName>(String reason) -> run.problem(number, reason, text, from, to);
      case Parsed.Ok<DomainName>(DomainName name, var ignored) ->
          run.domain(name, NameMatch.SUFFIX, number);
    }
  }
}
