package io.bloomgate.config.json;

import com.google.gson.Strictness;
import com.google.gson.stream.JsonReader;
import com.google.gson.stream.JsonToken;
import com.google.gson.stream.MalformedJsonException;
import io.bloomgate.config.json.JsonValue.JsonArray;
import io.bloomgate.config.json.JsonValue.JsonBoolean;
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
final class JsonTokens implements AutoCloseable {

  private static final Pattern PLACE = Pattern.compile("line (\\d{1,9}) column (\\d{1,9})");

  private static final String BEHIND = "something follows the value";

  private final JsonReader reader;

  JsonTokens(Reader text) {
    reader = new JsonReader(text);
    reader.setStrictness(Strictness.STRICT);
    reader.setNestingLimit(Json.MAX_DEPTH);
  }

  /** A call into the library. */
  private interface Step<T> {
    T take() throws IOException;
  }

  /** A call into the library that gives nothing. */
  private interface Move {
    void take() throws IOException;
  }

  /** The kind of the next token; END_DOCUMENT after the value. */
  JsonToken peek() throws IOException, JsonSyntaxException {
    return step(reader::peek);
  }

  void enterArray() throws IOException, JsonSyntaxException {
    move(reader::beginArray);
  }

  void leaveArray() throws IOException, JsonSyntaxException {
    move(reader::endArray);
  }

  void enterObject() throws IOException, JsonSyntaxException {
    move(reader::beginObject);
  }

  void leaveObject() throws IOException, JsonSyntaxException {
    move(reader::endObject);
  }

  /** True when another element or member follows in the open array or object. */
  boolean hasNext() throws IOException, JsonSyntaxException {
    return step(reader::hasNext);
  }

  String name() throws IOException, JsonSyntaxException {
    return step(reader::nextName);
  }

  /** Reads one whole value into memory. */
  JsonValue value() throws IOException, JsonSyntaxException {
    return switch (peek()) {
      case BEGIN_OBJECT -> object();
      case BEGIN_ARRAY -> array();
      case STRING -> new JsonString(step(reader::nextString));
      case NUMBER -> new JsonNumber(step(reader::nextString));
      case BOOLEAN -> new JsonBoolean(step(reader::nextBoolean));
      case NULL -> {
        move(reader::nextNull);
        yield JsonValue.NULL;
      }
      case END_ARRAY, END_OBJECT, NAME, END_DOCUMENT -> throw fault("a value is missing");
    };
  }

  private JsonObject object() throws IOException, JsonSyntaxException {
    enterObject();
    Map<String, JsonValue> members = new LinkedHashMap<>();
    while (hasNext()) {
      String name = name();
      if (members.containsKey(name)) {
        throw fault("a name is in one object twice");
      }
      members.put(name, value());
    }
    leaveObject();
    return new JsonObject(members);
  }

  private JsonArray array() throws IOException, JsonSyntaxException {
    enterArray();
    List<JsonValue> elements = new ArrayList<>();
    while (hasNext()) {
      elements.add(value());
    }
    leaveArray();
    return new JsonArray(elements);
  }

  /** Refuses anything but white space after the value. */
  void expectEnd() throws IOException, JsonSyntaxException {
    JsonToken next;
    try {
      next = peek();
    } catch (JsonSyntaxException e) {
      throw new JsonSyntaxException(e.line(), e.column(), BEHIND);
    }
    if (next != JsonToken.END_DOCUMENT) {
      throw fault(BEHIND);
    }
  }

  /** A fault at the present place. */
  JsonSyntaxException fault(String reason) {
    return at(reader.toString(), reason);
  }

  private <T> T step(Step<T> step) throws IOException, JsonSyntaxException {
    try {
      return step.take();
    } catch (EOFException e) {
      throw fault("the text ends too early");
    } catch (MalformedJsonException | IllegalStateException | NumberFormatException e) {
      String text = String.valueOf(e.getMessage());
      throw at(text, reasonOf(text));
    }
  }

  private void move(Move move) throws IOException, JsonSyntaxException {
    boolean moved =
        step(() -> {
          move.take();
          return true;
        });
    assert moved;
  }

  /** The library's reasons in our words; its own carry advice for programmers and web addresses. */
  private static String reasonOf(String message) {
    if (message.startsWith("Nesting limit")) {
      return "nested deeper than " + Json.MAX_DEPTH + " levels";
    }
    if (message.startsWith("Unterminated string")) {
      return "a string has no end";
    }
    if (message.startsWith("Unterminated")) {
      return "an array or object is not closed, or a comma is missing";
    }
    if (message.startsWith("Unescaped control")) {
      return "a string has an unescaped control character";
    }
    if (message.startsWith("Invalid escape") || message.startsWith("Malformed Unicode")) {
      return "an escape sequence is wrong";
    }
    if (message.startsWith("Expected ':'")) {
      return "a colon is missing behind a name";
    }
    if (message.startsWith("Expected name")) {
      return "a name in double quotes is missing";
    }
    return "this is not JSON";
  }

  private JsonSyntaxException at(String message, String reason) {
    Matcher place = PLACE.matcher(message);
    if (place.find() || place.reset(reader.toString()).find()) {
      return new JsonSyntaxException(
          Integer.parseInt(place.group(1)), Integer.parseInt(place.group(2)), reason);
    }
    return new JsonSyntaxException(1, 1, reason);
  }

  @Override
  public void close() throws IOException {
    reader.close();
  }
}
