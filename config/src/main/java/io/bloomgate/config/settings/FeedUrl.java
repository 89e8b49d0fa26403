package io.bloomgate.config.settings;

import io.bloomgate.config.notation.BadValueException;
import io.bloomgate.config.notation.Names;
import io.bloomgate.config.notation.Values;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The web address of a list as the operator wrote it. {@code {secret}} in path or query is replaced
 * by a key that is read from a file at each fetch. Immutable; read by the fetch, which fills it in.
 *
 * @param text with its placeholder
 */
public record FeedUrl(String text) {

  private static final String SECRET = "{secret}";
  private static final Pattern AUTHORITY_END = Pattern.compile("^[A-Za-z]+://[^/?#]*");

  /** A module and a path below it; nothing that rsync or a shell takes for more than a name. */
  private static final Pattern RSYNC =
      Pattern.compile("(?i:rsync)://[^/?#@{}]+/[A-Za-z0-9_][A-Za-z0-9._~+/-]*[A-Za-z0-9._~+-]");

  /** An address of the settings file. Its text may hold a key, so no message shows it. */
  static FeedUrl read(String text) throws BadValueException {
    FeedUrl url = new FeedUrl(text);
    return url.isRsync() ? checkedRsync(url) : checkedWeb(url);
  }

  /**
   * An address of an rsync server as the command line names it.
   *
   * @throws IllegalArgumentException when it is none
   */
  public static FeedUrl ofRsync(String text) {
    try {
      return checkedRsync(new FeedUrl(text));
    } catch (BadValueException e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    }
  }

  private static FeedUrl checkedRsync(FeedUrl url) throws BadValueException {
    Matcher authority = AUTHORITY_END.matcher(url.text);
    if (authority.find() && authority.group().indexOf('@') >= 0) {
      throw new BadValueException(
          "the rsync address has a user name or password",
          "only modules that need none can be named; mirror others yourself and name the copy");
    }
    String problem = "this is not an address of one file at an rsync server";
    String hint = "write rsync://HOST/MODULE/FILE with letters, digits and . _ ~ + - in it";
    var _ = Values.address(url.sample(), Set.of("rsync"), problem, hint);
    if (!RSYNC.matcher(url.text).matches() || url.text.contains("..")) {
      throw new BadValueException(problem, hint);
    }
    return url;
  }

  private static FeedUrl checkedWeb(FeedUrl url) throws BadValueException {
    URI sample =
        Values.address(
            url.sample(),
            Values.WEB,
            "this is not a web address",
            url.text.startsWith("file:")
                ? "a file is named by its path, `file: PATH` in place of `url`"
                : "write https://HOST/PATH; {secret} may be in it; or rsync://HOST/MODULE/FILE");
    if (sample.getUserInfo() != null) {
      throw new BadValueException(
          "the web address has a user name or password",
          "put \"Basic BASE64\" into a file and write headers: {Authorization: \"file:PATH\"}");
    }
    Matcher authority = AUTHORITY_END.matcher(url.text);
    if (authority.find() && authority.group().indexOf('{') >= 0) {
      throw new BadValueException(
          "a placeholder in the name of the server", "it may only be after the next slash");
    }
    return url;
  }

  private String sample() {
    return text.replace(SECRET, "x");
  }

  /** True when a key has to be filled in. */
  public boolean hasSecret() {
    return text.contains(SECRET);
  }

  /**
   * The address to ask.
   *
   * @param secret of its file; every octet that is not unreserved (RFC 3986 section 2.3) is encoded
   * @throws IllegalArgumentException when this is not an address
   */
  public URI uri(String secret) {
    return URI.create(text.replace(SECRET, encoded(secret)));
  }

  /** A key as it is written in an address. */
  public static String encoded(String secret) {
    StringBuilder out = new StringBuilder();
    for (byte octet : secret.getBytes(StandardCharsets.UTF_8)) {
      char c = (char) (octet & 0xff);
      boolean unreserved = c < 0x80 && (Character.isLetterOrDigit(c) || "-._~".indexOf(c) >= 0);
      out.append(unreserved ? "" + c : String.format("%%%02X", (int) c));
    }
    return out.toString();
  }

  /** The server's name or address, in small letters, without brackets. */
  public String host() {
    String host = String.valueOf(server().getHost()).toLowerCase(Locale.ROOT);
    return host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
  }

  /** Scheme, host and port. */
  public URI server() {
    Matcher m = AUTHORITY_END.matcher(text);
    return URI.create(m.find() ? m.group() + "/" : text);
  }

  /** The path, its placeholder included. */
  public String path() {
    return AUTHORITY_END.matcher(text).replaceFirst("").replaceFirst("[?#].*", "");
  }

  /** True for an address of an rsync server. */
  public boolean isRsync() {
    return text.regionMatches(true, 0, "rsync:", 0, "rsync:".length());
  }

  /** True for http and rsync, which everybody on the way can read and write. */
  public boolean isPlain() {
    return isRsync() || text.regionMatches(true, 0, "http:", 0, "http:".length());
  }

  /** True for http and rsync to anything but a loopback, private or link-local address. */
  public boolean isPlainToTheWorld() {
    return isPlain() && !Names.isLocal(host());
  }

  /**
   * The address for people: user names, passwords and queries are left out, because they may hold
   * keys.
   */
  public String shown() {
    String bare = text.replaceFirst("^([A-Za-z]+://)[^/?#@]*@", "$1***@");
    String path = bare.replaceFirst("\\?[^#]*", "?...").replaceFirst("#.+", "#...");
    return path.replaceAll("[^!-~]", "?");
  }

  /** A text of the settings that should be an address, as it may be shown. */
  static String shown(String text) {
    return new FeedUrl(text).shown();
  }

  /** The address without what may be a key. */
  @Override
  public String toString() {
    return shown();
  }
}
