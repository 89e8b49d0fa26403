package io.bloomgate.blocklists.content;

/**
 * Finds the addresses in a style while its characters pass: {@code url(...)}, and the text behind
 * {@code @import}; css-syntax-3, without escapes. Used by {@link AttributeValue}.
 */
final class StyleUrls {

  /** Characters of an address; a picture that is part of the style is longer, and none. */
  private static final int MOST = 2_048;

  private static final String URL = "url(";
  private static final String IMPORT = "@import";

  private final HtmlSink sink;
  private final StringBuilder address = new StringBuilder();

  /** Characters of the two beginnings that were seen. */
  private int ofUrl;

  private int ofImport;

  /** Behind {@link #URL} or {@link #IMPORT}: the address may begin. */
  private boolean before;

  private boolean open;

  /** The quote around the address; the bracket when it has none. */
  private char close;

  StyleUrls(HtmlSink sink) {
    this.sink = sink;
  }

  /** Begins a style. */
  void start() {
    ofUrl = 0;
    ofImport = 0;
    before = false;
    open = false;
  }

  /** Takes the next character. */
  void put(char c) {
    if (open) {
      address(c);
    } else if (before) {
      before = before(c);
    } else {
      int lower = c >= 'A' && c <= 'Z' ? c | 0x20 : c;
      ofUrl = lower == URL.charAt(ofUrl) ? ofUrl + 1 : lower == 'u' ? 1 : 0;
      ofImport = lower == IMPORT.charAt(ofImport) ? ofImport + 1 : lower == '@' ? 1 : 0;
      if (ofUrl == URL.length() || ofImport == IMPORT.length()) {
        close = ofUrl == URL.length() ? ')' : 0;
        start();
        before = true;
      }
    }
  }

  /** True while white space goes on. */
  private boolean before(char c) {
    if (HtmlNames.isBlank(c)) {
      return true;
    }
    boolean quote = c == '"' || c == '\'';
    if (quote || close == ')') {
      open = true;
      address.setLength(0);
      close = quote ? c : close;
      if (!quote) {
        address(c);
      }
    } else {
      ofUrl = (c | 0x20) == 'u' ? 1 : 0; // @import url(
    }
    return false;
  }

  private void address(char c) {
    if (c == close || address.length() == MOST) {
      end();
    } else {
      address.append(c);
    }
  }

  /** Ends the style, and an address that is open. */
  void end() {
    if (open && address.length() < MOST) {
      sink.link(address.toString());
    }
    start();
  }
}
