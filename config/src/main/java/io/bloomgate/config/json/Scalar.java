package io.bloomgate.config.json;

import com.google.gson.JsonParseException;
import com.google.gson.TypeAdapter;
import com.google.gson.reflect.TypeToken;
import com.google.gson.stream.JsonReader;
import com.google.gson.stream.JsonToken;
import com.google.gson.stream.JsonWriter;
import io.bloomgate.config.name.Keyed;
import io.bloomgate.config.name.Parsed;
import io.bloomgate.config.notation.BadValueException;
import io.bloomgate.config.notation.Quantities;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The form of a component of a record that is a text, a whole number or a truth value, and nothing
 * else: the library would read a number where a text belongs, and any text as false. Used by {@link
 * JsonRecords}; immutable, any thread.
 */
final class Scalar<T> extends TypeAdapter<T> {

  /** The kind of value, for people. */
  final String wanted;

  private final JsonToken token;
  private final @Nullable Function<Object, String> written;
  private final Function<String, @Nullable Object> parsed;

  /**
   * A form.
   *
   * @param wanted the kind of value, for people
   * @param written makes a text of it; {@code null} for what is none
   * @param parsed gives {@code null} for a text that is no such value
   */
  Scalar(
      String wanted,
      JsonToken token,
      @Nullable Function<Object, String> written,
      Function<String, @Nullable Object> parsed) {
    this.wanted = wanted;
    this.token = token;
    this.written = written;
    this.parsed = parsed;
  }

  @Override
  public void write(JsonWriter out, @Nullable T value) throws IOException {
    if (value == null) {
      out.nullValue();
    } else if (written != null) {
      out.value(written.apply(value));
    } else if (value instanceof Boolean flag) {
      out.value(flag);
    } else {
      out.value((Number) value);
    }
  }

  @Override
  @SuppressWarnings("unchecked") // the form was made for this type
  public @Nullable T read(JsonReader in) throws IOException {
    if (in.peek() == JsonToken.NULL) {
      in.nextNull();
      return null;
    }
    if (in.peek() == token) {
      String text =
          token == JsonToken.BOOLEAN ? Boolean.toString(in.nextBoolean()) : in.nextString();
      try {
        Object value = parsed.apply(text);
        if (value != null) {
          return (T) value;
        }
      } catch (DateTimeParseException | NumberFormatException e) {
        // Named below.
      }
    }
    throw new JsonParseException("a value must be " + wanted);
  }

  /** The form of a type; {@code null} for one that has members, or that the library knows. */
  static <T> @Nullable TypeAdapter<T> of(TypeToken<T> type) {
    Class<? super T> raw = type.getRawType();
    if (raw.isEnum()) {
      Map<String, Object> words = new LinkedHashMap<>();
      Arrays.stream(raw.getEnumConstants()).forEach(each -> words.put(word(each), each));
      return text(
          "one of " + String.join(", ", words.keySet()),
          Scalar::word,
          text -> words.get(text.toLowerCase(Locale.ROOT)));
    }
    if (raw == String.class) {
      return text("a string", Object::toString, text -> text);
    }
    if (raw == Instant.class) {
      return text("a time such as 2026-12-01T00:00:00Z", Object::toString, Instant::parse);
    }
    if (raw == Duration.class) {
      return text("a duration such as 12h", span -> Quantities.text((Duration) span), Scalar::span);
    }
    if (raw.getPackage() == Keyed.class.getPackage()) {
      return text("a name", Object::toString, text -> parsed(raw, text));
    }
    if (raw == int.class) {
      return new Scalar<>("a whole number of 32 bits", JsonToken.NUMBER, null, Integer::valueOf);
    }
    if (raw == long.class || raw == Long.class) {
      return new Scalar<>("a whole number", JsonToken.NUMBER, null, Long::valueOf);
    }
    if (raw == boolean.class) {
      return new Scalar<>("true or false", JsonToken.BOOLEAN, null, Boolean::valueOf);
    }
    return null;
  }

  private static <T> TypeAdapter<T> text(
      String wanted, Function<Object, String> written, Function<String, @Nullable Object> parsed) {
    return new Scalar<>(wanted, JsonToken.STRING, written, parsed);
  }

  private static @Nullable Object span(String text) {
    try {
      return Quantities.span(text);
    } catch (BadValueException e) {
      return null;
    }
  }

  /**
   * Reads a text with the parser of a type of {@code config.name}; {@code null} when it takes none.
   */
  private static @Nullable Object parsed(Class<?> type, String text) {
    try {
      return type.getMethod("parse", String.class).invoke(null, text) instanceof Parsed<?> parsed
          ? parsed.toOptional().orElse(null)
          : null;
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("reading " + type, e);
    }
  }

  private static String word(Object constant) {
    return constant instanceof Keyed keyed
        ? keyed.key()
        : ((Enum<?>) constant).name().toLowerCase(Locale.ROOT);
  }
}
