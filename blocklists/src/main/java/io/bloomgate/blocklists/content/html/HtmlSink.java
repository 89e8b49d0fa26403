package io.bloomgate.blocklists.content.html;

/**
 * Takes what {@link HtmlReading} finds in a text, in the order of its characters. Implemented by
 * who reads a leaf of a mail.
 */
public interface HtmlSink {
  /** Visible text, entities decoded. */
  void text(char[] text, int from, int to);

  /**
   * The value of an attribute that is a URL.
   *
   * @param value read only during the call
   */
  void link(char[] value, int length);

  /** The value of an attribute that is a URL and that nobody follows. */
  void mention(String value);

  /** A string of a script that is a URL. */
  void script(String value);

  /** A quote of another text begins or ends. */
  void quote(boolean begins);

  /** The content of a {@code meta} that leads to another page. */
  void refresh(String content);

  /** The URL that relative ones of the text start from. */
  void base(String value);

  /** Takes what another reader finds in the rest of the text. */
  HtmlSink beside();

  /** The text of that other reader ended. */
  void endBeside();

  /** An attribute has more characters than are read. */
  void longAttribute();

  /** Octets of memory are taken to read the text. */
  void keep(int octets);
}
