package io.bloomgate.config.name;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;

/**
 * Reads URLs into their canonical form. Called by {@link WebUrl}, on any thread; pure, linear time.
 *
 * <p>The order is the one of Safe Browsing v4, with one difference: the host is cut out before the
 * escapes are taken off, as browsers do it, so {@code http://a.example%2f@b.example/} is on {@code
 * b.example}. In the path an escaped question mark or backslash counts as a plain one: the
 * canonical text has no means to tell the two apart, and reading it again gives the same URL.
 */
final class WebUrlText {

  private static final String TOO_LONG = "URL too long";
  private static final String NO_HOST = "URL without a host";
  private static final String NOT_WEB = "not a web URL";

  /** Schemes whose URLs have a host and are opened by a browser; WHATWG's special schemes. */
  private static final Set<String> SCHEMES = Set.of("https", "http", "ftp", "ws", "wss");

  private WebUrlText() {}

  /**
   * Reads a URL.
   *
   * @param lenient as {@link WebUrl#asked} says
   * @param mayMap as {@link WebUrl#asked} says
   */
  static Parsed<WebUrl> read(
      char[] text, int from, int to, boolean lenient, BooleanSupplier mayMap) {
    int start = from;
    int end = to;
    while (start < end && text[start] <= ' ') {
      start++;
    }
    while (start < end && text[end - 1] <= ' ') {
      end--;
    }
    if (end - start > WebUrl.MAX_CHARACTERS) {
      if (!lenient) {
        return Parsed.bad(TOO_LONG);
      }
      end = start + WebUrl.MAX_CHARACTERS;
    }
    for (int i = start; i < end; i++) {
      if (isDropped(text[i])) {
        return withoutDropped(text, start, end, lenient, mayMap);
      }
    }
    return clean(text, start, end, lenient, mayMap);
  }

  private static boolean isDropped(char c) {
    return c == '\t' || c == '\r' || c == '\n';
  }

  private static Parsed<WebUrl> withoutDropped(
      char[] text, int from, int to, boolean lenient, BooleanSupplier mayMap) {
    char[] kept = new char[to - from];
    int length = 0;
    for (int i = from; i < to; i++) {
      if (!isDropped(text[i])) {
        kept[length++] = text[i];
      }
    }
    return clean(kept, 0, length, lenient, mayMap);
  }

  private static Parsed<WebUrl> clean(
      char[] text, int from, int to, boolean lenient, BooleanSupplier mayMap) {
    int end = from;
    while (end < to && text[end] != '#') {
      end++;
    }
    int start = authorityStart(text, from, end);
    if (start < 0) {
      return Parsed.bad(NOT_WEB);
    }
    int pathStart = start;
    int hostStart = start;
    while (pathStart < end && !endsAuthority(text[pathStart])) {
      if (text[pathStart++] == '@') {
        hostStart = pathStart;
      }
    }
    int hostEnd = portStart(text, hostStart, pathStart);
    if (!lenient && afterDigits(text, hostEnd + 1, pathStart) < pathStart) {
      return Parsed.bad("port that is no number");
    }
    if (hostStart == hostEnd) {
      return Parsed.bad(NO_HOST);
    }
    int path = pathStart;
    int last = end;
    return host(text, hostStart, hostEnd, lenient, mayMap)
        .then(host -> assembled(host, text, path, last, lenient));
  }

  /**
   * The position of user and host, after scheme and slashes; -1 when the scheme is none of the web.
   */
  private static int authorityStart(char[] text, int from, int to) {
    int colon = from;
    while (colon < to && isSchemeCharacter(text[colon])) {
      colon++;
    }
    boolean hasColon = colon > from && colon < to && text[colon] == ':';
    if (hasColon && isScheme(text, from, colon)) {
      return afterSlashes(text, colon + 1, to);
    }
    return hasColon && !isPortAhead(text, colon, to) ? -1 : afterSlashes(text, from, to);
  }

  private static boolean isScheme(char[] text, int from, int to) {
    return SCHEMES.contains(new String(text, from, to - from).toLowerCase(Locale.ROOT));
  }

  private static boolean isSchemeCharacter(char c) {
    return (c >= 'a' && c <= 'z')
        || (c >= 'A' && c <= 'Z')
        || (c >= '0' && c <= '9')
        || c == '+'
        || c == '-'
        || c == '.';
  }

  /** Browsers take any number of slashes of either kind behind the scheme. */
  private static int afterSlashes(char[] text, int from, int to) {
    int at = from;
    while (at < to && (text[at] == '/' || text[at] == '\\')) {
      at++;
    }
    return at;
  }

