package io.bloomgate.blocklists.format;

import io.bloomgate.blocklists.entry.ListEntry.NameMatch;
import io.bloomgate.config.name.DomainName;
import io.bloomgate.config.name.Parsed;
import java.io.IOException;
import java.io.InputStream;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The format {@code unbound}: {@code local-zone: "x." TYPE} with a type that denies lists a name
 * and all below it, with a type that lets through it is an exception; {@code unbound.conf(5)}. A
 * zone that is answered from {@code local-data} lists nothing when that has real addresses; data
 * that says "there is no such host" lists its name. All else but the headings is a bad line.
 *
 * <p>Addresses may be before or after their zone, so zones that may be answered from local data
 * wait until the end of the text. Made for one text; on the parsing thread.
 */
final class UnboundParser {

  /** Greedy parts cannot overlap, so a hostile line costs one pass. */
  private static final Pattern LOCAL_ZONE =
      Pattern.compile("local-zone:\\s*+\"?+([^\"\\s]++)\"?+\\s++\"?+([a-z_]++)\"?+\\s*+(?:#.*+)?");

  /** {@code server:} and the like. */
  private static final Pattern HEADING = Pattern.compile("[a-z-]++:\\s*+(?:#.*+)?");

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

  /** Types under which clients get what {@code local-data} says. */
  private static final Set<String> ANSWERS = Set.of("static", "redirect", "inform_redirect");

  private static final Pattern LOCAL_DATA =
      Pattern.compile(
          "local-data:\\s*+[\"']([^\\s\"']++)\\s++(?:[0-9]++\\s++)?+(?:[Ii][Nn]\\s++)?+([A-Za-z]++)"
              + "\\s++([^\\s\"']++).*+");

  private static final Set<String> REAL_TYPES = Set.of("A", "AAAA", "CNAME");

  /** Zones that wait, and names that are remembered; what lies further apart is not joined. */
  private static final int MOST_WAITING = 100_000;

  /** A zone. */
  private record Zone(boolean through, int line, String written) {}

  private final ParseRun run;
  private final Map<DomainName, Zone> waiting = new LinkedHashMap<>();

  /** Names with real addresses, and all around them. */
  private final Set<DomainName> answered = new HashSet<>();

  private UnboundParser(ParseRun run) {
    this.run = run;
  }

  /** Reads a text to its end. */
  static void parse(InputStream text, ParseRun run) throws IOException {
    UnboundParser parser = new UnboundParser(run);
    FeedLines.read(text, run, (_, octets, from, to) -> parser.line(octets, from, to));
    parser.waiting.forEach(parser::handOn);
  }

  private void line(byte[] text, int from, int to) {
    if (text[from] == '#') {
      return;
    }
    String line = Octets.decode(text, from, to);
    if (!line.startsWith("local-zone:")) {
      data(line);
      return;
    }
    Matcher zone = LOCAL_ZONE.matcher(line);
    if (!zone.matches()) {
      run.problem("local-zone without a name and a type");
      return;
    }
    zone(zone.group(1), zone.group(2).toLowerCase(Locale.ROOT));
  }

  private void data(String line) {
    Matcher data = LOCAL_DATA.matcher(line);
    if (!data.matches() || !REAL_TYPES.contains(data.group(2).toUpperCase(Locale.ROOT))) {
      if (HEADING.matcher(line).matches()) {
        run.skip();
      } else {
        run.problem("no local-zone, and no local-data with an address");
      }
    } else if (EntryText.NOWHERE.contains(data.group(3))) {
      run.name(DomainName.parse(data.group(1)), NameMatch.EXACT, false);
    } else {
      run.problem("local-data with a real address");
      DomainName.parse(data.group(1)).toOptional().ifPresent(this::real);
    }
  }

  private void zone(String written, String type) {
    boolean through = LETS_THROUGH.contains(type);
    if (!through && !DENIES.contains(type)) {
      run.problem("local-zone of a type that is not known");
      return;
    }
    switch (DomainName.parse(written)) {
      case Parsed.Bad<DomainName>(String reason) -> run.problem(reason);
      case Parsed.Ok<DomainName>(DomainName name, var ignored) ->
          zone(name, through, ANSWERS.contains(type), written);
    }
  }

  /**
   * A zone; one of the same name that still waits goes on first.
   *
   * @param answers whether clients would get the data in it
   */
  private void zone(DomainName name, boolean through, boolean answers, String written) {
    Zone zone = new Zone(through, run.line(), written);
    if (!answers) {
      handOn(name, zone);
    } else if (answered.contains(name)) {
      isReal(zone);
    } else {
      Zone before = waiting.put(name, zone);
      if (before != null) {
        handOn(name, before);
      }
      if (waiting.size() > MOST_WAITING) {
        Map.Entry<DomainName, Zone> eldest = waiting.entrySet().iterator().next();
        waiting.remove(eldest.getKey());
        handOn(eldest.getKey(), eldest.getValue());
      }
    }
  }

  /** A name that is answered with a real address: the zone around it lists nothing. */
  private void real(DomainName owner) {
    for (int label = 0; owner.labels() - label >= 2; label++) {
      DomainName around = owner.from(label);
      Zone zone = waiting.remove(around);
      if (zone != null) {
        isReal(zone);
      }
      if (answered.size() < MOST_WAITING) {
        answered.add(around);
      }
    }
  }

  private void isReal(Zone zone) {
    run.at(zone.line, zone.written);
    run.problem("local-zone that is answered with real addresses");
  }

  private void handOn(DomainName name, Zone zone) {
    run.at(zone.line, zone.written);
    run.name(Parsed.ok(name), NameMatch.SUFFIX, zone.through);
  }
}
