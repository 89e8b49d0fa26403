package io.bloomgate.cli.command;

import io.bloomgate.config.json.JsonValue;
import io.bloomgate.config.json.JsonValue.JsonNumber;
import io.bloomgate.config.json.JsonValue.JsonObject;
import java.math.BigDecimal;
import java.math.MathContext;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Texts with places for members of an object: {@code {name}} is the value, {@code {%name}} a ratio
 * in per cent, {@code {@name}} the distance of a time from now, {@code {#name}} a number of entries
 * with its noun. Values are escaped; the texts themselves are ours. Pure.
 */
public final class Template {

  private static final Pattern PLACE = Pattern.compile("\\{([%@#]?)([a-z0-9_]+)}");

  private static final MathContext THREE_DIGITS = new MathContext(3);

  private Template() {}

  /** A text with its places filled. */
  public static String fill(String text, JsonObject item, Instant now) {
    return PLACE
        .matcher(text)
        .replaceAll(
            place -> Matcher.quoteReplacement(value(place.group(1), place.group(2), item, now)));
  }

  /** The same for a text without times. */
  public static String fill(String text, JsonObject item) {
    return fill(text, item, Instant.EPOCH);
  }

  private static String value(String sign, String name, JsonObject item, Instant now) {
    return switch (sign) {
      case "%" -> percent(item, name, THREE_DIGITS);
      case "@" -> HumanText.distance(item, name, now);
      case "#" -> HumanText.entries(item, name);
      default -> HumanText.value(item, name);
    };
  }

  /** The titles of columns, written with a bar between two of them. */
  public static List<String> columns(String titles) {
    return List.of(titles.split("\\|", -1));
  }

  /** The cells of a row, written in the same way. */
  public static List<String> cells(String row, JsonObject item, Instant now) {
    List<String> cells = new ArrayList<>();
    columns(row).forEach(cell -> cells.add(fill(cell, item, now)));
    return cells;
  }

  /** A ratio in per cent, with as many digits; a dash where there is none. */
  public static String percent(JsonObject item, String name, MathContext digits) {
    if (!(item.get(name).orElse(JsonValue.NULL) instanceof JsonNumber(String literal))) {
      return "-";
    }
    BigDecimal percent = new BigDecimal(literal).movePointRight(2).round(digits);
    return (percent.signum() == 0 ? "0" : percent.stripTrailingZeros().toPlainString()) + " %";
  }
}
