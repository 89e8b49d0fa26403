package io.bloomgate.gateway.smtp;

import java.nio.charset.StandardCharsets;

/**
 * Makes texts from outside harmless for logs, replies and headers: every octet beyond {@code !} to
 * {@code ~} and each of the separators {@code space < > [ ] " = \ ;} becomes {@code \xHH}. Pure.
 */
public final class Escape {

  /** Letters, digits and these stay. */
  private static final String PLAIN_MARKS = "!#$%&'()*+,-./:?@^_`{|}~";

  private static final boolean[] PLAIN = safe(PLAIN_MARKS);
  private static final boolean[] URL = safe(PLAIN_MARKS + "=");
  private static final boolean[] PHRASE = safe(PLAIN_MARKS + " ");
  private static final boolean[] WORD = safe("._:-");
  private static final char[] HEX = "0123456789ABCDEF".toCharArray();

  private Escape() {}

  /** The text with every unsafe octet of its UTF-8 form as {@code \xHH}. */
  public static String text(String outside) {
    return escaped(outside, PLAIN);
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
    return cut(escaped(outside, WORD), maxLength);
  }

  /**
   * The same as {@link #text(String, int)} for a URL in brackets of a reply, where an equals sign
   * ends nothing: people read it, and a query is full of them.
   */
  public static String url(String outside, int maxLength) {
    return cut(escaped(outside, URL), maxLength);
  }

  /** The same as {@link #text(String, int)} for words of a sentence, which keep their spaces. */
  public static String phrase(String outside, int maxLength) {
    return cut(escaped(outside, PHRASE), maxLength);
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

  private static boolean[] safe(String marks) {
    boolean[] safe = new boolean[0x100];
    for (int c = '0'; c <= 'z'; c++) {
      safe[c] = Character.isLetterOrDigit(c);
    }
    marks.chars().forEach(c -> safe[c] = true);
    return safe;
  }

  private static String escaped(String outside, boolean[] safe) {
    int plain = 0;
    while (plain < outside.length() && is(safe, outside.charAt(plain))) {
      plain++;
    }
    if (plain == outside.length()) {
      return outside;
    }
    byte[] octets = outside.getBytes(StandardCharsets.UTF_8);
    StringBuilder out = new StringBuilder(octets.length + 16);
    for (byte octet : octets) {
      char c = (char) (octet & 0xff);
      if (safe[c]) {
        out.append(c);
      } else {
        out.append("\\x").append(HEX[c >>> 4]).append(HEX[c & 15]);
      }
    }
    return out.toString();
  }

  private static boolean is(boolean[] safe, char c) {
    return c < safe.length && safe[c];
  }
}
