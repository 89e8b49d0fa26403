package io.bloomgate.cli;

import io.bloomgate.config.json.Json;
import io.bloomgate.config.json.JsonValue;
import io.bloomgate.config.json.JsonValue.JsonArray;
import io.bloomgate.config.json.JsonValue.JsonBoolean;
import io.bloomgate.config.json.JsonValue.JsonNull;
import io.bloomgate.config.json.JsonValue.JsonNumber;
import io.bloomgate.config.json.JsonValue.JsonObject;
import io.bloomgate.config.json.JsonValue.JsonString;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Locale;
import java.util.stream.Collectors;

/** Values of an answer for a person: numbers in groups, times as distances. Pure. */
final class HumanText {

  private HumanText() {}

  /** The value of a member, escaped; {@code -} when there is none. */
  static String value(JsonObject item, String name) {
    return item.get(name).map(HumanText::value).orElse("-");
  }

  /** Any value, escaped. */
  static String value(JsonValue value) {
    return switch (value) {
      case JsonString(String text) -> TerminalText.safe(text);
      case JsonNumber(String literal) -> grouped(literal);
      case JsonBoolean(boolean flag) -> flag ? "yes" : "no";
      case JsonNull() -> "-";
      case JsonArray array ->
          array.elements().isEmpty()
              ? "-"
              : array.elements().stream().map(HumanText::value).collect(Collectors.joining(", "));
      case JsonObject object ->
          object.members().values().stream().allMatch(HumanText::isSimple)
              ? members(object)
              : TerminalText.safeJson(Json.write(object));
    };
  }

  private static boolean isSimple(JsonValue value) {
    return !(value instanceof JsonObject || value instanceof JsonArray);
  }

  private static String members(JsonObject object) {
    return object.members().isEmpty()
        ? "-"
        : object.members().entrySet().stream()
            .map(e -> TerminalText.safe(e.getKey()) + " " + value(e.getValue()))
            .collect(Collectors.joining(", "));
  }

  /** Whole numbers in groups of three; others as they are. */
  static String grouped(String literal) {
    try {
      return String.format(Locale.ROOT, "%,d", Long.parseLong(literal)).replace(',', ' ');
    } catch (NumberFormatException e) {
      return literal;
    }
  }

  /** How far a time of the answer is from now: {@code 3 h ago}, {@code in 10 min}. */
  static String distance(JsonObject item, String name, Instant now) {
    String text = item.text(name).orElse("-");
    try {
      Duration gone = Duration.between(Instant.parse(text), now);
      return gone.isNegative() ? "in " + span(gone.negated()) : span(gone) + " ago";
    } catch (DateTimeParseException e) {
      return TerminalText.safe(text);
    }
  }

  /** A duration in its largest unit, cut. */
  static String span(Duration duration) {
    long seconds = duration.toSeconds();
    if (seconds < 120) {
      return seconds + " s";
    }
    if (seconds < 2 * 3600) {
      return seconds / 60 + " min";
    }
    return seconds < 2 * 86_400 ? seconds / 3600 + " h" : seconds / 86_400 + " d";
  }

  /** The day of a time, or the text as it is. */
  static String day(String text) {
    return text.length() >= 10 && text.charAt(4) == '-'
        ? TerminalText.safe(text.substring(0, 10))
        : TerminalText.safe(text);
  }
}
