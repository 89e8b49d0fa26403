package io.bloomgate.blocklists.feed;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.bloomgate.blocklists.feed.EntryText.Accepts;
import io.bloomgate.config.json.Json;
import io.bloomgate.config.json.JsonSyntaxException;
import io.bloomgate.config.json.JsonValue.JsonObject;
import io.bloomgate.config.json.JsonValue.JsonString;
import java.io.IOException;
import java.io.InputStream;

/** The format {@code ndjson:FIELD}: a JSON object a line, whose member FIELD is the entry. */
final class NdjsonParser implements FeedParser {

  private final String field;

  NdjsonParser(String field) {
    this.field = field;
  }

  @Override
  public void parse(InputStream text, ParseRun run) throws IOException {
    LineLoop.read(
        text,
        run,
        (octets, from, to, number) -> line(run, Octets.decode(octets, from, to), number));
  }

  private void line(ParseRun run, String text, int number) {
    try {
      if (Json.parse(text) instanceof JsonObject object) {
        member(run, object, text, number);
      } else {
        run.problem(number, "not a JSON object", text);
      }
    } catch (JsonSyntaxException e) {
      run.problem(number, "not JSON", text);
    }
  }

  private void member(ParseRun run, JsonObject object, String text, int number) {
    if (object.get(field).orElse(null) instanceof JsonString(String value)) {
      byte[] octets = value.strip().getBytes(UTF_8);
      EntryText.read(run, Accepts.ANYTHING, octets, 0, octets.length, number);
    } else {
      run.problem(number, "no text in member \"" + Octets.escape(field) + "\"", text);
    }
  }
}
