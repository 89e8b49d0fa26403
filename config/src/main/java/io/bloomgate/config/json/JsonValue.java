package io.bloomgate.config.json;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A JSON value (RFC 8259, section 3). Immutable; equality is by value, objects keep the order of
 * their members.
 */
public sealed interface JsonValue {

  /** The literal {@code null}. */
  JsonValue NULL = new JsonNull();

  /** Members in order; names are unique. */
  record JsonObject(Map<String, JsonValue> members) implements JsonValue {
    public JsonObject {
      members = Collections.unmodifiableMap(new LinkedHashMap<>(members));
    }

    /** The member, if it is there and not null. */
    public Optional<JsonValue> get(String name) {
      return Optional.ofNullable(members.get(name)).filter(v -> !(v instanceof JsonNull));
    }

    /** The text of a string member, if it is one. */
    public Optional<String> text(String name) {
      return get(name)
          .flatMap(v -> v instanceof JsonString s ? Optional.of(s.value()) : Optional.empty());
    }

    /** The value of a member that is a whole number within 64 bits. */
    public OptionalLong number(String name) {
      if (get(name).orElse(NULL) instanceof JsonNumber(String literal)) {
        try {
          return OptionalLong.of(Long.parseLong(literal));
        } catch (NumberFormatException e) {
          return OptionalLong.empty();
        }
      }
      return OptionalLong.empty();
    }

    /** True when the member is the literal {@code true}. */
    public boolean isTrue(String name) {
      return get(name).orElse(NULL) instanceof JsonBoolean(boolean value) && value;
    }

    /** The elements of an array member; none when there is no such array. */
    public List<JsonValue> elements(String name) {
      return get(name).orElse(NULL) instanceof JsonArray(List<JsonValue> elements)
          ? elements
          : List.of();
    }

    /** The objects among the elements of an array member. */
    public List<JsonObject> objects(String name) {
      return elements(name).stream()
          .filter(JsonObject.class::isInstance)
          .map(JsonObject.class::cast)
          .toList();
    }

    /** An object member, if it is one. */
    public Optional<JsonObject> object(String name) {
      return get(name).flatMap(v -> v instanceof JsonObject o ? Optional.of(o) : Optional.empty());
    }
  }

  /** Elements in order. */
  record JsonArray(List<JsonValue> elements) implements JsonValue {
    public JsonArray {
      elements = List.copyOf(elements);
    }
  }

  /** A string. */
  record JsonString(String value) implements JsonValue {}

  /**
   * A number as it was written, so that nothing is rounded. A literal that is no JSON number (RFC
   * 8259, section 6) is refused with {@link IllegalArgumentException}.
   */
  record JsonNumber(String literal) implements JsonValue {
    private static final Pattern NUMBER =
        Pattern.compile("-?(?:0|[1-9][0-9]*)(?:\\.[0-9]+)?(?:[eE][+-]?[0-9]+)?");

    public JsonNumber {
      if (!NUMBER.matcher(literal).matches()) {
        throw new IllegalArgumentException("not a JSON number");
      }
    }
  }

  /** A boolean. */
  record JsonBoolean(boolean value) implements JsonValue {}

  /** The literal {@code null}; use {@link #NULL}. */
  record JsonNull() implements JsonValue {}

  /** Starts an object; the members appear in the order of the calls. */
  static ObjectBuilder object() {
    return new ObjectBuilder();
  }

  /** A string, or {@code null} where there is none. */
  static JsonValue of(@Nullable String text) {
    return text == null ? NULL : new JsonString(text);
  }

  /** A whole number. */
  static JsonValue of(long number) {
    return new JsonNumber(Long.toString(number));
  }

  /** A number; JSON knows no NaN and no infinity, they become {@code null}. */
  static JsonValue of(double number) {
    return Double.isFinite(number) ? new JsonNumber(Double.toString(number)) : NULL;
  }

  /** A boolean. */
  static JsonValue of(boolean value) {
    return new JsonBoolean(value);
  }

  /** An array of strings. */
  static JsonValue ofStrings(Iterable<String> texts) {
    List<JsonValue> elements = new java.util.ArrayList<>();
    texts.forEach(t -> elements.add(new JsonString(t)));
    return new JsonArray(elements);
  }

  /** Collects members in order. Not thread-safe. */
  final class ObjectBuilder {
    private final Map<String, JsonValue> members = new LinkedHashMap<>();

    private ObjectBuilder() {}

    /** Adds a member; a later one of the same name replaces the earlier. */
    public ObjectBuilder put(String name, JsonValue value) {
      members.put(name, value);
      return this;
    }

    /** Adds a string or {@code null}. */
    public ObjectBuilder put(String name, @Nullable String text) {
      return put(name, of(text));
    }

    /** Adds a whole number. */
    public ObjectBuilder put(String name, long number) {
      return put(name, of(number));
    }

    /** Adds a number. */
    public ObjectBuilder put(String name, double number) {
      return put(name, of(number));
    }

    /** Adds a boolean. */
    public ObjectBuilder put(String name, boolean value) {
      return put(name, of(value));
    }

    /** Adds all members of an object. */
    public ObjectBuilder putAll(JsonObject object) {
      members.putAll(object.members());
      return this;
    }

    /** The finished object. */
    public JsonObject build() {
      return new JsonObject(members);
    }
  }
}
