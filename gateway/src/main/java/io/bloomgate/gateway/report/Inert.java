package io.bloomgate.gateway.report;

import java.util.function.IntFunction;

/**
 * Texts from outside in a report: shortened, on one line, and without characters that hide or turn
 * others, which become {@code \}{@code uXXXX}; in HTML without marks. Used by reports and by the
 * page, which escapes for HTML itself. Pure.
 */
public final class Inert {

  /** Characters of one value, behind its escapes: a hostile name makes no report long. */
  static final int MAX_CHARACTERS = 200;

  private static final String CUT = "...";

  /** A text is cut between words; one longer word is cut inside. */
  private static final int MAX_WORD = 40;

  private Inert() {}

  /** Makes a text harmless in a line of text. */
  public static String text(String outside) {
    return escaped(outside, Inert::plain);
  }

  /** Makes a text harmless in HTML, inside an element or a quoted attribute. */
  static String html(String outside) {
    return escaped(
        outside,
        c ->
            switch (c) {
              case '&' -> "&amp;";
              case '<' -> "&lt;";
              case '>' -> "&gt;";
              case '"' -> "&quot;";
              case '\'' -> "&#39;";
              default -> plain(c);
            });
  }

  /** An escape is whole or missing. */
  private static String escaped(String outside, IntFunction<String> escape) {
    StringBuilder out = new StringBuilder();
    for (int at = 0; at < outside.length(); at += Character.charCount(outside.codePointAt(at))) {
      String next = escape.apply(outside.codePointAt(at));
      if (out.length() + next.length() > MAX_CHARACTERS) {
        int space = out.lastIndexOf(" ");
        return (space > MAX_CHARACTERS - MAX_WORD ? out.substring(0, space) : out) + CUT;
      }
      out.append(next);
    }
    return out.toString();
  }

  private static String plain(int c) {
    return switch (Character.getType(c)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.SURROGATE,
          Character.PRIVATE_USE,
          Character.UNASSIGNED,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR -> {
        StringBuilder escape = new StringBuilder();
        for (char unit : Character.toChars(c)) {
          escape.append(String.format("\\u%04x", (int) unit));
        }
        yield escape.toString();
      }
      default -> Character.toString(c);
    };
  }
}
