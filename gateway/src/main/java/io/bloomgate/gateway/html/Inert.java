package io.bloomgate.gateway.html;

import io.bloomgate.config.notation.TerminalText;

/**
 * Makes texts from outside fit to be shown: shortened, on one line, and without characters that
 * hide or turn others, which become {@code \}{@code uXXXX}. Templates escape the marks of HTML.
 * Used by reports and by the page. Pure.
 */
public final class Inert {

  /** Characters of one value in a table: a hostile name makes no page long. */
  static final int MAX_CHARACTERS = 200;

  /** Characters of one value that people have to read to its end. */
  private static final int MAX_WHOLE = 1_000;

  private static final String CUT = "...";

  /** A text is cut between words; one longer word is cut inside. */
  private static final int MAX_WORD = 40;

  private Inert() {}

  /** Makes a text harmless, for one cell of many. */
  public static String text(String outside) {
    return text(outside, MAX_CHARACTERS);
  }

  /** Makes a text harmless that people have to read to its end, such as a reason. */
  public static String whole(String outside) {
    return text(outside, MAX_WHOLE);
  }

  /** An escape is whole or missing. */
  private static String text(String outside, int max) {
    StringBuilder out = new StringBuilder();
    for (int at = 0; at < outside.length(); at += Character.charCount(outside.codePointAt(at))) {
      String next = TerminalText.safe(Character.toString(outside.codePointAt(at)));
      if (out.length() + next.length() > max) {
        int space = out.lastIndexOf(" ");
        return (space > max - MAX_WORD ? out.substring(0, space) : out) + CUT;
      }
      out.append(next);
    }
    return out.toString();
  }
}
