package io.bloomgate.config.settings;

import io.bloomgate.config.notation.BadValueException;
import io.bloomgate.config.notation.HostPort;
import io.bloomgate.config.notation.Names;
import io.bloomgate.config.notation.Shown;
import io.bloomgate.config.notation.Values;
import io.bloomgate.config.notation.Values.Reader;
import io.bloomgate.config.settings.yaml.Section;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The way in which a list is fetched, part of {@link Location.Url}: the keys of a source beside its
 * {@code url}. Immutable; read with the settings, asked by fetches.
 *
 * @param mirrors asked in this order when the first address fails
 * @param checksumUrl where the publisher shows the checksum of the list; {@code null} for none
 * @param headers by name, sent to the server of the feed's own address only
 * @param secretFile with the key for {@code {secret}}, {@code null} when no address has one
 * @param proxy the one that counts for this feed, {@code null} for none
 * @param insecure redirects to plain http are followed beyond this network too
 */
public record Fetching(
    List<FeedUrl> mirrors,
    @Nullable FeedUrl checksumUrl,
    Map<String, HeaderValue> headers,
    @Nullable Path secretFile,
    @Nullable Proxy proxy,
    boolean allowPrivateRedirects,
    boolean insecure) {

  /** One address, asked through a proxy or directly. */
  public static Fetching by(@Nullable Proxy proxy) {
    return new Fetching(List.of(), null, Map.of(), null, proxy, false, false);
  }

  /** The same, with redirects to plain http or without. */
  public Fetching withInsecure(boolean permitted) {
    return Copy.of(Fetching.class, this, Map.of("insecure", permitted));
  }

  /** Every address that a fetch may ask, the feed's own first. */
  public List<FeedUrl> addresses(FeedUrl own) {
    return Stream.of(
            List.of(own), mirrors, checksumUrl == null ? List.<FeedUrl>of() : List.of(checksumUrl))
        .flatMap(List::stream)
        .toList();
  }

  /** The value of a request header. */
  public sealed interface HeaderValue {
    /** The value as the settings have it; never shown, because it may be a key. */
    record Text(String value) implements HeaderValue {
      @Override
      public String toString() {
        return "***";
      }
    }

    /** The value is read from a file at each fetch. */
    record SecretFile(Path file) implements HeaderValue {}
  }

  /**
   * An HTTP proxy for http and https.
   *
   * @param credentials file with USER:PASSWORD, {@code null} when it asks for none
   */
  public record Proxy(HostPort address, @Nullable Path credentials) {}

  private static final String FILE_PREFIX = "file:";
  private static final int MOST_MIRRORS = 5;

  /** Keys that mean nothing to a feed from files. */
  private static final List<String> WEB_ONLY =
      List.of(
          "mirrors",
          "checksum_url",
          "headers",
          "secret_file",
          "proxy",
          "proxy_credentials_file",
          "allow_private_redirects");

  /** RFC 9110 section 5.6.2. */
  private static final Pattern TOKEN = Pattern.compile("[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}");

  private static final Pattern HEADER_TEXT = Pattern.compile("[!-~](?:[ -~]{0,4094}[!-~])?");

  /** Headers that the fetch itself writes, or that would change what the connection means. */
  private static final Set<String> OURS =
      Set.of(
          ("host content-length transfer-encoding connection keep-alive te trailer upgrade expect"
                  + " range accept-encoding if-none-match if-modified-since if-match if-range"
                  + " proxy-authorization proxy-connection")
              .split(" "));

  /**
   * The proxy of a section; {@code null} for none.
   *
   * @param fallback {@code none}, or empty to take the general one
   */
  static @Nullable Proxy proxy(Section s, String fallback, @Nullable Proxy general) {
    String said =
        s.value("proxy", fallback, Values.noted("http://HOST:PORT, or none", Fetching::proxyText));
    Path credentials = s.orNull("proxy_credentials_file", s.path());
    boolean isNamed = !said.isEmpty() && !said.equals("none");
    s.problemIf(
        credentials != null && !isNamed,
        "proxy_credentials_file",
        "credentials without a proxy",
        "name the proxy beside them");
    if (!isNamed) {
      return said.isEmpty() ? general : null;
    }
    URI uri = URI.create(said);
    String host = uri.getHost().replaceAll("[\\[\\]]", "");
    return new Proxy(new HostPort(host, uri.getPort()), credentials);
  }

  /** Reads the address of a proxy; the text may hold a password, so no message shows it. */
  private static String proxyText(String text) throws BadValueException {
    if (text.isEmpty() || text.equals("none")) {
      return text;
    }
    String problem = "this is not an HTTP proxy";
    String hint = "write http://HOST:PORT, or none";
    URI uri = Values.address(text, Set.of("http"), problem, hint);
    if (uri.getUserInfo() != null) {
      throw new BadValueException(
          "the proxy's address has a user name or password",
          "put USER:PASSWORD into a file and name it as proxy_credentials_file");
    }
    boolean bare = uri.getRawQuery() == null && Set.of("", "/").contains("" + uri.getRawPath());
    if (uri.getPort() < 1 || !bare) {
      throw new BadValueException(problem, hint);
    }
    return text;
  }

  /** A feed that is not fetched over HTTP has none of the keys. */
  static void refuse(Section s, String why) {
    WEB_ONLY.stream().filter(s::isSet).forEach(key -> s.problem(key, why, "remove " + key));
  }

  /**
   * The keys of one source.
   *
   * @param url {@code null} when the address is wrong
   * @param general the proxy for all
   */
  static Fetching bind(
      Section s, @Nullable FeedUrl url, boolean insecure, @Nullable Proxy general) {
    List<FeedUrl> mirrors =
        s.list(
            "mirrors",
            List.of(),
            Values.hidden("web address", s.around().shownUrl(), text -> web(text, insecure)));
    s.problemIf(
        mirrors.size() > MOST_MIRRORS,
        "mirrors",
        "more than " + MOST_MIRRORS + " mirrors",
        "keep the best ones");
    @Nullable FeedUrl checksum =
        s.orNull(
            "checksum_url",
            Values.hidden("web address", s.around().shownUrl(), text -> web(text, insecure)));
    Map<String, HeaderValue> headers =
        s.pairs(
            "headers",
            Fetching::headerName,
            Values.hidden(
                "value, or file:PATH", Fetching::shownHeader, text -> headerValue(text, s.path())));
    Path secret = s.orNull("secret_file", s.path());
    Fetching fetching =
        new Fetching(
            mirrors,
            checksum,
            headers,
            secret,
            proxy(s, "", general),
            s.value("allow_private_redirects", "false", Values.BOOLEAN),
            insecure);
    if (url != null) {
      checkSecrets(s, url, fetching);
    }
    return fetching;
  }

  /** An address of a list; unencrypted only where no other machine can change the octets. */
  static FeedUrl checked(String text, boolean insecure) throws BadValueException {
    FeedUrl url = FeedUrl.read(text);
    if (url.isPlainToTheWorld() && !insecure) {
      throw new BadValueException(
          (url.isRsync() ? "rsync" : "plain http") + " lets anyone on the way write this feed",
          url.isRsync()
              ? "if the publisher offers no https, set `insecure: true` for this feed"
              : "use https, or set `insecure: true` for this feed");
    }
    return url;
  }

  private static FeedUrl web(String text, boolean insecure) throws BadValueException {
    FeedUrl url = checked(text, insecure);
    if (url.isRsync()) {
      throw new BadValueException("rsync beside a feed over HTTP", "name a web address");
    }
    return url;
  }

  private static String headerName(String text) throws BadValueException {
    if (!TOKEN.matcher(text).matches()) {
      throw BadValueException.of(text, "is not the name of a header", "write for example Auth-Key");
    }
    if (OURS.contains(text.toLowerCase(Locale.ROOT))) {
      throw new BadValueException(
          "the header " + Shown.quoted(text) + " is written by the fetch itself", "remove it");
    }
    return text;
  }

  private static HeaderValue headerValue(String text, Reader<Path> path) throws BadValueException {
    if (text.startsWith(FILE_PREFIX)) {
      return new HeaderValue.SecretFile(path.read(text.substring(FILE_PREFIX.length())));
    }
    if (!HEADER_TEXT.matcher(text).matches()) {
      throw new BadValueException(
          "a header cannot hold this", "printable ASCII on one line, or file:PATH for a key");
    }
    return new HeaderValue.Text(text);
  }

  private static String shownHeader(String text) {
    return text.startsWith(FILE_PREFIX) ? text : "***";
  }

  private static void checkSecrets(Section s, FeedUrl url, Fetching fetching) {
    List<FeedUrl> all = fetching.addresses(url);
    boolean wanted = all.stream().anyMatch(FeedUrl::hasSecret);
    s.problemIf(
        wanted && fetching.secretFile() == null,
        "url",
        "{secret} without a file that holds it",
        "name it as secret_file: PATH");
    s.problemIf(
        !wanted && fetching.secretFile() != null,
        "secret_file",
        "no address holds {secret}",
        "write {secret} where the key belongs");
    String hint = "use https; a key goes over plain http to this machine only";
    s.problemIf(
        all.stream().anyMatch(u -> u.hasSecret() && isReadable(u)),
        "secret_file",
        "the key would cross the network readable",
        hint);
    s.problemIf(
        !fetching.headers().isEmpty() && isReadable(url),
        "headers",
        "the headers would cross the network readable",
        hint);
  }

  private static boolean isReadable(FeedUrl url) {
    return url.isPlain() && !Names.isLoopback(url.host());
  }
}
