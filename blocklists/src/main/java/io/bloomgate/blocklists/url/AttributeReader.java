package io.bloomgate.blocklists.url;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.bloomgate.config.name.WebUrl;
import java.util.Arrays;
import java.util.Base64;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads the URL of an attribute as browsers do (WHATWG URL, sections 4.4 and 4.5; HTML, section
 * "shared declarative refresh steps"). Called by {@link UrlScanner}; pure, any thread.
 */
final class AttributeReader {

  /** Schemes that lead to a web server. */
  private static final Set<String> WEB = Set.of("http", "https", "ftp", "ws", "wss");

  /** Schemes that lead nowhere, or not by a click in a mail. */
  private static final Set<String> INERT =
      Set.of(
          "mailto",
          "cid",
          "mid",
          "tel",
          "sms",
          "callto",
          "javascript",
          "vbscript",
          "about",
          "file");

  private static final char[] HTTPS = {'h', 't', 't', 'p', 's'};
  private static final String URL = "url";
  private static final String BASE64 = ";base64";

  private AttributeReader() {}

  /** Returns false for what leads nowhere, such as a picture in the attribute itself. */
  @SuppressWarnings("ReferenceEquality") // what needs no cleaning comes back itself
  static boolean attribute(
      char[] value, int length, @Nullable WebUrl base, UrlsLeft left, Found found) {
    char[] text = cleaned(value, length);
    int to = text == value ? length : text.length;
    int colon = schemeEnd(text, to);
    if (colon > 0) {
      return withScheme(text, colon, to, left, found);
    } else if (to > 1 && TextKinds.isSlash(text[0]) && TextKinds.isSlash(text[1])) {
      whole(text, 0, to, Form.WHOLE, left, found);
    } else if (base != null) {
      relative(new String(text, 0, to), base, left, found);
    } else if (left.mayMap(text, 0, hostEnd(text, 0, to))) {
      new BareNames(first(text, to, left, found)).find(text, 0, 0, to, to, true, Form.WHOLE);
    }
    return true;
  }

  private static int hostEnd(char[] text, int from, int to) {
    int end = from;
    while (end < to && TextKinds.isSlash(text[end])) {
      end++;
    }
    while (end < to && !TextKinds.endsAuthority(text[end])) {
      end++;
    }
    return end;
  }

  /**
   * Without control characters and spaces around, and without line breaks and tabs inside; the same
   * characters when there are none.
   */
  private static char[] cleaned(char[] value, int length) {
    boolean clean = length <= UrlScanner.MAX_WORD;
    clean &= length == 0 || (value[0] > ' ' && value[length - 1] > ' ');
    for (int i = 0; clean && i < length; i++) {
      clean = !isLeftOut(value[i]);
    }
    return clean ? value : withoutBlanks(value, length);
  }

  private static char[] withoutBlanks(char[] value, int all) {
    int from = 0;
    int to = all;
    while (from < to && value[from] <= ' ') {
      from++;
    }
    while (from < to && value[to - 1] <= ' ') {
      to--;
    }
    to = Math.min(to, from + UrlScanner.MAX_WORD);
    char[] text = new char[to - from];
    int length = 0;
    for (int i = from; i < to; i++) {
      if (!isLeftOut(value[i])) {
        text[length++] = value[i];
      }
    }
    return Arrays.copyOf(text, length);
  }

  private static boolean isLeftOut(char c) {
    return c == '\t' || c == '\r' || c == '\n';
  }

  /** Where the colon of a scheme is, or -1; RFC 3986 section 3.1. */
  private static int schemeEnd(char[] text, int to) {
    for (int i = 0; i < to; i++) {
      char c = text[i];
      boolean letter = (c | 0x20) >= 'a' && (c | 0x20) <= 'z';
      if (c == ':') {
        return i > 0 ? i : -1;
      }
      if (!letter && (i == 0 || !(TextKinds.isLetterOrDigit(c) || "+-.".indexOf(c) >= 0))) {
        return -1;
      }
    }
    return -1;
  }

  /** A scheme in lower case; the usual one takes no memory. */
  private static String known(char[] text, int colon) {
    return Arrays.equals(text, 0, colon, HTTPS, 0, HTTPS.length)
        ? "https"
        : new String(text, 0, colon).toLowerCase(Locale.ROOT);
  }

  private static boolean withScheme(char[] text, int colon, int to, UrlsLeft left, Found found) {
    String name = known(text, colon);
    if (WEB.contains(name)) {
      whole(text, 0, to, Form.WHOLE, left, found);
      return true;
    }
    Scheme scheme = Scheme.at(text, 0, colon, to);
    if (scheme != null && scheme.start() == 0) {
      whole(text, scheme.behind() - 1, to, scheme.form(), left, found);
      return true;
    }
    if (name.equals("data")) {
      return ofPage(new String(text, colon + 1, to - colon - 1), left, found);
    }
    if (INERT.contains(name)) {
      return false;
    }
    ofProgram(text, colon + 1, to, left, found);
    return true;
  }

