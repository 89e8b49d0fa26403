package io.bloomgate.blocklists.content.html;

/**
 * Finds the addresses in a script while its characters pass: a string that begins with {@code
 * http://}, {@code https://} or {@code //}, whatever is done with it. Any quote may begin one, so
 * that no comment and no regular expression hides the strings behind it. Such an address is
 * evidence, and no link: nobody knows what the script does. Used by {@link AttributeValue}.
 */
final class ScriptUrls {

  private static final String[] BEGINNINGS = {"http://", "https://", "//"};
  private static final int ALL = (1 << BEGINNINGS.length) - 1;

  private final HtmlSink sink;
  private final UrlBuffer address;

  /** The quote that began a string, 0 for none. */
  private char quote;

  /**
   * A bit for each of {@link #BEGINNINGS} that the string may have, and how much of it there is.
   */
  private int beginnings;

  private int length;

  /** The string has one of these. */
  private boolean known;

  /** Digits of an escape that are still to come, -1 behind a backslash, 0 outside of an escape. */
  private int digits;

  private int escaped;

  ScriptUrls(HtmlSink sink) {
    this.sink = sink;
    this.address = new UrlBuffer(sink::keep);
  }

  /** Takes the next character. */
  void put(char c) {
    if (digits > 0) {
      digit(c);
    } else if (digits < 0) {
      behindBackslash(c);
    } else if (quote != 0 && c == '\\') {
      digits = -1;
    } else if (quote == 0 || (isQuote(c) && !known)) {
      quote = isQuote(c) ? c : 0;
      begin();
    } else if (c == quote || c <= ' ' || c == '<') {
      end();
    } else {
      add(c);
    }
  }

  private static boolean isQuote(char c) {
    return c == '"' || c == '\'' || c == '`';
  }

  private void begin() {
    address.clear();
    beginnings = ALL;
    length = 0;
    known = false;
  }

  private void behindBackslash(char c) {
    if (c == '\r') {
      return; // of a line end, which is left out
    }
    digits = c == 'x' ? 2 : c == 'u' ? 4 : 0;
    escaped = 0;
    if (digits == 0 && c != '\n') {
      add(c);
    }
  }

  private void digit(char c) {
    int value = c < 0x80 ? Character.digit(c, 16) : -1;
    if (value < 0) {
      end(); // no string of a script that runs
      return;
    }
    escaped = escaped << 4 | value;
    if (--digits == 0) {
      add((char) escaped);
    }
  }

  private void add(char c) {
    address.add(c);
    if (known) {
      return;
    }
    for (int i = 0; i < BEGINNINGS.length; i++) {
      boolean may = (beginnings & 1 << i) != 0;
      if (may && (c | 0x20) != (BEGINNINGS[i].charAt(length) | 0x20)) {
        beginnings &= ~(1 << i);
      } else if (may && length + 1 == BEGINNINGS[i].length()) {
        known = true;
      }
    }
    length++;
    if (beginnings == 0) {
      quote = 0;
    }
  }

  /** Ends a string, if one is open, and so the script. */
  void end() {
    if (quote != 0 && known) {
      sink.script(address.take());
    }
    quote = 0;
    known = false;
    digits = 0;
  }
}
