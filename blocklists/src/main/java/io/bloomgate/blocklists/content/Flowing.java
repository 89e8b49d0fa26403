package io.bloomgate.blocklists.content;

/**
 * Joins the lines of a text whose lines only break for the width of the screen while its characters
 * pass: {@code format=flowed; delsp=yes} (RFC 3676 section 4). A line that ends with a space goes
 * on in the next one of the same quote, without that space, so that a URL may go on, too. Used by
 * {@link TextReading}.
 */
final class Flowing {

  private static final int BUFFER = 256;

  /** In front of a signature: its space is none of a soft break. */
  private static final String SIGNATURE = "-- ";

  private final CharSink sink;
  private final char[] out = new char[BUFFER];
  private int used;

  /** The line before ends with a soft break. */
  private boolean soft;

  /** Quote marks of the line before. */
  private int quotesBefore;

  /** Quote marks of this line so far, or all of them. */
  private int quotes;

  private boolean lineBegins;

  /** Characters of the line behind the quote marks. */
  private long length;

  /** Nothing but the beginning of a signature since the line began. */
  private boolean signature;

  private boolean space;
  private boolean carriageReturn;

  Flowing(CharSink sink) {
    this.sink = sink;
  }

  /** Begins a text. */
  void start() {
    soft = false;
    quotesBefore = 0;
    space = false;
    carriageReturn = false;
    startLine();
  }

  private void startLine() {
    lineBegins = true;
    quotes = 0;
    length = 0;
    signature = true;
  }

  /** Takes the next characters; a space and a line end wait for what follows. */
  void put(char[] characters, int from, int to) {
    for (int i = from; i < to; i++) {
      char c = characters[i];
      if (c == '\n') {
        carriageReturn = false;
        endLine();
        continue;
      }
      if (carriageReturn) {
        carriageReturn = false;
        character('\r');
      }
      if (c == '\r') {
        carriageReturn = true;
      } else if (lineBegins && c == '>') {
        quotes++;
      } else {
        character(c);
      }
    }
    flush();
  }

  private void character(char c) {
    if (lineBegins) {
      begin();
      if (c == ' ') {
        return; // in front of what would begin with a space or a quote mark
      }
    }
    if (space) {
      write(' ');
      space = false;
    }
    signature &= length < SIGNATURE.length() && c == SIGNATURE.charAt((int) length);
    length++;
    space = c == ' ';
    if (!space) {
      write(c);
    }
  }

  /** The quote marks are known: the line before goes on here, or not. */
  private void begin() {
    lineBegins = false;
    if (soft && quotes == quotesBefore) {
      return;
    }
    if (soft) {
      write('\n');
    }
    for (int i = 0; i < quotes; i++) {
      write('>');
    }
  }

  private void endLine() {
    if (lineBegins) {
      begin();
    }
    soft = space && !(signature && length == SIGNATURE.length());
    space = false;
    if (!soft) {
      write('\n');
    }
    quotesBefore = quotes;
    startLine();
  }

  private void write(char c) {
    if (used == out.length) {
      flush();
    }
    out[used++] = c;
  }

  private void flush() {
    int all = used;
    used = 0;
    if (all > 0) {
      sink.put(out, 0, all);
    }
  }

  /** Ends the text. */
  void end() {
    endLine();
    write('\n');
    flush();
  }
}
