package io.bloomgate.blocklists.url;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * The texts in the URL of a redirector that may be its target: the value of a parameter that is a
 * URL, escaped or in Base64, a bare name in a parameter whose name promises a target, a URL in the
 * path. Called by {@link Redirectors}; pure, any thread.
 */
final class TargetTexts {

  /** Number of times that escapes are taken off until a value begins with a scheme. */
  private static final int MAX_UNESCAPES = 5;

  /** Parameters whose value may be a target without a scheme. */
  private static final Set<String> TARGET_NAMES =
      Set.of(
          ("u url q to go goto link target dest destination redirect redirect_url redirecturl redir"
                  + " uddg a href out site domain murl")
              .split(" "));

  private static final String PROOFPOINT = "urldefense";

  private static final String YAHOO = "/RU=";

  /** Name above a site as one label: {@code a--b-example} for {@code a-b.example}. */
  private static final String TRANSLATED = ".translate.goog";

  /** The beginning of a URL in Base64: {@code http}. */
  private static final String BASE64_HTTP = "aHR0c";

  private TargetTexts() {}

  /**
   * The texts in their order; most of them are URLs.
   *
   * @param host of the redirector
   * @param raw its URL as written
   */
  static List<String> of(String host, String raw) {
    int fragment = raw.indexOf('#');
    String whole = fragment < 0 ? raw : raw.substring(0, fragment);
    int path = pathStart(whole);
    List<String> texts = new ArrayList<>();
    if (host.endsWith(TRANSLATED)) {
      String site = host.substring(0, host.length() - TRANSLATED.length());
      String name = site.replace("--", "\u0000").replace('-', '.').replace('\u0000', '-');
      texts.add("//" + name + whole.substring(path));
    }
    boolean defense = host.contains(PROOFPOINT);
    if (defense) {
      UrlDefense.version3(whole.substring(path)).ifPresent(texts::add);
    }
    int mark = whole.indexOf('?', path);
    int pathEnd = mark < 0 ? whole.length() : mark;
    if (mark >= 0) {
      boolean version2 = defense && whole.startsWith("/v2/", path);
      parameters(whole.substring(mark + 1), version2, texts);
    }
    if (texts.isEmpty()) {
      inPath(whole, path, pathEnd, texts);
    }
    if (texts.isEmpty()) {
      for (String inner : InnerUrls.of(whole)) {
        int behind = inner.indexOf("___"); // of Avanan, which puts its URLs between underscores
        texts.add(behind < 0 ? inner : inner.substring(0, behind));
      }
    }
    return texts;
  }

  /** Finds the place behind scheme and authority. */
  private static int pathStart(String raw) {
    int at = 0;
    while (at < raw.length() && raw.charAt(at) != ':' && !endsAuthority(raw.charAt(at))) {
      at++;
    }
    boolean scheme = at + 1 < raw.length() && isSlash(raw.charAt(at + 1));
    at = at < raw.length() && raw.charAt(at) == ':' && scheme ? at + 1 : 0;
    while (at < raw.length() && isSlash(raw.charAt(at))) {
      at++;
    }
    while (at < raw.length() && !endsAuthority(raw.charAt(at))) {
      at++;
    }
    return at;
  }

  private static boolean isSlash(char c) {
    return c == '/' || c == '\\';
  }

  private static boolean endsAuthority(char c) {
    return isSlash(c) || c == '?' || c == '#';
  }

  private static void parameters(String query, boolean version2, List<String> texts) {
    if (isWeb(query)) {
      texts.add(query);
      return;
    }
    int next = 0;
    for (int at = 0; at < query.length(); at = next + 1) {
      next = at;
      while (next < query.length() && query.charAt(next) != '&' && query.charAt(next) != ';') {
        next++;
      }
      if (next == at) {
        continue;
      }
      String parameter = query.substring(at, next);
      int equals = parameter.indexOf('=');
      String name = equals < 0 ? "" : parameter.substring(0, equals).toLowerCase(Locale.ROOT);
      String value = parameter.substring(equals + 1);
      value(name, version2 && name.equals("u") ? UrlDefense.version2(value) : value, texts);
    }
  }

  private static void value(String name, String value, List<String> texts) {
    String text = value;
    for (int i = 0; i < MAX_UNESCAPES && !isWeb(text) && text.indexOf('%') >= 0; i++) {
      text = unescapedOnce(text);
    }
    int base64 = text.indexOf(BASE64_HTTP);
    if (isWeb(text)) {
      // A target that is escaped has its own parameters escaped once more.
      texts.add(text.equals(value) ? unescapedIfNoParameters(text) : text);
    } else if (base64 >= 0 && base64 <= 2) {
      texts.add(InnerUrls.base64(text.substring(base64)));
    } else if (TARGET_NAMES.contains(name)) {
      if (InnerUrls.beginsWithName(text)) {
        texts.add("//" + text);
      }
    }
  }

  private static String unescapedIfNoParameters(String text) {
    return text.indexOf('?') < 0 ? unescapedOnce(text) : text;
  }

  private static boolean isWeb(String text) {
    int from = 0;
    while (from < text.length() && text.charAt(from) <= ' ') {
      from++;
    }
    return text.regionMatches(true, from, "http:", 0, 5)
        || text.regionMatches(true, from, "https:", 0, 6)
        || (text.startsWith("//", from) && text.indexOf('.', from) > 0);
  }

  /**
   * {@code /http://example.com/}, {@code /amp/s/example.com/}, and {@code /RU=http%3a%2f%2f.../} of
   * Yahoo, which ends at the next slash.
   */
  private static void inPath(String whole, int from, int to, List<String> texts) {
    String path = whole.substring(from, to);
    int yahoo = path.indexOf(YAHOO);
    if (yahoo >= 0) {
      int begin = yahoo + YAHOO.length();
      int end = path.indexOf('/', begin);
      texts.add(unescapedOnce(path.substring(begin, end < 0 ? path.length() : end)));
      return;
    }
    String lower = unescapedOnce(path).toLowerCase(Locale.ROOT);
    int scheme = Math.max(lower.indexOf("/http:/"), lower.indexOf("/https:/"));
    if (scheme >= 0) {
      String plain = path.indexOf('%') < 0 ? whole.substring(from) : unescapedOnce(path);
      texts.add(plain.substring(scheme + 1));
      return;
    }
    for (String amp : List.of("/amp/s/", "/amp/", "/c/s/", "/c/", "/v/s/", "/i/s/")) {
      if (lower.startsWith(amp)) {
        texts.add("//" + whole.substring(from + amp.length()));
        return;
      }
    }
  }

  /** Takes one layer of escapes off. */
  static String unescapedOnce(String text) {
    return text.indexOf('%') < 0 ? text : new String(InnerUrls.unescaped(text, '%'), UTF_8);
  }
}
