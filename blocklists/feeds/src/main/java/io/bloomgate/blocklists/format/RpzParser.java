package io.bloomgate.blocklists.format;

import io.bloomgate.blocklists.entry.ListEntry.NameMatch;
import io.bloomgate.config.name.DomainName;
import io.bloomgate.config.name.IpPrefix;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The format {@code rpz}: DNS response policy zones, draft-vixie-dnsop-dns-rpz-00. A name {@code x}
 * is exact, {@code *.x} is what is below; policies that deny are entries, {@code rpz-passthru} is
 * an exception. {@code rpz-ip} and {@code rpz-client-ip} triggers are networks. Triggers on name
 * servers and {@code rpz-tcp-only} list nothing; local data, which is an answer with something
 * real, is a bad line. Made for one zone, whose name it learns; on the parsing thread.
 */
final class RpzParser {

  private static final Set<String> CLASSES = Set.of("IN", "CH", "HS", "ANY");

  private static final Pattern TTL = Pattern.compile("[0-9][0-9smhdwSMHDW]*+");

  private enum Policy {
    DENY,
    PASS,
    NEITHER
  }

  private final FeedLines lines;
  private final ParseRun run;

  /** The owner of the record before, which counts for one that names none. */
  private String owner = "";

  /** The zone's own name without the last dot; empty until it is known. */
  private String apex = "";

  /** The ending of relative owners inside the zone. */
  private String inside = "";

  /** True after the record that every zone begins with. */
  private boolean begun;

  private RpzParser(InputStream text, ParseRun run) {
    this.lines = new FeedLines(text);
    this.run = run;
  }

  /** Reads a zone to its end. */
  static void parse(InputStream text, ParseRun run) throws IOException {
    RpzParser zone = new RpzParser(text, run);
    Optional<List<String>> next = zone.next();
    while (next.isPresent()) {
      zone.read(next.get());
      next = zone.next();
    }
  }

  private void read(List<String> words) {
    String first = words.getFirst();
    if (first.startsWith("$")) {
      run.skip();
      if (first.equalsIgnoreCase("$ORIGIN") && words.size() > 1) {
        origin(words.get(1));
      }
      return;
    }
    int type = 1;
    while (type < words.size() && isTtlOrClass(words.get(type))) {
      type++;
    }
    if (type + 1 >= words.size()) {
      run.problem("record without a type and a value");
      return;
    }
    policy(words.getFirst(), words.get(type).toUpperCase(Locale.ROOT), words.get(type + 1));
  }

  /** RFC 1035 section 5.1: a name without a last dot is relative to the origin before. */
  private void origin(String name) {
    if (apex.isEmpty() && !begun) {
      // Often it is the zone's own name, written without its dot.
      apex = bare(name);
    } else if (name.endsWith(".")) {
      inside = relative(bare(name));
    } else if (!name.equals("@")) {
      inside = inside.isEmpty() ? name : name + "." + inside;
    }
  }

  /** The part of an absolute name before the zone's own; empty outside of it. */
  private String relative(String absolute) {
    int end = absolute.length() - apex.length() - 1;
    return end > 0 && endsInApex(absolute) ? absolute.substring(0, end) : "";
  }

  private static boolean isTtlOrClass(String word) {
    return CLASSES.contains(word.toUpperCase(Locale.ROOT)) || TTL.matcher(word).matches();
  }

  private void policy(String owner, String type, String value) {
    if (type.equals("SOA")) {
      begun = true;
      if (apex.isEmpty() && owner.endsWith(".")) {
        apex = bare(owner);
      }
    }
    String trigger = trigger(owner);
    Policy policy =
        switch (type) {
          case "CNAME" -> ofTarget(trigger, value.toLowerCase(Locale.ROOT));
          case "A", "AAAA" -> EntryText.NOWHERE.contains(value) ? Policy.DENY : Policy.NEITHER;
          default -> Policy.NEITHER;
        };
    if (trigger.isEmpty()
        || isOfNameServers(trigger)
        || type.equals("NS")
        || type.equals("SOA")
        || (type.equals("CNAME") && bare(value).equalsIgnoreCase("rpz-tcp-only"))) {
      run.skip();
    } else if (policy == Policy.NEITHER) {
      run.problem("local data, which refuses nothing");
    } else {
      trigger(trigger, policy == Policy.PASS);
    }
  }

  private static Policy ofTarget(String trigger, String target) {
    return switch (bare(target)) {
      // NXDOMAIN, NODATA and no answer at all: sections 3.1 to 3.3.
      case "", "*", "rpz-drop" -> Policy.DENY;
      case "rpz-passthru" -> Policy.PASS;
      // The older form of passthru: an alias of itself, section 3.4.
      default ->
          bare(target).equals(trigger.toLowerCase(Locale.ROOT)) ? Policy.PASS : Policy.NEITHER;
    };
  }

