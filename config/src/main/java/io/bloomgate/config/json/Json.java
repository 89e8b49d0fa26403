package io.bloomgate.config.json;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.Strictness;
import com.google.gson.TypeAdapter;
import com.google.gson.stream.JsonReader;
import com.google.gson.stream.JsonToken;
import com.google.gson.stream.JsonWriter;
import com.google.gson.stream.MalformedJsonException;
import io.bloomgate.config.json.JsonValue.JsonArray;
import io.bloomgate.config.json.JsonValue.JsonNumber;
import io.bloomgate.config.json.JsonValue.JsonObject;
import io.bloomgate.config.json.JsonValue.JsonString;
import java.io.EOFException;
import java.io.IOException;
import java.io.Reader;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
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
      return value(in);
    }

    @Override
    public void write(JsonWriter out, JsonValue value) throws IOException {
      // Each command writes JSON, and Java makes a class at run time for a switch over patterns.
      if (value instanceof JsonObject(Map<String, JsonValue> members)) {
        out.beginObject();
        for (Map.Entry<String, JsonValue> member : members.entrySet()) {
          write(out.name(member.getKey()), member.getValue());
        }
        out.endObject();
      } else if (value instanceof JsonArray(List<JsonValue> elements)) {
        out.beginArray();
        for (JsonValue element : elements) {
          write(out, element);
        }
        out.endArray();
      } else if (value instanceof JsonString(String text)) {
        out.value(text);
      } else if (value instanceof JsonNumber(String literal)) {
        out.jsonValue(literal);
      } else if (value instanceof JsonValue.JsonBoolean(boolean flag)) {
        out.value(flag);
      } else {
        out.nullValue();
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
    JsonReader reader = reader(new StringReader(text));
    try {
      JsonValue value = value(reader);
      expectEnd(reader);
      return value;
    } catch (IOException | IllegalStateException e) {
      try {
        throw syntax(reader, e);
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
    return safe(out);
  }

  /** JSON of the library as {@link #write} gives it. */
  static String safe(CharSequence json) {
    return UNSAFE
        .matcher(json)
        .replaceAll(unsafe -> "\\\\u%04x".formatted((int) unsafe.group().charAt(0)));
  }

  private static final Pattern PLACE = Pattern.compile("line (\\d{1,9}) column (\\d{1,9})");

  /**
   * The beginnings of the library's reasons, longer ones first, with our words: its own carry
   * advice for programmers and web addresses.
   */
  private static final List<Map.Entry<String, String>> REASONS =
      List.of(
          Map.entry("Nesting limit", "nested deeper than " + Json.MAX_DEPTH + " levels"),
          Map.entry("Unterminated string", "a string has no end"),
          Map.entry("Unterminated", "an array or object is not closed, or a comma is missing"),
          Map.entry("Unescaped control", "a string has an unescaped control character"),
          Map.entry("Invalid escape", "an escape sequence is wrong"),
          Map.entry("Malformed Unicode", "an escape sequence is wrong"),
          Map.entry("Expected ':'", "a colon is missing behind a name"),
          Map.entry("Expected name", "a name in double quotes is missing"),
          Map.entry("", "this is not JSON"));

  /** A fault that the library does not know, where the reader is. */
  static final class FaultException extends IOException {
    private static final long serialVersionUID = 1L;

    FaultException(String reason) {
      super(reason);
    }
  }

  static JsonReader reader(Reader text) {
    JsonReader reader = new JsonReader(text);
    reader.setStrictness(Strictness.STRICT);
    reader.setNestingLimit(Json.MAX_DEPTH);
    return reader;
  }

  /** Reads one whole value into memory. */
  static JsonValue value(JsonReader in) throws IOException {
    return switch (in.peek()) {
      case BEGIN_OBJECT -> {
        in.beginObject();
        Map<String, JsonValue> members = new LinkedHashMap<>();
        while (in.hasNext()) {
          String name = in.nextName();
          if (members.containsKey(name)) {
            throw new FaultException("a name is in one object twice");
          }
          members.put(name, value(in));
        }
        in.endObject();
        yield new JsonObject(members);
      }
      case BEGIN_ARRAY -> {
        in.beginArray();
        List<JsonValue> elements = new ArrayList<>();
        while (in.hasNext()) {
          elements.add(value(in));
        }
        in.endArray();
        yield new JsonArray(elements);
      }
      case STRING -> new JsonString(in.nextString());
      case NUMBER -> new JsonNumber(in.nextString());
      case BOOLEAN -> JsonValue.of(in.nextBoolean());
      case NULL -> {
        in.nextNull();
        yield JsonValue.NULL;
      }
      case END_ARRAY, END_OBJECT, NAME, END_DOCUMENT ->
          throw new FaultException("a value is missing");
    };
  }

  /** Refuses anything but white space after the value. */
  static void expectEnd(JsonReader in) throws IOException {
    try {
      if (in.peek() == JsonToken.END_DOCUMENT) {
        return;
      }
    } catch (MalformedJsonException e) {
      // The same is wrong with it.
    }
    throw new FaultException("something follows the value");
  }

  /** The fault that an exception of the library is; what is none is thrown as it is. */
  static JsonSyntaxException syntax(JsonReader in, Exception e) throws IOException {
    String message = String.valueOf(e.getMessage());
    return switch (e) {
      case FaultException _ -> at(in, "", message);
      case EOFException _ -> at(in, "", "the text ends too early");
      case MalformedJsonException _ -> at(in, message, reasonOf(message));
      case IOException other -> throw other;
      default -> at(in, message, reasonOf(message));
    };
  }

  private static String reasonOf(String message) {
    return REASONS.stream()
        .filter(reason -> message.startsWith(reason.getKey()))
        .map(Map.Entry::getValue)
        .findFirst()
        .orElse("");
  }

  /** The line of the token that was peeked at. */
  static int line(JsonReader in) {
    return at(in, "", "").line();
  }

  private static JsonSyntaxException at(JsonReader in, String message, String reason) {
    Matcher place = PLACE.matcher(message);
    return place.find() || place.reset(in.toString()).find()
        ? new JsonSyntaxException(
            Integer.parseInt(place.group(1)), Integer.parseInt(place.group(2)), reason)
        : new JsonSyntaxException(1, 1, reason);
  }
}
