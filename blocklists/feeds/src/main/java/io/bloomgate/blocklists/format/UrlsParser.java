package io.bloomgate.blocklists.format;

import io.bloomgate.blocklists.format.EntryText.Accepts;
import io.bloomgate.config.name.Check;
import io.bloomgate.config.name.Parsed;
import io.bloomgate.config.name.WebUrl;
import java.io.IOException;
import java.io.InputStream;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The format {@code urls}: a URL a line, RFC 3986 section 3. Its host is an entry, without what is
 * before it (user) and after it (port, path, query, fragment); where the feed asks for URLs, the
 * canonical URL is one too. Of a table, the first column with URLs counts.
 */
record UrlsParser(boolean urls, boolean hosts) implements FeedParser {

  /** Checks that are asked with hosts and addresses. */
  private static final Set<Check> OF_HOSTS =
      EnumSet.of(
          Check.CLIENT_IP,
          Check.CLIENT_NAME,
          Check.HELO,
          Check.SENDER_DOMAIN,
          Check.FROM_DOMAIN,
          Check.REPLY_TO_DOMAIN,
          Check.URL_HOST);

  private static final String SCHEME_END = "://";

  /**
   * The parser of that name, under which stored versions remember what was read, where settings say
   * {@code urls}; {@code null} when it is another format's.
   */
  static @Nullable UrlsParser named(String name) {
    return switch (name) {
      case "urls" -> new UrlsParser(false, true);
      case "urls:paths" -> new UrlsParser(true, true);
      case "urls:paths-only" -> new UrlsParser(true, false);
      default -> null;
    };
  }

  /** The name of the format for a feed with these checks. */
  static String name(Set<Check> checks) {
    String whole = Collections.disjoint(checks, OF_HOSTS) ? "urls:paths-only" : "urls:paths";
    return checks.contains(Check.URL) ? whole : "urls";
  }

  @Override
  public void parse(InputStream text, ParseRun run) throws IOException {
    FeedLines.read(text, run, this::line);
  }

  private void line(ParseRun run, byte[] text, int from, int to) {
    if (Comments.isWhole(text, from, to)) {
      return;
    }
    if (schemeEnd(text, from, to) < 0 && !Comments.isUrl(text, from, to)) {
      row(run, text, from, to);
    } else {
      url(run, text, from, to);
    }
  }

  /** A table, as PhishTank and URLhaus have it: its first field with a scheme. */
  private void row(ParseRun run, byte[] text, int from, int to) {
    String line = Octets.decode(text, from, to);
    Optional<byte[]> found =
        CsvFields.find(
            line,
            field ->
                Optional.of(Octets.encode(field))
                    .filter(value -> schemeEnd(value, 0, value.length) > 0));
    if (found.isPresent()) {
      url(run, found.get(), 0, found.get().length);
    } else if (run.isFirst() && CsvFields.isHeader(CsvFields.ofLine(line))) {
      run.skip();
    } else {
      run.problem("not a URL with a host");
    }
  }

  private void url(ParseRun run, byte[] text, int from, int to) {
    if (!urls) {
      host(run, text, from, to);
      return;
    }
    Parsed<WebUrl> read = WebUrl.parse(Octets.decode(text, from, to));
    run.url(read);
    if (hosts) {
      read.toOptional().ifPresent(run::hostOf);
    }
  }

  private static void host(ParseRun run, byte[] text, int from, int to) {
    int scheme = Comments.isUrl(text, from, to) ? from + "//".length() : schemeEnd(text, from, to);
    if (scheme < 0) {
      run.problem("not a URL with a host");
      return;
    }
    int hostFrom = scheme;
    int hostTo = authorityEnd(text, scheme, to);
    for (int i = hostFrom; i < hostTo; i++) {
      if (text[i] == '@') {
        hostFrom = i + 1;
      }
    }
    if (hostFrom < hostTo && text[hostFrom] == '[') {
      int close = Octets.indexOf(text, hostFrom, hostTo, ']');
      EntryText.read(run, Accepts.NAMES, text, hostFrom + 1, close < 0 ? hostTo : close);
      return;
    }
    int colon = Octets.indexOf(text, hostFrom, hostTo, ':');
    EntryText.read(run, Accepts.NAMES, text, hostFrom, colon < 0 ? hostTo : colon);
  }

  /** The position after {@code scheme://}, or -1. */
  private static int schemeEnd(byte[] text, int from, int to) {
    int colon = Octets.indexOf(text, from, to, ':');
    if (colon <= from || !Octets.startsWith(text, colon, to, SCHEME_END)) {
      return -1;
    }
    for (int i = from; i < colon; i++) {
      boolean letter = (text[i] | 0x20) >= 'a' && (text[i] | 0x20) <= 'z';
      // RFC 3986 section 3.1
      if (!letter && (i == from || !(Octets.isDigit(text[i]) || "+-.".indexOf(text[i]) >= 0))) {
        return -1;
      }
    }
    return colon + SCHEME_END.length();
  }

  /** RFC 3986 section 3.2: the authority ends at a slash, a question mark or a number sign. */
  private static int authorityEnd(byte[] text, int from, int to) {
    int at = from;
    while (at < to && text[at] != '/' && text[at] != '?' && text[at] != '#' && text[at] != '\\') {
      at++;
    }
    return at;
  }
}