  /** The owner without the name of the zone; empty for the zone itself. */
  private String trigger(String owner) {
    if (owner.equals("@")) {
      return inside;
    }
    if (!owner.endsWith(".")) {
      return inside.isEmpty() ? owner : owner + "." + inside;
    }
    String absolute = bare(owner);
    if (apex.isEmpty() || !endsInApex(absolute)) {
      return absolute;
    }
    return relative(absolute);
  }

  private boolean endsInApex(String absolute) {
    String folded = absolute.toLowerCase(Locale.ROOT);
    String zone = apex.toLowerCase(Locale.ROOT);
    return folded.equals(zone) || folded.endsWith("." + zone);
  }

  private void trigger(String trigger, boolean exception) {
    String folded = trigger.toLowerCase(Locale.ROOT);
    if (folded.endsWith(".rpz-ip") || folded.endsWith(".rpz-client-ip")) {
      network(folded.substring(0, folded.lastIndexOf('.')), exception);
    } else {
      name(trigger, exception);
    }
  }

  private static boolean isOfNameServers(String trigger) {
    String folded = trigger.toLowerCase(Locale.ROOT);
    return folded.endsWith(".rpz-nsip") || folded.endsWith(".rpz-nsdname");
  }

  private void name(String trigger, boolean exception) {
    boolean below = trigger.startsWith("*.");
    NameMatch match = below ? NameMatch.BELOW : NameMatch.EXACT;
    run.name(DomainName.parse(below ? trigger.substring(2) : trigger), match, exception);
  }

  /** {@code 24.0.113.0.203} is 203.0.113.0/24; in IPv6 {@code zz} means {@code ::}. */
  private void network(String reversed, boolean exception) {
    List<String> parts = List.of(reversed.split("\\.", -1)).reversed();
    String length = parts.getLast();
    List<String> address = parts.subList(0, parts.size() - 1);
    boolean v4 = address.size() == 4 && !address.contains("zz");
    String text =
        v4 ? String.join(".", address) : String.join(":", address).replaceFirst(":?zz:?", "::");
    run.network(IpPrefix.parse(text + "/" + length), exception);
  }

  private static String bare(String name) {
    return name.endsWith(".") ? name.substring(0, name.length() - 1) : name;
  }

  /**
   * The words of the next record or directive in master file form, RFC 1035 section 5.1: owner or
   * directive first, comments and quotes off, parentheses joined; nothing at the end of the text.
   */
  private Optional<List<String>> next() throws IOException {
    for (String first = line(); first != null; first = line()) {
      int number = lines.number();
      Words words = new Words();
      words.add(first);
      String more = first;
      while (words.open > 0
          && more != null
          && lines.number() - number < FeedLimits.LINES_PER_RECORD) {
        more = line();
        words.add(more == null ? "" : more);
      }
      if (words.open > 0) {
        // As a name server, which does not load such a zone.
        run.damage("line " + number + ": parenthesis that is not closed");
        return Optional.empty();
      }
      if (!words.found.isEmpty()) {
        run.at(number, first);
        return Optional.of(withOwner(words.found, first));
      }
    }
    return Optional.empty();
  }

  private @Nullable String line() throws IOException {
    return lines.next(run) ? lines.text() : null;
  }

  private List<String> withOwner(List<String> words, String text) {
    if (text.charAt(0) == ' ' || text.charAt(0) == '\t') {
      words.addFirst(owner);
    } else if (!words.getFirst().startsWith("$")) {
      owner = words.getFirst();
    }
    return words;
  }

  /** Cuts lines into words until no parenthesis is open. */
  private static final class Words {
    private final List<String> found = new ArrayList<>();
    private int open;

    void add(String line) {
      StringBuilder word = new StringBuilder();
      boolean quoted = false;
      for (int i = 0; i < line.length(); i++) {
        char c = line.charAt(i);
        if (c == '"') {
          quoted = !quoted;
        } else if (quoted) {
          word.append(c);
        } else if (c == ';') {
          break;
        } else if (c == ' ' || c == '\t' || c == '(' || c == ')') {
          open += c == '(' ? 1 : c == ')' ? -1 : 0;
          end(word);
        } else {
          word.append(c);
        }
      }
      end(word);
    }

    private void end(StringBuilder word) {
      if (!word.isEmpty()) {
        found.add(word.toString());
        word.setLength(0);
      }
    }
  }
}
