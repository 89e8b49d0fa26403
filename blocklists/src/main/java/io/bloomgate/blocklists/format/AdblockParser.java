package io.bloomgate.blocklists.format;

import io.bloomgate.blocklists.entry.ListEntry.NameMatch;
import io.bloomgate.blocklists.format.octets.Octets;
import io.bloomgate.config.name.IpPrefix;
import io.bloomgate.config.name.Parsed;
import java.io.IOException;
import java.io.InputStream;
import java.util.Locale;
import java.util.Set;

/**
 * The format {@code adblock}: rules {@code ||x^} list a name and all below it, {@code @@||x^} are
 * exceptions. Rules about parts of pages, paths or kinds of requests say nothing of a whole name;
 * they are counted and left out.
 *
 * @see <a href="https://help.adblockplus.org/hc/en-us/articles/360062733293">Adblock Plus, how to
 *     write filters</a>
 */
final class AdblockParser implements FeedParser {

  /** Options with which a rule still covers the whole name. */
  private static final Set<String> WHOLE_NAME =
      Set.of("all", "doc", "document", "important", "popup");

  @Override
  public void parse(InputStream text, ParseRun run) throws IOException {
    LineLoop.read(text, run, (octets, from, to, number) -> line(run, octets, from, to, number));
  }

  private static void line(ParseRun run, byte[] text, int from, int to, int number) {
    if (text[from] == '!' || text[from] == '[' || isHashComment(text, from, to)) {
      return;
    }
    boolean exception = Octets.startsWith(text, from, to, "@@");
    int start = exception ? from + 2 : from;
    int end = ruleEnd(text, start, to);
    if (end < 0 || !Octets.startsWith(text, start, end, "||") || text[end - 1] != '^') {
      run.skip();
      return;
    }
    int nameFrom = start + 2;
    int nameTo = end - 1;
    if (Octets.indexOf(text, nameFrom, nameTo, '*') >= 0
        || Octets.indexOf(text, nameFrom, nameTo, '/') >= 0) {
      run.skip();
    } else if (IpPrefix.parse(text, nameFrom, nameTo) instanceof Parsed.Ok<IpPrefix> literal) {
      run.network(literal, exception, number);
    } else {
      run.name(
          EntryText.parseName(text, nameFrom, nameTo),
          NameMatch.SUFFIX,
          exception,
          number,
          Octets.decode(text, nameFrom, nameTo));
    }
  }

  /** A comment of other formats that some lists carry; {@code ##} begins an element rule. */
  private static boolean isHashComment(byte[] text, int from, int to) {
    return text[from] == '#' && (to - from == 1 || Octets.isBlank(text[from + 1]));
  }

  /** Where the pattern ends, or -1 when its options narrow it to some requests. */
  private static int ruleEnd(byte[] text, int from, int to) {
    int dollar = Octets.indexOf(text, from, to, '$');
    if (dollar < 0) {
      return to;
    }
    String options = Octets.decode(text, dollar + 1, to).toLowerCase(Locale.ROOT);
    for (String option : options.split(",", -1)) {
      if (!WHOLE_NAME.contains(option)) {
        return -1;
      }
    }
    return dollar;
  }
}