  /** True for {@code :8080/} behind a host without scheme. */
  private static boolean isPortAhead(char[] text, int colon, int to) {
    int end = afterDigits(text, colon + 1, to);
    return end == to || endsAuthority(text[end]);
  }

  private static boolean endsAuthority(char c) {
    return c == '/' || c == '\\' || c == '?';
  }

  /** The colon of the port, or the end when there is none. */
  private static int portStart(char[] text, int from, int to) {
    boolean bracket = false;
    for (int i = from; i < to; i++) {
      bracket = text[i] == '[' || (bracket && text[i] != ']');
      if (text[i] == ':' && !bracket) {
        return i;
      }
    }
    return to;
  }

  private static int afterDigits(char[] text, int from, int to) {
    int at = from;
    while (at < to && text[at] >= '0' && text[at] <= '9') {
      at++;
    }
    return at;
  }

  private static Parsed<ListKey> host(
      char[] text, int from, int to, boolean lenient, BooleanSupplier mayMap) {
    if (text[from] == '[') {
      return text[to - 1] == ']'
          ? key(IpAddress.parse(new String(text, from + 1, to - from - 2)))
          : Parsed.bad("address without its closing bracket");
    }
    UrlOctets octets = UrlOctets.unescaped(text, from, to);
    byte[] name = octets.octets();
    int length = octets.length();
    if ((!octets.isAscii() || DomainText.hasAceLabel(name, length)) && !mayMap.getAsBoolean()) {
      return Parsed.bad("international host, of which too many were read");
    }
    if (!octets.isAscii()) {
      String unicode = InternationalName.withoutUnseen(new String(name, 0, length, UTF_8));
      Optional<String> ascii = InternationalName.toAscii(unicode);
      if (ascii.isEmpty()) {
        return lenient ? readable(unicode) : key(DomainName.parse(unicode));
      }
      name = ascii.get().getBytes(US_ASCII);
      length = name.length;
    }
    length = singleDots(name, length);
    if (LooseIpv4.endsInNumber(name, length)) {
      long bits = LooseIpv4.bits(name, length);
      return bits == LooseIpv4.NONE
          ? Parsed.bad("not an IP address")
          : Parsed.ok(IpAddress.ofV4((int) bits));
    }
    Parsed<DomainName> parsed =
        octets.isAscii()
            ? DomainName.parse(name, 0, length)
            : DomainText.checked(Arrays.copyOf(name, length));
    return lenient && parsed instanceof Parsed.Bad
        ? readable(new String(name, 0, length, US_ASCII))
        : key(parsed);
  }

  /** The readable part of a host that is no name. */
  private static Parsed<ListKey> readable(String text) {
    return BrokenName.asked(text).<Parsed<ListKey>>map(Parsed::ok).orElse(Parsed.bad(NO_HOST));
  }

  private static <T extends ListKey> Parsed<ListKey> key(Parsed<T> parsed) {
    return parsed.map(key -> key);
  }

  /** Removes dots at both ends, and all but one of a run; returns the new length. */
  private static int singleDots(byte[] name, int length) {
    int kept = 0;
    for (int i = 0; i < length; i++) {
      if (name[i] != '.' || (kept > 0 && name[kept - 1] != '.')) {
        name[kept++] = name[i];
      }
    }
    return kept > 0 && name[kept - 1] == '.' ? kept - 1 : kept;
  }

  private static Parsed<WebUrl> assembled(
      ListKey host, char[] text, int from, int to, boolean lenient) {
    byte[] name =
        switch (host) {
          case DomainName domain -> domain.octets();
          case IpAddress address ->
              (address.isV4() ? address.toString() : "[" + address + "]").getBytes(US_ASCII);
          case MailAddress _, WebUrl _, Fingerprint _, Likeness _ ->
              throw new IllegalStateException("host of a URL: " + host);
        };
    UrlOctets path = UrlOctets.unescaped(text, from, to);
    path.resolvePath();
    int length = name.length + path.escapedLength();
    if (length > WebUrl.MAX_OCTETS && !lenient) {
      return Parsed.bad(TOO_LONG);
    }
    byte[] whole = new byte[Math.min(length, WebUrl.MAX_OCTETS)];
    System.arraycopy(name, 0, whole, 0, name.length);
    int end = path.escapeInto(whole, name.length, whole.length);
    byte[] exact = end == whole.length ? whole : Arrays.copyOf(whole, end);
    return Parsed.ok(new WebUrl(exact, name.length, host));
  }
}
