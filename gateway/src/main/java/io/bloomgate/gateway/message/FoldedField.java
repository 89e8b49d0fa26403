package io.bloomgate.gateway.message;

import java.nio.charset.StandardCharsets;

/**
 * Builds one header field out of words, folded (RFC 5322 section 2.2.3) so that unfolding gives the
 * words with one space between them. Used by {@link TraceHeaders}.
 */
final class FoldedField {

  /** RFC 5322 section 2.1.1, without CRLF; a longer word has a line for itself. */
  private static final int GOOD_LINE_CHARS = 78;

  private final StringBuilder text = new StringBuilder(256);
  private int lineStart;

  /**
   * @param name with its colon
   */
  FoldedField(String name) {
    text.append(name);
  }

  FoldedField add(String word) {
    if (text.length() - lineStart + 1 + word.length() > GOOD_LINE_CHARS) {
      text.append("\r\n");
      lineStart = text.length();
    }
    text.append(' ').append(word);
    return this;
  }

  /** The field with its CRLF. */
  String text() {
    return text + "\r\n";
  }

  byte[] octets() {
    return text().getBytes(StandardCharsets.UTF_8);
  }
}
