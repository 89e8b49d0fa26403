package io.bloomgate.config.json;

import com.google.gson.Strictness;
import com.google.gson.stream.JsonReader;
import com.google.gson.stream.JsonToken;
import com.google.gson.stream.MalformedJsonException;
import io.bloomgate.config.json.JsonValue.JsonArray;
import io.bloomgate.config.json.JsonValue.JsonNumber;
import io.bloomgate.config.json.JsonValue.JsonObject;
import io.bloomgate.config.json.JsonValue.JsonString;
import java.io.EOFException;
import java.io.IOException;
import java.io.Reader;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The JSON library's pull reader in strict mode, with our limits, our wording and our exception.
 * Used by {@link Json} and {@link JsonArrayReader}; one thread at a time.
 */
final class JsonTokens {

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

  private JsonTokens() {}

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
