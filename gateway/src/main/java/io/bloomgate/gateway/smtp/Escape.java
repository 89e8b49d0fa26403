package io.bloomgate.gateway.smtp;

import java.nio.charset.StandardCharsets;

/**
 * Makes texts from outside harmless for logs, replies and headers: every octet beyond {@code !} to
 * {@code ~} and each of the separators {@code space < > [ ] " = \ ;} becomes {@code \xHH}. Pure.
 */
public final class Escape {

  private static final String SEPARATORS = " <>[]\"=\\;";
  private static final char[] HEX = "0123456789ABCDEF".toCharArray();

  private Escape() {}

  /** Decides about an octet that is not escaped. */
  @FunctionalInterface
  private interface Safe {
    boolean is(char octet);
  }

  /** The text with every unsafe octet of its UTF-8 form as {@code \xHH}. */
  public static String text(String outside) {
    return escaped(outside, Escape::isPlain);
  }

  /** The same, cut to a number of characters; a cut is shown by three dots. */
  public static String text(String outside, int maxLength) {
    return cut(text(outside), maxLength);
  }

  /**
   * The same for a word of a structured header field: what could open a comment, end the clause or
   * begin another word is an octet {@code \xHH} too (RFC 5322 section 3.2.3, specials). Only
   * letters, digits and {@code . _ : -} stay.
   */
  public static String word(String outside, int maxLength) {
    return cut(escaped(outside, Escape::isWord), maxLength);
  }

  /**
   * The same as {@link #text(String, int)} for a URL in brackets of a reply, where an equals sign
   * ends nothing: people read it, and a query is full of them.
   */
  public static String url(String outside, int maxLength) {
    return cut(escaped(outside, c -> c == '=' || isPlain(c)), maxLength);
  }

  /** The same as {@link #text(String, int)} for words of a sentence, which keep their spaces. */
  public static String phrase(String outside, int maxLength) {
    return cut(escaped(outside, c -> c == ' ' || isPlain(c)), maxLength);
  }

  private static String cut(String whole, int maxLength) {
    if (whole.length() <= maxLength) {
      return whole;
    }
    int end = maxLength - 3;
    int escape = whole.lastIndexOf('\\', end - 1);
    // A backslash always begins an escape of four characters: none may be cut in half.
    if (escape >= 0 && escape + 4 > end) {
      end = escape;
    }
    return whole.substring(0, end) + "...";
  }

  private static boolean isPlain(char c) {
    return c > ' ' && c <= '~' && SEPARATORS.indexOf(c) < 0;
  }

  private static boolean isWord(char c) {
    return (c >= 'a' && c <= 'z')
        || (c >= 'A' && c <= 'Z')
        || (c >= '0' && c <= '9')
        || c == '.'
        || c == '_'
        || c == ':'
        || c == '-';
  }

  private static String escaped(String outside, Safe safe) {
    int plain = 0;
    while (plain < outside.length() && safe.is(outside.charAt(plain))) {
      plain++;
    }
    if (plain == outside.length()) {
      return outside;
    }
    byte[] octets = outside.getBytes(StandardCharsets.UTF_8);
    StringBuilder out = new StringBuilder(octets.length + 16);
    for (byte octet : octets) {
      char c = (char) (octet & 0xff);
      if (safe.is(c)) {
        out.append(c);
      } else {
        out.append("\\x").append(HEX[c >>> 4]).append(HEX[c & 15]);
      }
    }
    return out.toString();
  }
}
