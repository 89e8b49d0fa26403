package io.bloomgate.gateway.page;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The names and values of a query or a form, of which the last of a name counts. Immutable.
 *
 * @param values without those that are empty
 */
record Params(Map<String, String> values) {

  /** Fields of one form at most; more are ignored. */
  private static final int MAX_FIELDS = 32;

  /** Characters of one value; more are cut off. */
  private static final int MAX_VALUE = 1000;

  Params {
    values = Map.copyOf(values);
  }

  /** Reads {@code application/x-www-form-urlencoded}; what cannot be read is left out. */
  static Params parse(@Nullable String encoded) {
    Map<String, String> values = new LinkedHashMap<>();
    if (encoded != null) {
      for (String field : encoded.split("&", MAX_FIELDS + 1)) {
        int equals = field.indexOf('=');
        if (equals > 0 && values.size() < MAX_FIELDS) {
          put(values, field.substring(0, equals), field.substring(equals + 1));
        }
      }
    }
    return new Params(values);
  }

  private static void put(Map<String, String> values, String name, String value) {
    try {
      String text = URLDecoder.decode(value, StandardCharsets.UTF_8).strip();
      text = text.length() > MAX_VALUE ? text.substring(0, MAX_VALUE) : text;
      if (!text.isEmpty()) {
        values.put(URLDecoder.decode(name, StandardCharsets.UTF_8), text);
      }
    } catch (IllegalArgumentException e) {
      values.remove(name); // a percent sign without two digits
    }
  }

  /** A value; empty when there is none. */
  String text(String name) {
    return values.getOrDefault(name, "");
  }

  /** A value; {@code null} when there is none. */
  @Nullable String orNull(String name) {
    return values.get(name);
  }

  /** The query of an address with these values, and others in place of some. */
  String with(Map<String, String> others) {
    Map<String, String> all = new TreeMap<>(values);
    all.putAll(others);
    return all.entrySet().stream()
        .map(one -> Show.query(one.getKey()) + "=" + Show.query(one.getValue()))
        .collect(Collectors.joining("&"));
  }

  boolean has(String name) {
    return values.containsKey(name);
  }
}
