package io.bloomgate.cli.command;

import java.math.BigDecimal;
import java.math.MathContext;

/**
 * Numbers that are not whole, with three significant digits. Used by {@link HumanText}, on the
 * thread of the command.
 *
 * <p>Usual numbers are rounded by hand: {@link BigDecimal} computes large powers for 20 ms before
 * its first use, and {@code status} has such numbers.
 */
final class FractionText {

  private static final int SHOWN_DIGITS = 3;

  /** The largest number of digits in front of the dot. */
  private static final int MOST_DIGITS = 12;

  /** A number with more digits than are shown; ten times as much fits into a long. */
  private static final long ENOUGH = 100_000_000_000_000_000L;

  /** A number with more zeros behind the dot is written with an exponent. */
  private static final int MOST_ZEROS = 5;

  private FractionText() {}

  /** The number, or the text as it is when it is none. */
  static String rounded(String literal) {
    String usual = usual(literal);
    return usual.isEmpty() ? Exact.rounded(literal) : usual;
  }

  /** The number when it is not negative, not large and not tiny; empty otherwise. */
  private static String usual(String literal) {
    int end = literal.indexOf('E');
    int exponent = end < 0 ? 0 : exponent(literal.substring(end + 1));
    String mantissa = end < 0 ? literal : literal.substring(0, end);
    int dot = mantissa.indexOf('.');
    if (dot <= 0 || dot > MOST_DIGITS || exponent > 0) {
      return "";
    }
    long digits = 0;
    int behindDot = 0;
    for (int i = 0; i < mantissa.length(); i++) {
      char c = mantissa.charAt(i);
      if (i != dot && (c < '0' || c > '9')) {
        return "";
      }
      if (i != dot && digits < ENOUGH) { // what follows changes no digit that is shown
        digits = digits * 10 + c - '0';
        behindDot += i > dot ? 1 : 0;
      }
    }
    return rounded(digits, behindDot - exponent);
  }

  /**
   * The exponent, when it is one digit and its sign; a positive number, which is not usual, for all
   * others.
   */
  private static int exponent(String text) {
    boolean small = text.length() == 2 && text.charAt(0) == '-';
    return small && text.charAt(1) >= '0' && text.charAt(1) <= '9' ? '0' - text.charAt(1) : 1;
  }

  private static String rounded(long digits, int behindDot) {
    if (digits == 0) {
      return "0";
    }
    int length = Long.toString(digits).length();
    int whole = length - behindDot;
    if (whole < -MOST_ZEROS) {
      return "";
    }
    long shown = digits;
    int left = behindDot;
    for (int drop = length - Math.max(SHOWN_DIGITS, whole); drop > 0; drop--) {
      shown = drop == 1 ? (shown + 5) / 10 : shown / 10; // only the first digit left out counts
      left--;
    }
    while (left > 0 && shown % 10 == 0) {
      shown /= 10;
      left--;
    }
    String text = Long.toString(shown);
    if (left == 0) {
      return text;
    }
    String padded = "0".repeat(Math.max(0, left + 1 - text.length())) + text;
    int dot = padded.length() - left;
    return padded.substring(0, dot) + "." + padded.substring(dot);
  }

  /** A separate class, which is loaded for unusual numbers only. */
  private static final class Exact {

    /** A smaller number is written with an exponent. */
    private static final BigDecimal SMALLEST_PLAIN = new BigDecimal("0.000001");

    static String rounded(String literal) {
      try {
        BigDecimal exact = new BigDecimal(literal);
        int whole = exact.precision() - exact.scale();
        BigDecimal shown =
            exact.round(new MathContext(Math.max(SHOWN_DIGITS, whole))).stripTrailingZeros();
        return shown.abs().compareTo(SMALLEST_PLAIN) < 0 && shown.signum() != 0
            ? shown.toString()
            : shown.toPlainString();
      } catch (NumberFormatException e) {
        return TerminalText.safe(literal);
      }
    }
  }
}