  /** The URLs of a page that is in the attribute, which browsers show in a frame (RFC 2397). */
  private static boolean ofPage(String data, UrlsLeft left, Found found) {
    int comma = data.indexOf(',');
    String type = data.substring(0, Math.max(0, comma)).toLowerCase(Locale.ROOT);
    if (!type.contains("html") && !type.contains("xml")) {
      return false;
    }
    String page = TargetTexts.unescapedOnce(data.substring(comma + 1));
    if (type.endsWith(BASE64)) {
      byte[] octets = page.replaceAll("[^A-Za-z0-9+/]", "").getBytes(UTF_8);
      octets = Arrays.copyOf(octets, octets.length - (octets.length % 4 == 1 ? 1 : 0));
      page = new String(Base64.getDecoder().decode(octets), UTF_8);
    }
    char[] text = page.toCharArray();
    WordReader reader = new WordReader(left, found);
    int begin = 0;
    for (int i = 0; i <= text.length; i++) {
      if (i == text.length || TextKinds.isEnd(text[i])) {
        reader.read(text, begin, i, false, Form.WHOLE);
        begin = i + 1;
      }
    }
    left.read(reader.takeCost());
    return true;
  }

  /**
   * The URL of another program, which opens a host ({@code webcal://example.com/}) or a URL inside
   * ({@code view-source:https://example.com/}, {@code ms-word:ofe|u|https://example.com/}).
   */
  private static void ofProgram(char[] text, int from, int to, UrlsLeft left, Found found) {
    int host = from;
    while (host < to && TextKinds.isSlash(text[host])) {
      host++;
    }
    boolean dot = false;
    int end = hostEnd(text, host, to);
    for (int i = host; i < end; i++) {
      dot |= text[i] == '.';
    }
    if (dot && host == from + 2) {
      whole(text, from, to, Form.WHOLE, left, found);
    }
    WordReader reader = new WordReader(left, found);
    reader.read(text, from, to, false, Form.WHOLE);
    String plain = TargetTexts.unescapedOnce(new String(text, from, to - from));
    if (plain.length() < to - from) {
      reader.read(plain.toCharArray(), 0, plain.length(), false, Form.WHOLE);
    }
    left.read(reader.takeCost());
  }

  private static void whole(char[] text, int from, int to, Form form, UrlsLeft left, Found found) {
    WebUrl url = left.asked(text, from, to);
    if (url != null) {
      found.accept(text, from, to, url, form);
    }
  }

  /** Only a name with which the attribute begins. */
  private static Found first(char[] text, int length, UrlsLeft left, Found found) {
    return (all, from, to, url, form) -> {
      if (from == 0) {
        WebUrl whole = left.asked(text, 0, length);
        found.accept(text, 0, length, whole == null ? url : whole, form);
      }
    };
  }

  private static void relative(String reference, WebUrl base, UrlsLeft left, Found found) {
    if (reference.isEmpty() || reference.charAt(0) == '#') {
      return;
    }
    if (!left.mayJoin(base.octets().length + reference.length())) {
      return;
    }
    String page = base.toString();
    String joined;
    if (TextKinds.isSlash(reference.charAt(0))) {
      joined = page.substring(0, base.hostEnd()) + reference;
    } else if (reference.charAt(0) == '?') {
      joined = page.substring(0, base.pathEnd()) + reference;
    } else {
      joined = page.substring(0, page.lastIndexOf('/', base.pathEnd() - 1) + 1) + reference;
    }
    char[] absolute = joined.toCharArray();
    WebUrl url = left.joined(absolute);
    if (url != null) {
      found.accept(absolute, 0, absolute.length, url, Form.WHOLE);
    }
  }

  /** The same of the content of a refresh. */
  static boolean refresh(String content, @Nullable WebUrl base, UrlsLeft left, Found found) {
    int length = Math.min(content.length(), UrlScanner.MAX_WORD);
    int at = 0;
    while (at < length && content.charAt(at) <= ' ') {
      at++;
    }
    while (at < length && isRefreshTime(content.charAt(at))) {
      at++;
    }
    // Seconds may be missing, a separator may not.
    if (at == length || !isSeparator(content.charAt(at))) {
      return false;
    }
    while (at < length && isSeparator(content.charAt(at))) {
      at++;
    }
    at = behindUrl(content, at, length);
    int end = length;
    if (at < end && (content.charAt(at) == '\'' || content.charAt(at) == '"')) {
      char quote = content.charAt(at++);
      for (int i = at; i < end; i++) {
        if (content.charAt(i) == quote) {
          end = i;
        }
      }
    }
    return attribute(content.substring(at, end).toCharArray(), end - at, base, left, found);
  }

  private static boolean isRefreshTime(char c) {
    return c == '.' || (c >= '0' && c <= '9');
  }

  private static boolean isSeparator(char c) {
    return c <= ' ' || c == ';' || c == ',';
  }

  /** Behind {@code url =}, or where it began when it is not there. */
  private static int behindUrl(String content, int from, int to) {
    int at = from;
    for (int i = 0; i < URL.length(); i++, at++) {
      if (at == to || (content.charAt(at) | 0x20) != URL.charAt(i)) {
        return from;
      }
    }
    while (at < to && content.charAt(at) <= ' ') {
      at++;
    }
    if (at == to || content.charAt(at) != '=') {
      return from;
    }
    at++;
    while (at < to && content.charAt(at) <= ' ') {
      at++;
    }
    return at;
  }
}
