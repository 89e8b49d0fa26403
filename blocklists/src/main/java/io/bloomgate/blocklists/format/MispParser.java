package io.bloomgate.blocklists.format;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.bloomgate.blocklists.format.EntryText.Accepts;
import io.bloomgate.blocklists.format.JsonParser.CountingStream;
import io.bloomgate.blocklists.format.JsonParser.Utf8Mark;
import io.bloomgate.blocklists.format.octets.Octets;
import io.bloomgate.config.json.JsonArrayReader;
import io.bloomgate.config.json.JsonArrayReader.Element;
import io.bloomgate.config.json.JsonSyntaxException;
import io.bloomgate.config.json.JsonValue.JsonString;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.util.Optional;

/**
 * The format {@code misp}: a MISP warning list, an object whose member {@code list} holds the
 * values and whose member {@code type} says how they are meant. Addresses, networks and host names
 * are entries ({@code .x} reaches below); lists of substrings and regular expressions are none of
 * ours and damage the text, because read as names they would list the wrong ones.
 *
 * @see <a href="https://github.com/MISP/misp-warninglists">MISP warning lists</a>
 */
final class MispParser implements FeedParser {

  @Override
  public void parse(InputStream text, ParseRun run) throws IOException {
    CountingStream counted = new CountingStream(new Utf8Mark(text));
    JsonArrayReader array = JsonArrayReader.ofMember(new InputStreamReader(counted, UTF_8), "list");
    try {
      Optional<Element> element = array.next();
      while (element.isPresent()) {
        element(run, element.get());
        element = array.next();
      }
      checkType(run, array.memberText("type").orElse(""));
    } catch (JsonSyntaxException e) {
      run.damage("line " + e.line() + ": " + Octets.escape(e.reason()));
    }
    run.lines(counted.lines());
  }

  private static void checkType(ParseRun run, String type) {
    switch (type) {
      case "cidr", "hostname", "string" -> {}
      case "" -> run.damage("no member \"type\" that says what the list holds");
      default ->
          run.damage("a list of type \"" + Octets.escape(type) + "\" holds no names or networks");
    }
  }

  private static void element(ParseRun run, Element element) {
    if (element.value() instanceof JsonString(String value)) {
      byte[] octets = Octets.encode(value.strip());
      EntryText.read(run, Accepts.ANYTHING, octets, 0, octets.length, element.line());
    } else {
      run.problem(element.line(), "not a string", String.valueOf(element.value()));
    }
  }
}
