package io.bloomgate.blocklists.format;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.bloomgate.blocklists.format.EntryText.Accepts;
import io.bloomgate.blocklists.format.octets.Octets;
import io.bloomgate.config.json.Json;
import io.bloomgate.config.json.JsonArrayReader;
import io.bloomgate.config.json.JsonArrayReader.Element;
import io.bloomgate.config.json.JsonSyntaxException;
import io.bloomgate.config.json.JsonValue.JsonString;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The formats {@code json} and {@code json:KEY}: an array of strings, alone or as the member KEY of
 * an object. Read element by element. JSON is UTF-8 (RFC 8259 section 8.1); octets that are not
 * become U+FFFD, which no entry has.
 */
final class JsonParser implements FeedParser {

  private final @Nullable String key;

  /**
   * @param key the member that holds the array, {@code null} when the array is the whole text
   */
  JsonParser(@Nullable String key) {
    this.key = key;
  }

  @Override
  public void parse(InputStream text, ParseRun run) throws IOException {
    CountingStream counted = new CountingStream(new Utf8Mark(text));
    Reader characters = new InputStreamReader(counted, UTF_8);
    JsonArrayReader array =
        key == null
            ? JsonArrayReader.ofArray(characters)
            : JsonArrayReader.ofMember(characters, key);
    try {
      Optional<Element> element = array.next();
      while (element.isPresent()) {
        element(run, element.get());
        element = array.next();
      }
    } catch (JsonSyntaxException e) {
      run.damage("line " + e.line() + ": " + Octets.escape(e.reason()));
    }
    run.lines(counted.lines());
  }

  private static void element(ParseRun run, Element element) {
    if (element.value() instanceof JsonString(String value)) {
      byte[] octets = value.strip().getBytes(UTF_8);
      EntryText.read(run, Accepts.ANYTHING, octets, 0, octets.length, element.line());
    } else {
      run.problem(element.line(), "not a string", Json.write(element.value()));
    }
  }
}
