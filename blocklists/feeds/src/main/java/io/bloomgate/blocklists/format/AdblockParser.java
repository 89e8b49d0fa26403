package io.bloomgate.blocklists.format;

import static java.util.regex.Pattern.CASE_INSENSITIVE;

import io.bloomgate.blocklists.entry.ListEntry.NameMatch;
import io.bloomgate.blocklists.format.EntryText.Accepts;
import io.bloomgate.config.name.IpPrefix;
import io.bloomgate.config.name.Parsed;
import java.io.IOException;
import java.io.InputStream;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The format {@code adblock}: rules {@code ||x^} list a name and all below it, {@code @@||x^} are
 * exceptions, and a bare name is itself, as Pi-hole and AdGuard Home read it. Rules about parts of
 * pages, paths or kinds of requests say nothing of a whole name; they are counted and left out. All
 * else is a bad line, and so is {@code $badfilter}, which switches another rule off.
 *
 * @see <a href="https://help.adblockplus.org/hc/en-us/articles/360062733293">Adblock Plus, how to
 *     write filters</a>
 */
final class AdblockParser implements FeedParser {

  /** Options with which a rule still covers the whole name. */
  private static final Set<String> WHOLE_NAME =
      Set.of("all", "doc", "document", "important", "popup");

  /** An option, or what makes the rule one about parts of pages. */
  private static final Pattern NARROW =
      Pattern.compile(
          "[^\"\\s#$]*+(?:##|#[@?$%]{1,2}#|\\$\\$).*|[^\\s\"$]++\\$[~a-z0-9_-]++(?:[=,].*)?+",
          CASE_INSENSITIVE);

  /** The beginnings of a rule that is no name. */
  private static final Pattern RULE = Pattern.compile("(?:@@)?+(?:\\|\\S++|/\\S+/(?:\\$\\S*+)?+)");

  private static final Pattern SWITCHES_OFF =
      Pattern.compile(".*[$,]badfilter(?:,.*)?+", CASE_INSENSITIVE);

  /** {@code [Adblock Plus 2.0]} and the like. */
  private static final Pattern HEADER = Pattern.compile("\\[[A-Za-z][^\"\\]]*+\\]");

  @Override
  public void parse(InputStream text, ParseRun run) throws IOException {
    FeedLines.read(text, run, AdblockParser::line);
  }

  private static void line(ParseRun run, byte[] text, int from, int to) {
    if (text[from] == '!' || isHashComment(text, from, to)) {
      return;
    }
    boolean exception = Octets.startsWith(text, from, to, "@@");
    int start = exception ? from + 2 : from;
    int end = ruleEnd(text, start, to);
    if (end < 0 || !Octets.startsWith(text, start, end, "||") || text[end - 1] != '^') {
      other(run, text, from, to);
      return;
    }
    int nameFrom = start + 2;
    int nameTo = end - 1;
    if (Octets.indexOf(text, nameFrom, nameTo, '*') >= 0
        || Octets.indexOf(text, nameFrom, nameTo, '/') >= 0) {
      run.skip();
    } else if (IpPrefix.parse(text, nameFrom, nameTo) instanceof Parsed.Ok<IpPrefix> literal) {
      run.network(literal, exception);
    } else {
      run.name(EntryText.parseName(text, nameFrom, nameTo), NameMatch.SUFFIX, exception);
    }
  }

  /** A line without a whole name between bars and caret. */
  private static void other(ParseRun run, byte[] text, int from, int to) {
    String line = Octets.decode(text, from, to);
    if (SWITCHES_OFF.matcher(line).matches()) {
      run.problem("switches another rule off, which a list cannot hold");
    } else if (HEADER.matcher(line).matches()
        || NARROW.matcher(line).matches()
        || RULE.matcher(line).matches()) {
      run.skip();
    } else {
      EntryText.read(run, Accepts.NAMES, text, from, to);
    }
  }

  /** A comment of other formats that some lists carry; {@code ##} begins an element rule. */
  private static boolean isHashComment(byte[] text, int from, int to) {
    return text[from] == '#' && (to - from == 1 || Octets.isBlank(text[from + 1]));
  }

  /** The end of the pattern, or -1 when its options narrow it to some requests. */
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
