package io.bloomgate.blocklists.format;

import io.bloomgate.blocklists.format.EntryText.Accepts;
import io.bloomgate.blocklists.format.octets.Octets;
import java.io.IOException;
import java.io.InputStream;

/**
 * The format {@code urls}: a URL a line, RFC 3986 section 3; its host is the entry. The parts
 * before the host (user) and after it (port, path, query, fragment) are left out.
 */
final class UrlsParser implements FeedParser {

  private static final String SCHEME_END = "://";

  @Override
  public void parse(InputStream text, ParseRun run) throws IOException {
    LineLoop.read(text, run, (octets, from, to, number) -> line(run, octets, from, to, number));
  }

  private static void line(ParseRun run, byte[] text, int from, int to, int number) {
    if (Comments.isWhole(text, from, to)) {
      return;
    }
    int scheme = schemeEnd(text, from, to);
    if (scheme < 0) {
      run.problem(number, "not a URL with a host", text, from, to);
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
      EntryText.read(run, Accepts.NAMES, text, hostFrom + 1, close < 0 ? hostTo : close, number);
      return;
    }
    int colon = Octets.indexOf(text, hostFrom, hostTo, ':');
    EntryText.read(run, Accepts.NAMES, text, hostFrom, colon < 0 ? hostTo : colon, number);
  }

  /** Behind {@code scheme://}, or -1. */
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
