package io.bloomgate.config.json;

import java.io.IOException;
import java.io.StringReader;
import java.io.UncheckedIOException;

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

  private Json() {}

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
    try (JsonTokens tokens = new JsonTokens(new StringReader(text))) {
      JsonValue value = tokens.value();
      tokens.expectEnd();
      return value;
    } catch (IOException e) {
      throw new UncheckedIOException("reading from memory", e);
    }
  }

  /**
   * Writes a value on one line. Everything that could break a line or a terminal is escaped: C0 and
   * C1 controls, DEL, U+2028, U+2029, and single surrogates.
   */
  public static String write(JsonValue value) {
    StringBuilder out = new StringBuilder(128);
    JsonWriter.append(out, value);
    return out.toString();
  }
}
