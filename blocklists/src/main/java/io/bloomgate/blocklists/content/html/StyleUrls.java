package io.bloomgate.blocklists.content.html;

/**
 * Finds the addresses in a style while its characters pass: {@code url(...)}, and the strings that
 * may be one, as those of {@code @import} and {@code image-set()}; css-syntax-3. Used by {@link
 * AttributeValue}.
 */
final class StyleUrls {

  private static final String URL = "url(";
  private static final int MOST_HEX = 6;

  private enum In {
    STYLE,
    SLASH,
    COMMENT,
    STAR,
    /** Behind {@link #URL}, where a string may begin. */
    BEFORE,
    ADDRESS,
    STRING
  }

  private final HtmlSink sink;
  private final UrlBuffer address;
  private In in = In.STYLE;

  /** Characters of {@link #URL} that were seen. */
  private int ofUrl;

  /** The quote around the string; the bracket of an address that has none. */
  private char close;

  /** Behind {@link #URL}, so that the string is an address. */
  private boolean isAddress;

  /** A string has a mark that addresses have. */
  private boolean marked;

  /** Behind a backslash: digits of its character, -1 for no backslash. */
  private int digits = -1;

  private int escaped;

  StyleUrls(HtmlSink sink) {
    this.sink = sink;
    this.address = new UrlBuffer(sink::keep);
  }

  /** Takes the next character. */
  void put(char c) {
    if (digits >= 0) {
      escape(c);
    } else if (c == '\\' && in != In.COMMENT && in != In.STAR) {
      digits = 0;
      escaped = 0;
    } else {
      plain(c, false);
    }
  }

  /** Behind a backslash: up to six digits and a blank, a line end, or any other character. */
  private void escape(char c) {
    int digit = c < 0x80 ? Character.digit(c, 16) : -1;
    if (digit >= 0 && digits < MOST_HEX) {
      escaped = escaped << 4 | digit;
      digits++;
      return;
    }
    boolean hex = digits > 0;
    digits = c == '\r' ? 0 : -1; // a line feed may follow
    int point = escaped;
    escaped = 0;
    if (hex) {
      if (Character.isBmpCodePoint(point)) {
        plain((char) point, true);
      } else if (Character.isValidCodePoint(point)) {
        plain(Character.highSurrogate(point), true);
        plain(Character.lowSurrogate(point), true);
      }
      if (!HtmlNames.isBlank(c)) {
        put(c);
      }
    } else if (c != '\n' && c != '\r' && c != '\f') {
      plain(c, true);
    }
  }

  /** A character that no backslash is in front of, or one that was escaped. */
  private void plain(char c, boolean literal) {
    switch (in) {
      case STYLE -> style(c, literal);
      case SLASH -> {
        in = c == '*' && !literal ? In.COMMENT : In.STYLE;
        if (in == In.STYLE) {
          style(c, literal);
        }
      }
      case COMMENT -> in = c == '*' ? In.STAR : In.COMMENT;
      case STAR -> in = c == '/' ? In.STYLE : c == '*' ? In.STAR : In.COMMENT;
      case BEFORE -> {
        if (!HtmlNames.isBlank(c)) {
          boolean quote = isQuote(c) && !literal;
          begin(quote ? In.STRING : In.ADDRESS, quote ? c : ')', true);
          if (!quote) {
            address(c, literal);
          }
        }
      }
      case ADDRESS, STRING -> address(c, literal);
    }
  }

  private static boolean isQuote(char c) {
    return c == '"' || c == '\'';
  }

  private void style(char c, boolean literal) {
    int lower = c >= 'A' && c <= 'Z' ? c | 0x20 : c;
    ofUrl = lower == URL.charAt(ofUrl) ? ofUrl + 1 : lower == 'u' ? 1 : 0;
    if (ofUrl == URL.length()) {
      ofUrl = 0;
      in = In.BEFORE;
    } else if (c == '/' && !literal) {
      in = In.SLASH;
    } else if (isQuote(c) && !literal) {
      begin(In.STRING, c, false);
    }
  }

  private void begin(In what, char end, boolean known) {
    in = what;
    close = end;
    isAddress = known;
    marked = false;
    ofUrl = 0;
    address.clear();
  }

  private void address(char c, boolean literal) {
    boolean broken = in == In.STRING && (c == '\n' || c == '\r' || c == '\f');
    if ((c == close || broken) && !literal) {
      link();
    } else {
      marked |= c == '/' || c == '.';
      address.add(c);
    }
  }

  private void link() {
    if (isAddress || marked) {
      address.link(sink);
    }
    in = In.STYLE;
  }

  /** Ends the style, and an address that is open. */
  void end() {
    if (digits > 0) {
      escape(' ');
    }
    if (in == In.ADDRESS || in == In.STRING) {
      link();
    }
    in = In.STYLE;
    ofUrl = 0;
    digits = -1;
  }
}
