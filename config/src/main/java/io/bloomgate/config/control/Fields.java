package io.bloomgate.config.control;

import io.bloomgate.config.json.JsonValue;
import io.bloomgate.config.json.JsonValue.JsonArray;
import io.bloomgate.config.json.JsonValue.JsonBoolean;
import io.bloomgate.config.json.JsonValue.JsonNumber;
import io.bloomgate.config.json.JsonValue.JsonObject;
import io.bloomgate.config.json.JsonValue.JsonString;
import io.bloomgate.config.settings.BadValueException;
import io.bloomgate.config.settings.Quantities;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The members of one request or reply, asked one by one; what nobody asked for is refused at the
 * end, so that a misspelt field is never ignored. One line, one thread.
 */
final class Fields {

  private final JsonObject object;
  private final Set<String> asked = new HashSet<>();

  Fields(JsonObject object) {
    this.object = object;
  }

  private Optional<JsonValue> get(String name) {
    asked.add(name);
    return object.get(name);
  }

  boolean has(String name) {
    return get(name).isPresent();
  }

  @Nullable String optionalText(String name) throws MalformedException {
    Optional<JsonValue> value = get(name);
    if (value.isEmpty()) {
      return null;
    }
    if (value.get() instanceof JsonString(String text)) {
      return text;
    }
    throw wrong(name, "a string");
  }

  String text(String name) throws MalformedException {
    String text = optionalText(name);
    if (text == null) {
      throw wrong(name, "a string");
    }
    return text;
  }

  String textOr(String name, String fallback) throws MalformedException {
    String text = optionalText(name);
    return text == null ? fallback : text;
  }

  /** Absent means false. */
  boolean flag(String name) throws MalformedException {
    Optional<JsonValue> value = get(name);
    if (value.isEmpty()) {
      return false;
    }
    if (value.get() instanceof JsonBoolean(boolean flag)) {
      return flag;
    }
    throw wrong(name, "true or false");
  }

  int number(String name) throws MalformedException {
    Optional<JsonValue> value = get(name);
    if (value.isPresent() && value.get() instanceof JsonNumber(String literal)) {
      try {
        return Integer.parseInt(literal);
      } catch (NumberFormatException e) {
        throw wrong(name, "a whole number of 32 bits");
      }
    }
    throw wrong(name, "a whole number");
  }

  /** Absent means none. */
  List<String> texts(String name) throws MalformedException {
    Optional<JsonValue> value = get(name);
    if (value.isEmpty()) {
      return List.of();
    }
    if (!(value.get() instanceof JsonArray(List<JsonValue> elements))) {
      throw wrong(name, "a list of strings");
    }
    List<String> texts = new ArrayList<>();
    for (JsonValue element : elements) {
      if (!(element instanceof JsonString(String text))) {
        throw wrong(name, "a list of strings");
      }
      texts.add(text);
    }
    return texts;
  }

  /** {@code 12h} as in the settings. */
  @Nullable Duration duration(String name) throws MalformedException {
    String text = optionalText(name);
    try {
      return text == null ? null : Quantities.duration(text);
    } catch (BadValueException e) {
      throw wrong(name, "a duration such as 12h");
    }
  }

  /** A time such as {@code 2026-12-01T00:00:00Z}; absent means {@code null}. */
  @Nullable Instant instant(String name) throws MalformedException {
    String text = optionalText(name);
    try {
      return text == null ? null : Instant.parse(text);
    } catch (DateTimeParseException e) {
      throw wrong(name, "a time such as 2026-12-01T00:00:00Z");
    }
  }

  JsonObject child(String name) throws MalformedException {
    Optional<JsonValue> value = get(name);
    if (value.isPresent() && value.get() instanceof JsonObject child) {
      return child;
    }
    throw wrong(name, "an object");
  }

  /** One of the words of a closed set. */
  <E> @Nullable E word(String name, List<E> values, java.util.function.Function<E, String> key)
      throws MalformedException {
    String text = optionalText(name);
    if (text == null) {
      return null;
    }
    for (E value : values) {
      if (key.apply(value).equals(text)) {
        return value;
      }
    }
    throw wrong(name, "one of " + String.join(", ", values.stream().map(key).toList()));
  }

  /** Refuses members that nobody asked for; {@code null} ones do no harm. */
  void finish() throws MalformedException {
    if (object.members().keySet().stream()
        .anyMatch(name -> !asked.contains(name) && object.get(name).isPresent())) {
      throw new MalformedException(
          "a field of the request is unknown here; are command line and gateway of one version?");
    }
  }

  static MalformedException wrong(String name, String wanted) {
    return new MalformedException("`" + name + "` must be " + wanted);
  }
}
