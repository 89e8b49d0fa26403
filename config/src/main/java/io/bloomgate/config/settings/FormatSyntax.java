package io.bloomgate.config.settings;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Names of feed formats as the settings and {@code feeds test --format} take them. The parsers live
 * with the lists; this knows only the names. Pure.
 */
public final class FormatSyntax {

  /** Formats without a parameter. */
  private static final List<String> PLAIN =
      List.of("lines", "ips", "domains", "hosts", "spamhaus-json", "json", "postfix-cidr");

  /** Formats of a later release. */
  private static final Set<String> LATER =
      Set.of(
          "adblock",
          "dnsmasq",
          "unbound",
          "wildcard",
          "urls",
          "rpz",
          "rbldnsd",
          "ip4set",
          "ip4trie",
          "ip6trie",
          "dnset",
          "combined",
          "ndjson",
          "range-csv",
          "postfix-access",
          "ipset-save",
          "misp",
          "zeek-intel");

  private static final int MAX_PARAMETER_LENGTH = 100;

  private FormatSyntax() {}

  /**
   * The name itself when this release has the format.
   *
   * @throws BadValueException for a format of a later release, an unknown one, or a parameter that
   *     is missing or too much
   */
  public static String check(String text) throws BadValueException {
    int colon = text.indexOf(':');
    String name = colon < 0 ? text : text.substring(0, colon);
    String parameter = colon < 0 ? "" : text.substring(colon + 1);
    if (LATER.contains(name)) {
      throw new BadValueException(
          "the format " + Shown.quoted(text) + " is not in this release",
          "formats: " + String.join(", ", known()));
    }
    if (name.equals("csv") || (name.equals("json") && colon >= 0)) {
      return withParameter(text, name, parameter);
    }
    if (!PLAIN.contains(name)) {
      throw new BadValueException(
          "unknown format " + Shown.quoted(text),
          Suggestion.closest(name, names())
              .map(s -> "did you mean `" + s + "`?")
              .orElse("formats: " + String.join(", ", known())));
    }
    if (colon >= 0) {
      throw new BadValueException(
          "the format `" + name + "` takes no parameter", "write `" + name + "`");
    }
    return text;
  }

  private static String withParameter(String text, String name, String parameter)
      throws BadValueException {
    String word = name.equals("csv") ? "COLUMN" : "KEY";
    if (parameter.isBlank() || parameter.length() > MAX_PARAMETER_LENGTH) {
      throw new BadValueException(
          "the format " + Shown.quoted(text) + " needs a " + word, "write " + name + ":" + word);
    }
    return text;
  }

  private static List<String> names() {
    List<String> names = new ArrayList<>(PLAIN);
    names.add("csv");
    return names;
  }

  private static List<String> known() {
    List<String> known = new ArrayList<>(PLAIN);
    known.add("json:KEY");
    known.add("csv:COLUMN");
    return known;
  }
}
