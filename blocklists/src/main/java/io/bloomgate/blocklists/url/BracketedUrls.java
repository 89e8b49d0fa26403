package io.bloomgate.blocklists.url;

import java.util.Arrays;

/**
 * Finds the URLs of a plain text that are in angle brackets or double quotes and have white space
 * inside: it is left out (RFC 3986 appendix C). Thunderbird does so within a line, others beyond
 * it. Used by {@link UrlScanner}, which finds all others; of one thread, linear time.
 */
final class BracketedUrls {

  private static final int MOST = UrlScanner.MAX_WORD;

  /** How much more than another URL one costs, because its parts are read as well. */
  private static final int COST = 4;

  private static final int FIRST_BUFFER = 64;
  private static final String HTTP = "http";
  private static final String PREFIX = "url:";

  private final WordReader reader;
  private final UrlsLeft left;
  private static final char[] NONE = {};

  private char[] url = NONE;
  private int length;

  /** Behind an opening bracket or quote, as long as it may be a URL. */
  private boolean open;

  /** What closes it. */
  private char close;

  private boolean blank;

  /** Nothing but white space since the line began. */
  private boolean emptyLine;

  BracketedUrls(WordReader reader, UrlsLeft left) {
    this.reader = reader;
    this.left = left;
  }

  /** Begins a text. */
  void start() {
    open = false;
  }

  /** True when the next characters matter whatever they are. */
  boolean isOpen() {
    return open;
  }

  /** The next characters of the text; those in front of an opening bracket may be left out. */
  void put(char[] text, int from, int to) {
    for (int i = next(text, from, to); i < to; i = next(text, i + 1, to)) {
      char c = text[i];
      if (c == '<' || (c == '"' && !(open && close == '"'))) {
        open = true;
        close = c == '<' ? '>' : '"';
        blank = false;
        emptyLine = false;
        length = 0;
      } else if (open) {
        inBrackets(c);
      }
    }
  }

  private int next(char[] text, int from, int to) {
    int at = from;
    while (at < to && !open && TextKinds.of(text[at]) != TextKinds.OPENS) {
      at++;
    }
    return at;
  }

  private void inBrackets(char c) {
    if (c == close || length == MOST) {
      end();
    } else if (c > ' ') {
      emptyLine = false;
      add(c);
      open = mayBegin(c);
    } else {
      blank |= length > 0;
      open = c != '\n' || !emptyLine;
      emptyLine |= c == '\n';
    }
  }

  private void add(char c) {
    if (length == url.length) {
      int room = Math.max(FIRST_BUFFER, length * 2);
      left.keep((room - length) * Character.BYTES);
      url = Arrays.copyOf(url, room);
    }
    url[length++] = c;
  }

  /** False for what begins like no URL. */
  private boolean mayBegin(char c) {
    int at = length - 1;
    if (at >= HTTP.length()) {
      return true;
    }
    char first = url[0];
    return (c | 0x20) == ((first | 0x20) == 'u' ? PREFIX : HTTP).charAt(at);
  }

  private void end() {
    open = false;
    if (blank && left.mayRead() && left.mayReadBracketed(COST * (length + UrlsLeft.EACH))) {
      reader.read(url, 0, length, false, Form.WHOLE);
    }
  }
}
