package io.bloomgate.blocklists.content;

import org.jspecify.annotations.Nullable;

/**
 * Reads a text with tags as browsers do; and from the first tag on that simple readers know nothing
 * of, in their way, too. Used by {@link TextReading}.
 */
final class HtmlReading {

  private final HtmlSink sink;
  private final HtmlTokens tokens;
  private @Nullable HtmlTokens simple;

  /** The other reader reads, too. */
  private boolean differs;

  HtmlReading(HtmlSink sink) {
    this.sink = sink;
    this.tokens = new HtmlTokens(sink);
  }

  /** Begins a text. */
  void start(HtmlTokens.Rules rules) {
    differs = false;
    tokens.start(rules);
  }

  /** Takes the next characters. */
  void put(char[] text, int from, int to) {
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
  void end() {
    tokens.end();
    HtmlTokens reader = simple;
    if (differs && reader != null) {
      reader.end();
      sink.endBeside();
    }
  }
}
