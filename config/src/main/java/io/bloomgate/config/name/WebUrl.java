package io.bloomgate.config.name;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * A web URL as lists compare it: {@code host/path?query}, without scheme, user, port and fragment.
 * Canonical by the published rules of Safe Browsing v4 (developers.google.com/safe-browsing/v4/
 * urls-hashing), and where browsers read more than those say, by WHATWG's URL standard. Feeds,
 * operators and the scanner of mails make them, on any thread. Immutable; equality is by text.
 */
public final class WebUrl implements Subject, ListKey, Comparable<WebUrl> {

  /** Octets of the canonical text. Longer URLs of feeds are refused, those of mails are cut. */
  public static final int MAX_OCTETS = 4_096;

  /**
   * Characters of a URL as it is written: escapes of escapes are longer than what they stand for.
   */
  public static final int MAX_CHARACTERS = 16_384;

  /** Host suffixes that are asked below the whole host, which has at most this many labels. */
  private static final int SUFFIX_LABELS = 5;

  /** Path prefixes that end with a slash, the root included. */
  private static final int PATH_PREFIXES = 4;

  /** The same on a shared host, where what is above a page says nothing about it. */
  private static final int SHARED_PATH_PREFIXES = 10;

  private final byte[] octets;
  private final int hostEnd;
  private final int pathEnd;
  private final ListKey host;
  private final boolean isShared;
  private final int hash;

  /** Takes each expression of a URL, as a part of its {@link #octets}. */
  @FunctionalInterface
  public interface ExpressionSink {
    /**
     * One expression: a host suffix and a path prefix, which are next to each other.
     *
     * @param from where the host suffix begins
     * @param to behind the path prefix
     */
    void accept(int from, int to);
  }

  /** The text in its canonical form; the host is its beginning. */
  WebUrl(byte[] octets, int hostEnd, ListKey host) {
    this(octets, hostEnd, host, false);
  }

  /** The same of a page in the form of {@link SharedPage}. */
  WebUrl(byte[] octets, int hostEnd, ListKey host, boolean isShared) {
    this.octets = octets;
    this.hostEnd = hostEnd;
    this.host = host;
    this.isShared = isShared;
    this.hash = Arrays.hashCode(octets);
    int query = hostEnd;
    while (query < octets.length && octets[query] != '?') {
      query++;
    }
    this.pathEnd = query;
  }

  /**
   * Reads what people and feeds write: with or without scheme, {@code //host/path}, any escapes,
   * IPv4 in every notation that browsers know.
   *
   * @return the reason when the scheme is none of the web, when browsers take no host of at least
   *     two labels from it, or when it is longer than {@link #MAX_CHARACTERS} or {@link
   *     #MAX_OCTETS}
   */
  public static Parsed<WebUrl> parse(String text) {
    return WebUrlText.read(text, false, () -> true).map(SharedPage::of);
  }

  /**
   * The URL that lists are asked about: as {@link #parse}, but a URL that is too long is cut, any
   * port is left out, and of a host with a broken label the readable parents remain, as {@link
   * DomainName#asked} gives them.
   */
  public static Optional<WebUrl> asked(String text) {
    return asked(text, () -> true);
  }

  /**
   * The same, for a reader of many.
   *
   * @param mayMap asked when the host has to be read by international rules, which takes the time
   *     of many others; when it says no there is no URL
   */
  public static Optional<WebUrl> asked(String text, BooleanSupplier mayMap) {
    return WebUrlText.read(text, true, mayMap).toOptional().map(SharedPage::of);
  }

  /** The same of a text that others are relative to: the slash at its end counts on each host. */
  public static Optional<WebUrl> base(String text) {
    return WebUrlText.read(text, true, () -> true).toOptional();
  }

  /** The host: a {@link DomainName} or an {@link IpAddress}, nothing else. */
  public ListKey host() {
    return host;
  }

  /** The canonical text in ASCII, for hashing; it must not be changed. */
  public byte[] octets() {
    return octets;
  }

  /** The end of the host in the {@link #octets}, where the slash of the path is. */
  public int hostEnd() {
    return hostEnd;
  }

  /** The end of the path in the {@link #octets}: at the question mark, or at the end. */
  public int pathEnd() {
    return pathEnd;
  }

  /** True for {@code host/} alone. */
  public boolean isHostOnly() {
    return octets.length == hostEnd + 1;
  }

  /**
   * Gives the expressions under which lists may hold the URL, at most 60, each once: the host and
   * up to four suffixes of it, of two to five labels; each with the path and query, the path alone,
   * and the first four folders, the root first. An IP address has no suffixes. Of a page of a
   * shared host more folders count, without their slashes, and the begin of its query up to each
   * parameter: an entry means what is below it, and parameters that are added do not hide it.
   */
  public void forEachExpression(ExpressionSink sink) {
    suffix(0, sink);
    if (host instanceof DomainName name) {
      int labels = Math.min(SUFFIX_LABELS, name.labels() - 1);
      int from = name.labelOffset(name.labels() - labels);
      for (; labels >= 2; labels--) {
        suffix(from, sink);
        from = name.nextLabel(from);
      }
    }
  }

  private void suffix(int from, ExpressionSink sink) {
    sink.accept(from, octets.length);
    if (pathEnd < octets.length) {
      sink.accept(from, pathEnd);
    }
    int prefixes = isShared ? SHARED_PATH_PREFIXES : PATH_PREFIXES;
    // The last octet of the path is left out: with it the prefix would be the path again.
    for (int i = hostEnd; i < pathEnd - 1 && prefixes > 0; i++) {
      if (octets[i] == '/') {
        sink.accept(from, isShared && i > hostEnd ? i : i + 1);
        prefixes--;
      }
    }
    for (int i = pathEnd; isShared && i < octets.length && prefixes > 0; i++) {
      if (octets[i] == '&') {
        sink.accept(from, i);
        prefixes--;
      }
    }
  }

  /**
   * One expression as a value, for exact comparison.
   *
   * @param from as an {@link ExpressionSink} gets it
   * @param to as an {@link ExpressionSink} gets it
   */
  public WebUrl expression(int from, int to) {
    if (from == 0 && to == octets.length) {
      return this;
    }
    ListKey suffix = host;
    if (from > 0 && host instanceof DomainName name) {
      int label = 0;
      for (int at = 0; at < from; at = name.nextLabel(at)) {
        label++;
      }
      suffix = name.from(label);
    }
    return new WebUrl(Arrays.copyOfRange(octets, from, to), hostEnd - from, suffix);
  }

  /** All expressions, in the order of {@link #forEachExpression}. */
  public List<WebUrl> expressions() {
    List<WebUrl> all = new ArrayList<>();
    forEachExpression((from, to) -> all.add(expression(from, to)));
    return List.copyOf(all);
  }

  /** Order of the octets. */
  @Override
  public int compareTo(WebUrl other) {
    return Arrays.compare(octets, other.octets);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof WebUrl that && hash == that.hash && Arrays.equals(octets, that.octets);
  }

  @Override
  public int hashCode() {
    return hash;
  }

  /** The canonical text {@code host/path?query}; an IPv6 address is in brackets. */
  @Override
  public String toString() {
    return new String(octets, US_ASCII);
  }
}
