package io.bloomgate.config.notation;

/**
 * Texts of the file or the environment on their way into a message: shortened, and with everything
 * escaped that could break a line or a terminal. Pure.
 */
public final class Shown {

  private static final int MAX_LENGTH = 80;

  private Shown() {}

  /** The text in backquotes. */
  public static String quoted(String text) {
    return "`" + bare(text) + "`";
  }

  /**
   * The text as one word of a shell, in its whole length, for commands that are printed to be
   * typed.
   */
  public static String word(String text) {
    return text.matches("[-+.,/:=@_%A-Za-z0-9]+")
        ? text
        : "'" + escaped(text, text.length()).replace("'", "'\\''") + "'";
  }

  /** The text without quotes. */
  public static String bare(String text) {
    return escaped(text, MAX_LENGTH)
        + (text.codePointCount(0, text.length()) > MAX_LENGTH ? "..." : "");
  }

  private static String escaped(String text, int most) {
    StringBuilder out = new StringBuilder();
    text.codePoints()
        .limit(most)
        .forEach(c -> {
          if (TerminalText.isHarmless(c)) {
            out.appendCodePoint(c);
          } else {
            out.append(String.format("\\u%04x", c));
          }
        });
    return out.toString();
  }
}
