package io.bloomgate.cli.command;

import java.nio.file.Path;

/**
 * Texts for a terminal or a pipe: each character that could move the cursor, break a line or turn
 * the reading direction is written as {@code \}{@code uXXXX}. Pure.
 */
public final class TerminalText {

  private TerminalText() {}

  /** The text on one line. */
  public static String safe(String text) {
    if (text.codePoints().allMatch(TerminalText::isHarmless)) {
      return text;
    }
    StringBuilder out = new StringBuilder(text.length() + 16);
    text.codePoints()
        .forEach(c -> {
          if (isHarmless(c)) {
            out.appendCodePoint(c);
          } else {
            escape(out, c);
          }
        });
    return out.toString();
  }

  /** A path as one word of a shell, for commands that are printed to be typed. */
  public static String word(Path path) {
    String text = safe(path.toString());
    return text.matches("[-+.,/:=@_A-Za-z0-9]+") ? text : "'" + text.replace("'", "'\\''") + "'";
  }

  /** The same for a line of JSON, where such characters are only inside strings. */
  static String safeJson(String json) {
    return safe(json);
  }

  /** UTF-16 units, as JSON and Java have them. */
  private static void escape(StringBuilder out, int codePoint) {
    for (char unit : Character.toChars(codePoint)) {
      out.append(String.format("\\u%04x", (int) unit));
    }
  }

  private static boolean isHarmless(int c) {
    if (c >= 0x20 && c < 0x7f) {
      return true;
    }
    return switch (Character.getType(c)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.SURROGATE,
          Character.PRIVATE_USE,
          Character.UNASSIGNED,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR ->
          false;
      default -> true;
    };
  }
}
