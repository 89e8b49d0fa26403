package io.bloomgate.blocklists.content.html;

import org.jspecify.annotations.Nullable;

/**
 * Reads a text with tags as browsers do; and from the first tag on that simple readers know nothing
 * of, in their way, too. The door of this package; used by the reader of a leaf, on the thread of
 * the mail.
 */
public final class HtmlReading {

  private final HtmlSink sink;
  private final HtmlTokens tokens;
  private @Nullable HtmlTokens simple;

  /** The other reader reads, too. */
  private boolean differs;

  /** A reader of one text after the other. */
  public HtmlReading(HtmlSink sink) {
    this.sink = sink;
    this.tokens = new HtmlTokens(sink);
  }

  /**
   * Begins a text.
   *
   * @param isXml in XML any tag can close itself, and any text can have tags in it
   */
  public void start(boolean isXml) {
    differs = false;
    tokens.start(isXml ? HtmlTokens.Rules.XML : HtmlTokens.Rules.BROWSER);
  }

  /** Takes the next characters. */
  public void put(char[] text, int from, int to) {
    int i = tokens.put(text, from, to);
    int begin = from;
    if (!differs && tokens.differs()) {
      differs = true;
      begin = i;
      HtmlSink other = sink.beside();
      HtmlTokens reader = simple == null ? new HtmlTokens(other) : simple;
      simple = reader;
      reader.start(HtmlTokens.Rules.SIMPLE);
      if (tokens.isRaw() && HtmlNames.isLetter(text[i - 1])) {
        reader.put(new char[] {'<', text[i - 1]}, 0, 2);
      }
      tokens.put(text, i, to);
    }
    HtmlTokens reader = simple;
    if (differs && reader != null) {
      reader.put(text, begin, to);
    }
  }

  /** Ends the text. */
  public void end() {
    tokens.end();
    HtmlTokens reader = simple;
    if (differs && reader != null) {
      reader.end();
      sink.endBeside();
    }
  }
}
