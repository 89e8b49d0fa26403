package io.bloomgate.blocklists.feed;

import io.bloomgate.blocklists.key.DomainName;
import io.bloomgate.blocklists.key.ListEntry.NameMatch;
import java.io.IOException;
import java.io.InputStream;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The format {@code unbound}: {@code local-zone: "x." TYPE} with a type that denies lists a name
 * and all below it, with a type that lets through it is an exception; {@code unbound.conf(5)}. All
 * other settings are left out.
 */
final class UnboundParser implements FeedParser {

  /** Greedy parts cannot overlap, so a hostile line costs one pass. */
  private static final Pattern LOCAL_ZONE =
      Pattern.compile("local-zone:\\s*+\"?+([^\"\\s]++)\"?+\\s++\"?+([a-z_]++)\"?+\\s*+(?:#.*+)?");

  private static final Set<String> DENIES =
      Set.of(
          "deny",
          "refuse",
          "static",
          "redirect",
          "inform_deny",
          "inform_redirect",
          "always_deny",
          "always_refuse",
          "always_nxdomain",
          "always_nodata",
          "always_null");

  private static final Set<String> LETS_THROUGH =
      Set.of("transparent", "typetransparent", "inform", "always_transparent", "nodefault");

  @Override
  public void parse(InputStream text, ParseRun run) throws IOException {
    LineLoop.read(text, run, (octets, from, to, number) -> line(run, octets, from, to, number));
  }

  private static void line(ParseRun run, byte[] text, int from, int to, int number) {
    if (text[from] == '#') {
      return;
    }
    String line = Octets.decode(text, from, to);
    if (!line.startsWith("local-zone:")) {
      run.skip();
      return;
    }
    Matcher zone = LOCAL_ZONE.matcher(line);
    if (!zone.matches()) {
      run.problem(number, "local-zone without a name and a type", line);
      return;
    }
    zone(run, zone.group(1), zone.group(2).toLowerCase(Locale.ROOT), number);
  }

  private static void zone(ParseRun run, String written, String type, int number) {
    boolean through = LETS_THROUGH.contains(type);
    if (!through && !DENIES.contains(type)) {
      run.problem(number, "local-zone of a type that is not known", type);
      return;
    }
    run.name(DomainName.parse(written), NameMatch.SUFFIX, through, number, written);
  }
}
