package io.bloomgate.blocklists.operator.migration;

import io.bloomgate.blocklists.format.IpRange;
import io.bloomgate.blocklists.operator.migration.Migration.Request;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.name.IpPrefix;
import io.bloomgate.config.name.Parsed;
import io.bloomgate.config.name.Subject;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads the key of a line as other mail software writes it, beside what {@link Subject} reads:
 * ranges, dotted masks, {@code @domain}, patterns with a star, and regular expressions that are one
 * literal. Used by both readers of such files; pure.
 *
 * @param subjects what the key means, a range as its networks; at least one
 * @param ofDomain true when the key is a domain's addresses alone, where the entry is the domain
 *     with all below
 */
record ForeignKey(List<Subject> subjects, boolean ofDomain) {

  private static final Pattern RANGE = Pattern.compile("([0-9A-Fa-f:.]++)-([0-9A-Fa-f:.]++)");
  private static final Pattern MASK = Pattern.compile("([0-9.]++)/([0-9]++(?:\\.[0-9]++){3})");

  /** Any mailbox at a domain, or at the names below it. */
  private static final Pattern OF_DOMAIN = Pattern.compile("\\*?+@\\*?+(\\.?+)([^@*?]++)");

  /** {@code /PATTERN/FLAGS}, or a pattern between its anchors. */
  private static final Pattern EXPRESSION = Pattern.compile("/(.*)/[a-zA-Z]*+|(\\^.*|.*\\$)");

  /** Beginning of a regular expression for any mailbox, or any name below a domain. */
  private static final Pattern ANYTHING =
      Pattern.compile(
          "\\^?+((?:\\(?(?:\\.|\\[\\^@\\])[*+]\\)?)?+@|\\(\\^\\|\\\\\\.\\)|(?:\\.[*+])?+\\\\\\.)(.*)");

  /** Characters that are themselves, or that a backslash makes so. */
  private static final Pattern LITERAL = Pattern.compile("(?:[A-Za-z0-9_@.=-]|\\\\[^A-Za-z0-9])++");

  /** The key of a line, or why no operator entry means the same. */
  static Parsed<ForeignKey> of(Request request, String written) {
    String key = written.replaceFirst("[;,]++$", "");
    Matcher expression = EXPRESSION.matcher(key);
    if (expression.matches()) {
      String group = expression.group(1);
      return ofExpression(request, group == null ? key : group);
    }
    Matcher range = RANGE.matcher(key);
    if (range.matches()
        && IpAddress.parse(range.group(1)) instanceof Parsed.Ok<IpAddress>(var first, var a)
        && IpAddress.parse(range.group(2)) instanceof Parsed.Ok<IpAddress>(var last, var b)) {
      return ofRange(request, first, last);
    }
    Matcher domain = OF_DOMAIN.matcher(key);
    if (domain.matches()) {
      boolean below = ".".equals(domain.group(1));
      return subject(request, domain.group(1) + domain.group(2), !below);
    }
    if (key.indexOf('?') >= 0) {
      return Parsed.bad("patterns with ? are not supported");
    }
    return subject(request, withLength(key), false);
  }

  private static Parsed<ForeignKey> subject(Request request, String text, boolean ofDomain) {
    return request.subjects(text).map(subjects -> new ForeignKey(subjects, ofDomain));
  }

  private static Parsed<ForeignKey> ofRange(Request request, IpAddress first, IpAddress last) {
    if (first.isV4() != last.isV4() || first.compareTo(last) > 0) {
      return Parsed.bad("range that ends before it begins");
    }
    List<Subject> networks = new ArrayList<>();
    for (IpPrefix network : IpRange.networks(first, last)) {
      switch (request.subjects(network.toString())) {
        case Parsed.Bad<List<Subject>>(String reason) -> {
          return Parsed.bad(reason);
        }
        case Parsed.Ok<List<Subject>>(var subjects, var ignored) -> networks.addAll(subjects);
      }
    }
    return Parsed.ok(new ForeignKey(List.copyOf(networks), false));
  }

  /** {@code 192.0.2.0/255.255.255.0} as {@code 192.0.2.0/24}; another text, or mask, as it is. */
  private static String withLength(String key) {
    Matcher mask = MASK.matcher(key);
    if (!mask.matches()
        || !(IpAddress.parse(mask.group(2)) instanceof Parsed.Ok<IpAddress>(var bits, var a))) {
      return key;
    }
    int zeros = Integer.numberOfTrailingZeros(bits.v4Bits());
    boolean whole = zeros == Integer.SIZE || bits.v4Bits() >> zeros == -1;
    return whole ? mask.group(1) + "/" + (Integer.SIZE - zeros) : key;
  }

  /**
   * True for the beginning that takes names below alone: one that takes the name itself has a bar.
   */
  private static boolean isBelow(String start) {
    return start.endsWith("\\.");
  }

  /** A pattern that is one address, or any mailbox of one domain, or any name below it. */
  private static Parsed<ForeignKey> ofExpression(Request request, String pattern) {
    Matcher anything = ANYTHING.matcher(pattern);
    boolean ofDomain = anything.matches();
    String start = ofDomain ? String.valueOf(anything.group(1)) : "";
    String rest = ofDomain ? String.valueOf(anything.group(2)) : pattern;
    boolean anchored = rest.endsWith("$") && (ofDomain || rest.startsWith("^"));
    String literal = anchored ? rest.substring(ofDomain ? 0 : 1, rest.length() - 1) : "";
    return LITERAL.matcher(literal).matches()
        ? subject(
            request,
            (isBelow(start) ? "." : "") + literal.replace("\\", ""),
            ofDomain && !isBelow(start))
        : Parsed.bad("a regular expression is taken when it is one address or one domain");
  }
}
