package io.bloomgate.config.name;

import org.jspecify.annotations.Nullable;

/**
 * Reads URLs in which nothing is escaped, folded or to be resolved but the case of the host, as
 * most are: two passes in place of ten. Called by {@link WebUrlText}, which reads all others, on
 * any thread; pure, linear time.
 */
final class PlainUrlText {

  private static final String HTTP = "http";

  /** A table by character of ASCII: true for one that the path of a canonical URL has as it is. */
  private static final boolean[] KEPT = kept();

  private PlainUrlText() {}

  private static boolean[] kept() {
    boolean[] kept = new boolean[0x7f];
    for (int c = ' ' + 1; c < kept.length; c++) {
      kept[c] = c != '#' && c != '%' && c != '\\';
    }
    return kept;
  }

  /** The URL, or {@code null} for a text that has to be read step by step. */
  static @Nullable WebUrl read(char[] text, int from, int to) {
    int host = behindScheme(text, from, to);
    int path = host;
    int all = 0;
    int most = Math.min(to, host + DomainText.PLAIN_OCTETS);
    while (path < most && text[path] != '/') {
      all |= text[path++];
    }
    int length = path - host;
    if (length == 0
        || all >= 0x80
        || (path < to && text[path] != '/')
        || to - host >= WebUrl.MAX_OCTETS
        || !isPlainPath(text, path, to)) {
      return null;
    }
    byte[] whole = new byte[Math.max(to, path + 1) - host];
    for (int i = host; i < to; i++) {
      whole[i - host] = (byte) text[i];
    }
    whole[length] = '/';
    DomainName name = DomainText.plain(whole, 0, length);
    if (name == null || mayBeAddress(whole, length)) {
      return null;
    }
    System.arraycopy(name.octets(), 0, whole, 0, length);
    return new WebUrl(whole, length, name);
  }

  /** The position after {@code http://} or {@code https://}, or after slashes alone. */
  private static int behindScheme(char[] text, int from, int to) {
    int at = from;
    while (at < to && at - from < HTTP.length() && text[at] == HTTP.charAt(at - from)) {
      at++;
    }
    if (at - from == HTTP.length()) {
      at += at < to && text[at] == 's' ? 1 : 0;
      boolean scheme = at + 2 < to && text[at] == ':' && text[at + 1] == '/';
      return scheme && text[at + 2] == '/' ? at + 3 : from;
    }
    at = from;
    while (at < to && at - from < 2 && text[at] == '/') {
      at++;
    }
    return at;
  }

  /** True for a path without empty segments and dots in front of one, and its query. */
  private static boolean isPlainPath(char[] text, int from, int to) {
    int query = from;
    boolean plain = true;
    for (; plain && query < to && text[query] != '?'; query++) {
      plain = text[query] < KEPT.length && KEPT[text[query]];
    }
    for (int i = query; plain && i < to; i++) {
      plain = text[i] < KEPT.length && KEPT[text[i]];
    }
    return plain && !isResolved(text, from, query);
  }

  /** True when two slashes or a slash and a dot are next to each other. */
  private static boolean isResolved(char[] text, int from, int to) {
    boolean slash = false;
    for (int i = from; i < to; i++) {
      char c = text[i];
      if (slash && (c == '/' || c == '.')) {
        return true;
      }
      slash = c == '/';
    }
    return false;
  }

  /** True when the last label begins with a digit, as the last number of an IPv4 address. */
  private static boolean mayBeAddress(byte[] host, int to) {
    int label = to;
    while (label > 0 && host[label - 1] != '.') {
      label--;
    }
    return host[label] >= '0' && host[label] <= '9';
  }
}
