package io.bloomgate.blocklists.format;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CoderResult;

/** Looking at a piece of a line without making strings. Used by the parsers; pure. */
public final class Octets {

  private static final byte[] HEX_DIGITS = "0123456789ABCDEF".getBytes(ISO_8859_1);

  /** Octets of {@code \xHH}. */
  private static final int ESCAPED_OCTETS = 4;

  private static final String ELLIPSIS = "...";

  private Octets() {}

  public static boolean isBlank(byte octet) {
    return octet == ' ' || octet == '\t';
  }

  public static boolean isDigit(byte octet) {
    return octet >= '0' && octet <= '9';
  }

  /** First position from {@code from} on that is no blank. */
  public static int skipBlanks(byte[] text, int from, int to) {
    int at = from;
    while (at < to && isBlank(text[at])) {
      at++;
    }
    return at;
  }

  /** First position from {@code from} on that is a blank, or {@code to}. */
  public static int tokenEnd(byte[] text, int from, int to) {
    int at = from;
    while (at < to && !isBlank(text[at])) {
      at++;
    }
    return at;
  }

  /** {@code to} without the blanks before it. */
  public static int trimEnd(byte[] text, int from, int to) {
    int at = to;
    while (at > from && isBlank(text[at - 1])) {
      at--;
    }
    return at;
  }

  /** Position of an octet, or -1. */
  public static int indexOf(byte[] text, int from, int to, char octet) {
    for (int i = from; i < to; i++) {
      if (text[i] == octet) {
        return i;
      }
    }
    return -1;
  }

  public static boolean startsWith(byte[] text, int from, int to, String ascii) {
    if (to - from < ascii.length()) {
      return false;
    }
    for (int i = 0; i < ascii.length(); i++) {
      if (text[from + i] != ascii.charAt(i)) {
        return false;
      }
    }
    return true;
  }

  public static boolean isAscii(byte[] text, int from, int to) {
    for (int i = from; i < to; i++) {
      if (text[i] < 0) {
        return false;
      }
    }
    return true;
  }

  /** UTF-8 where it is that, else Latin-1, which every octet string is. */
  public static String decode(byte[] text, int from, int to) {
    if (isAscii(text, from, to)) {
      return new String(text, from, to - from, ISO_8859_1);
    }
    // An exception for every line of what is no text at all would take longer than all the rest.
    CharBuffer decoded = CharBuffer.allocate(to - from);
    CoderResult result =
        UTF_8.newDecoder().decode(ByteBuffer.wrap(text, from, to - from), decoded, true);
    return result.isError()
        ? new String(text, from, to - from, ISO_8859_1)
        : decoded.flip().toString();
  }

  /** The octets of a text that {@link #decode} made, for the parsers of values. */
  public static byte[] encode(String text) {
    return text.getBytes(UTF_8);
  }

  /**
   * The beginning of a text from outside as it may be shown anywhere: printable ASCII, a backslash
   * doubled, every other octet as {@code \xHH}, an ellipsis where it was cut.
   */
  public static String escape(byte[] text, int from, int to) {
    // What is no list at all has bad lines by the million: no builder, no formatter.
    byte[] out = new byte[FeedLimits.PROBLEM_TEXT_CHARACTERS + ESCAPED_OCTETS];
    int length = 0;
    for (int i = from; i < to; i++) {
      if (length >= FeedLimits.PROBLEM_TEXT_CHARACTERS) {
        return new String(out, 0, length, ISO_8859_1) + ELLIPSIS;
      }
      byte octet = text[i];
      if (octet == '\\') {
        out[length++] = '\\';
        out[length++] = '\\';
      } else if (octet >= ' ' && octet <= '~') {
        out[length++] = octet;
      } else {
        out[length++] = '\\';
        out[length++] = 'x';
        out[length++] = HEX_DIGITS[octet >> 4 & 0xf];
        out[length++] = HEX_DIGITS[octet & 0xf];
      }
    }
    return new String(out, 0, length, ISO_8859_1);
  }

  /** The same for a string. */
  public static String escape(String text) {
    // A character is at least one octet, so what is cut here would not be shown anyway.
    int end = Math.min(text.length(), FeedLimits.PROBLEM_TEXT_CHARACTERS + 1);
    byte[] octets = text.substring(0, end).getBytes(UTF_8);
    return escape(octets, 0, octets.length);
  }
}
