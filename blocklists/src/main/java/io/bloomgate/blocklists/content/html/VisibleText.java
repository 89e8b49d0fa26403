package io.bloomgate.blocklists.content.html;

/** The visible text of a page, handed on in pieces. Part of {@link HtmlTokens}. */
final class VisibleText {

  private static final int BUFFER = 256;

  private final HtmlSink sink;
  private final char[] out = new char[BUFFER];
  private int used;

  VisibleText(HtmlSink sink) {
    this.sink = sink;
  }

  /** Begins a text. */
  void start() {
    used = 0;
  }

  /**
   * Takes characters up to one that begins a tag or a reference; returns where it is, or the end.
   */
  int put(char[] text, int from, int to) {
    int i = from;
    while (i < to) {
      int begin = i;
      int last = Math.min(to, i + BUFFER - used);
      while (i < last && text[i] != '<' && text[i] != '&') {
        i++;
      }
      System.arraycopy(text, begin, out, used, i - begin);
      used += i - begin;
      if (i < last) {
        return i;
      }
      if (i < to) {
        flush();
      }
    }
    return i;
  }

  /** Takes one character. */
  void add(char c) {
    if (used == BUFFER) {
      flush();
    }
    out[used++] = c;
  }

  /** A quote begins or ends. */
  void quote(boolean begins) {
    flush();
    sink.quote(begins);
  }

  /** Hands on what it holds. */
  void flush() {
    if (used > 0) {
      sink.text(out, 0, used);
      used = 0;
    }
  }
}
