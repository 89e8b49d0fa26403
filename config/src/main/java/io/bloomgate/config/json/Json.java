package io.bloomgate.config.json;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.Strictness;
import com.google.gson.TypeAdapter;
import com.google.gson.stream.JsonReader;
import com.google.gson.stream.JsonWriter;
import java.io.IOException;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * JSON text to {@link JsonValue} and back (RFC 8259). Pure; any thread.
 *
 * <p>Reading is stricter than the RFC where it leaves room: a name may be once in an object
 * (section 4 calls repeated names unpredictable), and depth and size are bounded.
 */
public final class Json {

  /** Deepest nesting of arrays and objects that is read. */
  public static final int MAX_DEPTH = 64;

  /** Longest text that {@link #parse} takes, in UTF-16 units (16 Mi). */
  public static final int MAX_TEXT_LENGTH = 16 << 20;

  /** DEL, C1 controls and single surrogates, which the library writes as they are. */
  private static final Pattern UNSAFE = Pattern.compile("[\\x7f-\\x9f]|\\p{Cs}");

  private static final Gson GSON = builder().create();

  private Json() {}

  /** The library as we use it, with the form of our values. */
  static GsonBuilder builder() {
    return new GsonBuilder()
        .serializeNulls()
        .disableHtmlEscaping()
        .setStrictness(Strictness.STRICT)
        .registerTypeHierarchyAdapter(JsonValue.class, new Form());
  }

  /** The form of our values. */
  private static final class Form extends TypeAdapter<JsonValue> {
    @Override
    public JsonValue read(JsonReader in) throws IOException {
      return JsonTokens.value(in);
    }

    @Override
    public void write(JsonWriter out, JsonValue value) throws IOException {
      switch (value) {
        case JsonValue.JsonObject object -> {
          out.beginObject();
          for (Map.Entry<String, JsonValue> member : object.members().entrySet()) {
            write(out.name(member.getKey()), member.getValue());
          }
          out.endObject();
        }
        case JsonValue.JsonArray array -> {
          out.beginArray();
          for (JsonValue element : array.elements()) {
            write(out, element);
          }
          out.endArray();
        }
        case JsonValue.JsonString(String text) -> out.value(text);
        case JsonValue.JsonNumber(String literal) -> out.jsonValue(literal);
        case JsonValue.JsonBoolean(boolean flag) -> out.value(flag);
        case JsonValue.JsonNull() -> out.nullValue();
      }
    }
  }

  /**
   * Reads one value that fills the whole text.
   *
   * @throws JsonSyntaxException when the text is not JSON, has something after the value, repeats a
   *     name, or is beyond a limit
   */
  public static JsonValue parse(String text) throws JsonSyntaxException {
    if (text.length() > MAX_TEXT_LENGTH) {
      throw new JsonSyntaxException(1, 1, "longer than " + MAX_TEXT_LENGTH + " characters");
    }
    JsonReader reader = JsonTokens.reader(new StringReader(text));
    try {
      JsonValue value = JsonTokens.value(reader);
      JsonTokens.expectEnd(reader);
      return value;
    } catch (IOException | IllegalStateException e) {
      try {
        throw JsonTokens.syntax(reader, e);
      } catch (IOException other) {
        throw new UncheckedIOException("reading from memory", other);
      }
    }
  }

  /**
   * Writes a value on one line. Everything that could break a line or a terminal is escaped: C0 and
   * C1 controls, DEL, U+2028, U+2029, and single surrogates.
   */
  public static String write(JsonValue value) {
    StringBuilder out = new StringBuilder(128);
    GSON.toJson(value, JsonValue.class, out);
    return UNSAFE
        .matcher(out)
        .replaceAll(unsafe -> "\\\\u%04x".formatted((int) unsafe.group().charAt(0)));
  }
}
