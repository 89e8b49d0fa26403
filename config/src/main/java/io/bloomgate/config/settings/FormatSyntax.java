package io.bloomgate.config.settings;

import io.bloomgate.config.notation.BadValueException;
import io.bloomgate.config.notation.Shown;
import io.bloomgate.config.notation.Suggestion;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Names of feed formats as the settings and {@code feeds test --format} take them. The parsers live
 * with the lists; this knows only the names. Pure.
 */
public final class FormatSyntax {

  /** A format that lists nothing: it says whose networks are, for conditions of rules. */
  static final String ASN_TABLE = "asn-table";

  /** Formats that need no parameter. */
  private static final List<String> PLAIN =
      words(
          "lines ips domains hosts spamhaus-json json postfix-cidr adblock dnsmasq unbound wildcard"
              + " urls sha256 entries rpz rbldnsd range-csv postfix-access ipset-save misp"
              + " zeek-intel"
              + " asn-list "
              + ASN_TABLE);

  private static final String RBLDNSD = "rbldnsd";

  /** Types of zones; each is a format by itself too. */
  private static final List<String> RBLDNSD_TYPES =
      words("ip4set ip4tset ip4trie ip6trie ip6tset dnset dnhash combined");

  /** Formats that take a parameter, some of which need it, with the word for it. */
  private static final Map<String, String> WITH_PARAMETER =
      Map.of("json", "KEY", "csv", "COLUMN", "ndjson", "FIELD", RBLDNSD, "TYPE");

  private static final int MAX_PARAMETER_LENGTH = 100;

  private FormatSyntax() {}

  private static List<String> words(String text) {
    return List.of(text.split(" "));
  }

  /**
   * The name itself when there is such a format.
   *
   * @throws BadValueException for an unknown format, or a parameter that is missing or too much
   */
  public static String check(String text) throws BadValueException {
    int colon = text.indexOf(':');
    String name = colon < 0 ? text : text.substring(0, colon);
    String parameter = colon < 0 ? "" : text.substring(colon + 1);
    String word = WITH_PARAMETER.get(name);
    if (word != null && (colon >= 0 || !PLAIN.contains(name))) {
      return withParameter(text, name, word, parameter);
    }
    if (RBLDNSD_TYPES.contains(text)) {
      return text;
    }
    if (!PLAIN.contains(name)) {
      throw new BadValueException(
          "unknown format " + Shown.quoted(text),
          Suggestion.hint(name, names(), "formats: " + String.join(", ", known())));
    }
    if (colon >= 0) {
      throw new BadValueException(
          "the format `" + name + "` takes no parameter", "write `" + name + "`");
    }
    return text;
  }

  private static String withParameter(String text, String name, String word, String parameter)
      throws BadValueException {
    if (parameter.isBlank() || parameter.length() > MAX_PARAMETER_LENGTH) {
      throw new BadValueException(
          "the format " + Shown.quoted(text) + " needs a " + word, "write " + name + ":" + word);
    }
    if (name.equals(RBLDNSD) && !RBLDNSD_TYPES.contains(parameter)) {
      throw new BadValueException(
          "unknown type of zone in the format " + Shown.quoted(text),
          "types of rbldnsd: " + String.join(", ", RBLDNSD_TYPES));
    }
    return text;
  }

  private static List<String> names() {
    return Stream.of(PLAIN, List.copyOf(WITH_PARAMETER.keySet()), RBLDNSD_TYPES)
        .flatMap(names -> names.stream().sorted())
        .toList();
  }

  private static List<String> known() {
    return Stream.concat(
            PLAIN.stream(),
            WITH_PARAMETER.entrySet().stream().map(e -> e.getKey() + ":" + e.getValue()).sorted())
        .toList();
  }
}
