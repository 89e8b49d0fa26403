package io.bloomgate.cli.command;

import io.bloomgate.config.json.JsonValue;
import io.bloomgate.config.json.JsonValue.JsonArray;
import io.bloomgate.config.json.JsonValue.JsonBoolean;
import io.bloomgate.config.json.JsonValue.JsonNumber;
import io.bloomgate.config.json.JsonValue.JsonObject;
import io.bloomgate.config.json.JsonValue.JsonString;
import io.bloomgate.config.notation.Quantities;
import io.bloomgate.config.notation.TerminalText;
import java.math.BigDecimal;
import java.math.MathContext;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Values of an answer for a person: numbers in groups, times as distances. Pure. */
public final class HumanText {

  private static final int SHOWN_DIGITS = 3;

  /** A smaller number is written with an exponent. */
  private static final BigDecimal SMALLEST_PLAIN = new BigDecimal("0.000001");

  private static final Pattern WHOLE = Pattern.compile("-?\\d{4,18}");

  private static final Pattern FRACTION =
      Pattern.compile("^(\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d)\\.\\d+Z$");

  private HumanText() {}

  /** The value of a member, escaped; {@code -} when there is none. */
  public static String value(JsonObject item, String name) {
    return item.get(name).map(HumanText::value).orElse("-");
  }

  /** Any value, escaped. */
  public static String value(JsonValue value) {
    // Most commands do this, and Java makes a class at run time for a switch over patterns.
    if (value instanceof JsonString(String text)) {
      return TerminalText.safe(withoutFraction(text));
    }
    if (value instanceof JsonNumber(String literal)) {
      return grouped(literal);
    }
    if (value instanceof JsonBoolean(boolean flag)) {
      return flag ? "yes" : "no";
    }
    if (value instanceof JsonArray array && !array.elements().isEmpty()) {
      return array.elements().stream().map(HumanText::value).collect(Collectors.joining(", "));
    }
    if (value instanceof JsonObject object) {
      return members(object);
    }
    return "-";
  }

  /** A time to the second: the fractions in JSON are of no use to people. */
  private static String withoutFraction(String text) {
    return FRACTION.matcher(text).replaceFirst("$1Z");
  }

  private static String members(JsonObject object) {
    return object.members().isEmpty()
        ? "-"
        : object.members().entrySet().stream()
            .map(e -> TerminalText.safe(e.getKey()) + " " + inside(e.getValue()))
            .collect(Collectors.joining(", "));
  }

  /** The commas of lists and objects would mix with those around them. */
  private static String inside(JsonValue value) {
    boolean several = value instanceof JsonObject || value instanceof JsonArray;
    String text = orDash(value(value));
    return several && text.contains(", ") ? "(" + text + ")" : text;
  }

  /** Octets as MiB; a dash where they are not known. */
  public static String size(JsonObject item, String name) {
    OptionalLong octets = item.number(name);
    return octets.isEmpty()
        ? orDash("")
        : String.format(Locale.ROOT, "%.1f MiB", octets.getAsLong() / 1_048_576.0);
  }

  /** An empty value beside its name would look like a mistake. */
  private static String orDash(String value) {
    return value.isEmpty() ? "-" : value;
  }

  /** Whole numbers in groups of three digits; others with three significant digits. */
  public static String grouped(String literal) {
    try {
      return Quantities.grouped(Long.parseLong(literal));
    } catch (NumberFormatException e) {
      return fraction(literal);
    }
  }

  /**
   * A number that is not whole, with three significant digits; the text as it is when it is none.
   */
  private static String fraction(String literal) {
    try {
      BigDecimal exact = new BigDecimal(literal);
      int whole = exact.precision() - exact.scale();
      BigDecimal shown =
          exact.round(new MathContext(Math.max(SHOWN_DIGITS, whole))).stripTrailingZeros();
      if (shown.signum() != 0 && shown.abs().compareTo(SMALLEST_PLAIN) < 0) {
        return shown.toString();
      }
      String plain = shown.toPlainString();
      return WHOLE.matcher(plain).matches() ? Quantities.grouped(Long.parseLong(plain)) : plain;
    } catch (NumberFormatException e) {
      return TerminalText.safe(literal);
    }
  }

  /** A number with its noun: {@code 1 entry}, {@code 2 entries}. */
  public static String entries(JsonObject item, String name) {
    return value(item, name) + (item.number(name).orElse(0) == 1 ? " entry" : " entries");
  }

  /** The distance of a time of the answer from now: {@code 3 h ago}, {@code in 10 min}. */
  public static String distance(JsonObject item, String name, Instant now) {
    String text = item.text(name).orElse("-");
    try {
      return Quantities.distance(Instant.parse(text), now);
    } catch (DateTimeParseException e) {
      return TerminalText.safe(text);
    }
  }

  /** The day of a time, or the text as it is. */
  public static String day(String text) {
    return text.length() >= 10 && text.charAt(4) == '-'
        ? TerminalText.safe(text.substring(0, 10))
        : TerminalText.safe(text);
  }
}
