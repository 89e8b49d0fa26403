package io.bloomgate.cli.command;

import java.math.BigDecimal;
import java.math.MathContext;

/**
 * Numbers that are not whole, with three significant digits. Used by {@link HumanText}, on the
 * thread of the command.
 *
 * <p>Usual numbers are rounded as they are in the processor: {@link BigDecimal} computes large
 * powers for 20 ms before its first use, and {@code status} has such numbers.
 */
final class FractionText {

  private static final int SHOWN_DIGITS = 3;

  /** A smaller number is written with an exponent. */
  private static final double SMALLEST_PLAIN = 0.000001;

  /** A larger number is rounded exactly, as a negative one is. */
  private static final double LARGEST_USUAL = 1e12;

  /** Lifts what is half a digit above one that is a little less, as 2.345 is in the processor. */
  private static final double LIFT = 1 + 1e-14;

  private FractionText() {}

  /** The number, or the text as it is when it is none. */
  static String rounded(String literal) {
    try {
      double number = Double.parseDouble(literal);
      return number == 0 || (number >= SMALLEST_PLAIN && number < LARGEST_USUAL)
          ? usual(number)
          : Exact.rounded(literal);
    } catch (NumberFormatException e) {
      return TerminalText.safe(literal);
    }
  }

  private static String usual(double number) {
    int whole = number == 0 ? 1 : (int) Math.floor(Math.log10(number)) + 1;
    int behindDot = Math.max(0, SHOWN_DIGITS - whole);
    String digits = Long.toString(Math.round(number * Math.pow(10, behindDot) * LIFT));
    if (behindDot == 0) {
      return digits;
    }
    String padded = "0".repeat(Math.max(0, behindDot + 1 - digits.length())) + digits;
    int dot = padded.length() - behindDot;
    String fraction = padded.substring(dot).replaceFirst("0+$", "");
    return padded.substring(0, dot) + (fraction.isEmpty() ? "" : "." + fraction);
  }

  /** A separate class, which is loaded for unusual numbers only. */
  private static final class Exact {
    static String rounded(String literal) {
      BigDecimal exact = new BigDecimal(literal);
      int whole = exact.precision() - exact.scale();
      BigDecimal shown =
          exact.round(new MathContext(Math.max(SHOWN_DIGITS, whole))).stripTrailingZeros();
      return Math.abs(shown.doubleValue()) < SMALLEST_PLAIN && shown.signum() != 0
          ? shown.toString()
          : shown.toPlainString();
    }
  }
}
