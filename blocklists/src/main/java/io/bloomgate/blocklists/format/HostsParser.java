package io.bloomgate.blocklists.format;

import io.bloomgate.blocklists.entry.ListEntry.NameMatch;
import io.bloomgate.blocklists.format.octets.Octets;
import io.bloomgate.config.name.DomainName;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.name.IpPrefix;
import io.bloomgate.config.name.Parsed;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/**
 * The format {@code hosts}: an address to which the names after it are sent, {@code hosts(5)}.
 * Names that are sent nowhere are the entries. What every hosts file has for the machine itself is
 * skipped. A name with a real address is a bad line: somebody's own host, not a listed one.
 */
final class HostsParser implements FeedParser {

  private static final List<byte[]> SYSTEM =
      octets(
          "localhost",
          "localhost.localdomain",
          "localhost4",
          "localhost4.localdomain4",
          "localhost6",
          "localhost6.localdomain6",
          "local",
          "broadcasthost",
          "ip6-localhost",
          "ip6-loopback",
          "ip6-localnet",
          "ip6-mcastprefix",
          "ip6-allnodes",
          "ip6-allrouters",
          "ip6-allhosts",
          "0.0.0.0");

  /** RFC 1122 section 3.2.1.3. */
  private static final int LOOPBACK_OCTET = 127;

  private static List<byte[]> octets(String... names) {
    return Stream.of(names).map(Octets::encode).toList();
  }

  @Override
  public void parse(InputStream text, ParseRun run) throws IOException {
    LineLoop.read(text, run, (octets, from, to, number) -> line(run, octets, from, to, number));
  }

  private static void line(ParseRun run, byte[] text, int from, int lineTo, int number) {
    if (Comments.isWhole(text, from, lineTo)) {
      return;
    }
    int to = Comments.trimmed(text, from, lineTo);
    int at = Octets.tokenEnd(text, from, to);
    switch (IpAddress.parse(text, from, withoutZone(text, from, at))) {
      case Parsed.Bad<IpAddress> ignored ->
          run.problem(number, "does not begin with an address", text, from, to);
      case Parsed.Ok<IpAddress>(IpAddress address, var ignored) -> {
        if (at == to) {
          run.problem(number, "address without a name", text, from, to);
        } else if (isNowhere(address) || isSystem(text, Octets.skipBlanks(text, at, to), to)) {
          names(run, text, at, to, number);
        } else {
          run.problem(number, "sends a name to a real address", text, from, to);
        }
      }
    }
  }

  /** 0.0.0.0, 127.0.0.0/8, {@code ::} and {@code ::1}. */
  private static boolean isNowhere(IpAddress address) {
    return address.isV4()
        ? address.v4Bits() == 0 || address.v4Bits() >>> 24 == LOOPBACK_OCTET
        : address.high() == 0 && (address.low() == 0 || address.low() == 1);
  }

  /** The usual {@code fe80::1%lo0 localhost} is a line of the machine, not of the list. */
  private static int withoutZone(byte[] text, int from, int to) {
    int zone = Octets.indexOf(text, from, to, '%');
    return zone < 0 ? to : zone;
  }

  private static void names(ParseRun run, byte[] text, int from, int to, int number) {
    boolean system = false;
    int at = from;
    while (at < to) {
      int start = Octets.skipBlanks(text, at, to);
      at = Octets.tokenEnd(text, start, to);
      if (isSystem(text, start, at)) {
        system = true;
      } else if (EntryText.looksLikeNetwork(OctetKinds.of(text, start, at))
          && IpPrefix.parse(text, start, at) instanceof Parsed.Ok<IpPrefix> literal) {
        run.network(literal, false, number);
      } else {
        name(run, text, start, at, number);
      }
    }
    if (system) {
      run.skip();
    }
  }

  private static void name(ParseRun run, byte[] text, int from, int to, int number) {
    switch (EntryText.parseName(text, from, to)) {
      case Parsed.Bad<DomainName>(String reason) -> run.problem(number, reason, text, from, to);
      case Parsed.Ok<DomainName>(DomainName name, var ignored) ->
          run.domain(name, NameMatch.EXACT, number);
    }
  }

  private static boolean isSystem(byte[] text, int from, int to) {
    for (byte[] name : SYSTEM) {
      if (name.length == to - from && Arrays.equals(name, 0, name.length, text, from, to)) {
        return true;
      }
    }
    return false;
  }
}
