package io.bloomgate.blocklists.content;

/**
 * Joins the lines of a calendar or an address card while its characters pass: a line that begins
 * with a blank goes on with the one before (RFC 5545 section 3.1, RFC 6350 section 3.2). Undoes the
 * escapes of a text, too (RFC 5545 section 3.3.11). Used by {@link TextReading}.
 */
final class Unfolding {

  private static final int BUFFER = 256;
  private static final char[] LINE_END = {'\r', '\n'};
  private static final char[] NEW_LINE = {'\n'};
  private static final char[] BACKSLASH = {'\\'};

  private final CharSink sink;
  private final char[] out = new char[BUFFER];
  private int used;
  private boolean carriageReturn;
  private boolean lineFeed;
  private boolean escape;

  Unfolding(CharSink sink) {
    this.sink = sink;
  }

  /** Begins a text. */
  void start() {
    noLineEnd();
    escape = false;
  }

  private void noLineEnd() {
    carriageReturn = false;
    lineFeed = false;
  }

  /** Takes the next characters; a line end waits for what follows. */
  void put(char[] characters, int from, int to) {
    int begin = from;
    for (int i = from; i < to; i++) {
      char c = characters[i];
      if (lineFeed && (c == ' ' || c == '\t')) {
        noLineEnd();
        begin = i + 1;
        continue;
      }
      if (lineFeed || (carriageReturn && c != '\n')) {
        endLine();
      }
      if (escape && c != '\r' && c != '\n') {
        begin = escaped(c, i);
        continue;
      }
      if (c == '\\') {
        hand(characters, begin, i);
        escape = true;
        begin = i + 1;
      }
      if (c == '\r' || c == '\n') {
        hand(characters, begin, i);
        carriageReturn |= c == '\r';
        lineFeed = c == '\n';
        begin = i + 1;
      }
    }
    hand(characters, begin, to);
    flush();
  }

  /** Collects pieces, which may be of one character each. */
  private void hand(char[] characters, int from, int to) {
    for (int i = from; i < to; i++) {
      if (used == out.length) {
        flush();
      }
      out[used++] = characters[i];
    }
  }

  private void flush() {
    int all = used;
    used = 0;
    if (all > 0) {
      sink.put(out, 0, all);
    }
  }

  /** Takes the character behind a backslash; returns where the next piece begins. */
  private int escaped(char c, int at) {
    escape = false;
    if (c == 'n' || c == 'N') {
      hand(NEW_LINE, 0, 1);
      return at + 1;
    }
    boolean known = c == ',' || c == ';' || c == '\\';
    hand(BACKSLASH, 0, known ? 0 : 1);
    return at;
  }

  private void endLine() {
    hand(LINE_END, carriageReturn ? 0 : 1, lineFeed ? 2 : 1);
    noLineEnd();
  }

  /** Ends the text. */
  void end() {
    hand(BACKSLASH, 0, escape ? 1 : 0);
    endLine();
    flush();
    start();
  }
}
