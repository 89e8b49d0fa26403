package io.bloomgate.config.name;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Arrays;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

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

  /** Tabs, ends of lines and the fragment, which browsers leave out. */
  private static final Pattern UNSENT = Pattern.compile("[\\t\\r\\n]|#.*", Pattern.DOTALL);

  /** Schemes whose URLs have a host and are opened by a browser; WHATWG's special schemes. */
  private static final Pattern WEB = Pattern.compile("(?i)(?:https?|ftp|wss?):");

  /** Another scheme; not a host without scheme that has a port, {@code :8080/}. */
  private static final Pattern OTHER =
      Pattern.compile("[A-Za-z0-9+.-]+:(?![0-9]*+(?:[/\\\\?]|\\z))");

  /** User, host and port, then the path; browsers take any number of slashes of either kind. */
  private static final Pattern PARTS =
      Pattern.compile("[/\\\\]*+([^/\\\\?]*+)(.*+)", Pattern.DOTALL);

  private WebUrlText() {}

  /**
   * Reads a URL.
   *
   * @param lenient as {@link WebUrl#asked} says
   * @param mayMap as {@link WebUrl#asked} says
   */
  static Parsed<WebUrl> read(String written, boolean lenient, BooleanSupplier mayMap) {
    String text = written.trim();
    if (text.length() > WebUrl.MAX_CHARACTERS && !lenient) {
      return Parsed.bad(TOO_LONG);
    }
    int most = Math.min(text.length(), WebUrl.MAX_CHARACTERS);
    String sent = UNSENT.matcher(text.substring(0, most)).replaceAll("");
    Matcher web = WEB.matcher(sent);
    boolean hasScheme = web.lookingAt();
    Matcher parts = PARTS.matcher(sent.substring(hasScheme ? web.end() : 0));
    if (!parts.matches() || (!hasScheme && OTHER.matcher(sent).lookingAt())) {
      return Parsed.bad(NOT_WEB);
    }
    String authority = parts.group(1);
    String server = authority.substring(authority.lastIndexOf('@') + 1);
    int port = portStart(server);
    if (!lenient && !server.substring(port).matches("(?::[0-9]*)?")) {
      return Parsed.bad("port that is no number");
    }
    return port == 0
        ? Parsed.bad(NO_HOST)
        : host(server.substring(0, port), lenient, mayMap)
            .then(host -> assembled(host, parts.group(2), lenient));
  }

  /** The colon of the port, or the end when there is none. */
  private static int portStart(String server) {
    boolean bracket = false;
    for (int i = 0; i < server.length(); i++) {
      char c = server.charAt(i);
      bracket = c == '[' || (bracket && c != ']');
      if (c == ':' && !bracket) {
        return i;
      }
    }
    return server.length();
  }

  private static Parsed<ListKey> host(String text, boolean lenient, BooleanSupplier mayMap) {
    if (text.startsWith("[")) {
      return text.endsWith("]")
          ? key(IpAddress.parse(text.substring(1, text.length() - 1)))
          : Parsed.bad("address without its closing bracket");
    }
    UrlOctets octets = UrlOctets.unescaped(text);
    byte[] name = octets.octets();
    int length = octets.length();
    if ((!octets.isAscii() || DomainName.hasAceLabel(name, length)) && !mayMap.getAsBoolean()) {
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
            : DomainName.checked(Arrays.copyOf(name, length));
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

  private static Parsed<WebUrl> assembled(ListKey host, String text, boolean lenient) {
    byte[] name =
        switch (host) {
          case DomainName domain -> domain.octets();
          case IpAddress address ->
              (address.isV4() ? address.toString() : "[" + address + "]").getBytes(US_ASCII);
          case MailAddress _, WebUrl _, Fingerprint _, Likeness _, AsNumber _ ->
              throw new IllegalStateException("host of a URL: " + host);
        };
    UrlOctets path = UrlOctets.unescaped(text);
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

  /**
   * IPv4 addresses as browsers read the host of a URL (WHATWG URL, section 3.5): one to four
   * numbers in decimal, octal ({@code 010}) or hexadecimal ({@code 0x8}), the last of which fills
   * the rest. Only {@link WebUrlText} reads them so: lists and SMTP read addresses by {@link
   * IpAddress}, which refuses all of this. Pure, any thread.
   */
  static final class LooseIpv4 {

    /** Result of {@link #bits} for what is no address. */
    static final long NONE = -1;

    private static final int MAX_PARTS = 4;
    private static final long LIMIT = 1L << Integer.SIZE;

    private LooseIpv4() {}

    /** True when browsers take the host for an IPv4 address: its last label is a number. */
    static boolean endsInNumber(byte[] host, int to) {
      int from = to;
      boolean decimal = to > 0;
      while (from > 0 && host[from - 1] != '.') {
        from--;
        decimal &= host[from] >= '0' && host[from] <= '9';
      }
      return from < to && (decimal || (isHex(host, from, to) && number(host, from, to) != NONE));
    }

    /** The 32 bits, or {@link #NONE}. */
    static long bits(byte[] host, int to) {
      long bits = 0;
      int from = 0;
      for (int part = 0; part < MAX_PARTS; part++) {
        int end = from;
        while (end < to && host[end] != '.') {
          end++;
        }
        long number = number(host, from, end);
        if (number == NONE) {
          return NONE;
        }
        if (end == to) {
          int room = Byte.SIZE * (MAX_PARTS - part);
          return number >>> room == 0 ? bits << room | number : NONE;
        }
        if (number > 0xff) {
          return NONE;
        }
        bits = bits << Byte.SIZE | number;
        from = end + 1;
      }
      return NONE;
    }

    private static boolean isHex(byte[] host, int from, int to) {
      return to - from >= 2 && host[from] == '0' && (host[from + 1] | 0x20) == 'x';
    }

    /** A number; {@code 0x} alone is zero. Beyond 32 bits it only has to be too large. */
    private static long number(byte[] host, int from, int to) {
      if (from == to) {
        return NONE;
      }
      boolean hex = isHex(host, from, to);
      boolean octal = !hex && to - from > 1 && host[from] == '0';
      int radix = hex ? 16 : octal ? 8 : 10;
      long value = 0;
      for (int i = hex ? from + 2 : from; i < to; i++) {
        int digit = Character.digit(host[i], radix);
        if (digit < 0) {
          return NONE;
        }
        value = Math.min(LIMIT, value * radix + digit);
      }
      return value;
    }
  }
}
