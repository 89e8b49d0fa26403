package io.bloomgate.blocklists.format;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.bloomgate.blocklists.format.EntryText.Accepts;
import io.bloomgate.blocklists.format.octets.Octets;
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
    JsonLines.read(text, run, (object, line, number) -> member(run, object, line, number));
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
