package io.bloomgate.blocklists.format;

import io.bloomgate.blocklists.format.octets.Octets;
import io.bloomgate.config.json.Json;
import io.bloomgate.config.json.JsonSyntaxException;
import io.bloomgate.config.json.JsonValue.JsonObject;
import java.io.IOException;
import java.io.InputStream;

/** Goes through a text with a JSON object a line, for the parsers of such feeds. */
final class JsonLines {

  private JsonLines() {}

  /** Takes an object. */
  @FunctionalInterface
  interface Handler {

    /**
     * An object.
     *
     * @param text its line, for messages
     */
    void object(JsonObject object, String text, int number);
  }

  /**
   * Reads a text to its end; lines that are no object are problems.
   *
   * @throws IOException only when {@code text} throws it
   */
  static void read(InputStream text, ParseRun run, Handler handler) throws IOException {
    LineLoop.read(
        text,
        run,
        (octets, from, to, number) -> line(Octets.decode(octets, from, to), number, run, handler));
  }

  private static void line(String text, int number, ParseRun run, Handler handler) {
    try {
      if (Json.parse(text) instanceof JsonObject object) {
        handler.object(object, text, number);
      } else {
        run.problem(number, "not a JSON object", text);
      }
    } catch (JsonSyntaxException e) {
      run.problem(number, "not JSON", text);
    }
  }
}
