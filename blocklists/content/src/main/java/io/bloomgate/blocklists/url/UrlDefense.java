package io.bloomgate.blocklists.url;

import java.util.Optional;

/**
 * The notations of Proofpoint's URL Defense in which a target is more than an escaped parameter:
 * version 2 ({@code u=https-3A__example.com_a}) and version 3 ({@code
 * /v3/__https://example.com/*__;Iw!!}). Called by {@link TargetTexts}; pure, any thread. The rules
 * are those of the decoder that Proofpoint published (help.proofpoint.com, URLDefenseDecode.py,
 * version 3); the code is not.
 */
final class UrlDefense {

  private static final String BEFORE = "/v3/__";
  private static final String BEHIND = "__;";

  /** The character behind {@code **} says how many characters are missing: A is 2. */
  private static final String RUNS =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

  private static final int SHORTEST_RUN = 2;

  private UrlDefense() {}

  /** The value of the parameter {@code u} of version 2 with common escapes. */
  static String version2(String value) {
    return value.replace('-', '%').replace('_', '/');
  }

  /** The target of version 3. */
  static Optional<String> version3(String raw) {
    int from = raw.indexOf(BEFORE);
    if (from < 0) {
      return Optional.empty();
    }
    from += BEFORE.length();
    int to = raw.indexOf(BEHIND, from);
    if (to < 0) {
      // The end of the text was cut.
      return Optional.of(raw.substring(from));
    }
    int end = raw.indexOf('!', to);
    String missing = end < 0 ? "" : InnerUrls.base64(raw.substring(to + BEHIND.length(), end));
    return Optional.of(filled(raw.substring(from, to), missing));
  }

  /** Replaces each asterisk by the next of the missing characters, each run by several. */
  private static String filled(String text, String missing) {
    StringBuilder filled = new StringBuilder(text.length());
    int next = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c != '*') {
        filled.append(c);
        continue;
      }
      int count = 1;
      if (i + 2 < text.length() && text.charAt(i + 1) == '*') {
        int run = RUNS.indexOf(text.charAt(i + 2));
        if (run >= 0) {
          count = run + SHORTEST_RUN;
          i += 2;
        }
      }
      int end = Math.min(missing.length(), next + count);
      filled.append(missing.isEmpty() ? "*" : missing.substring(next, end));
      next = end;
    }
    return filled.toString();
  }
}
