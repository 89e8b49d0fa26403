package io.bloomgate.blocklists.format;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.bloomgate.blocklists.format.EntryText.Accepts;
import io.bloomgate.config.json.Json;
import io.bloomgate.config.json.JsonArrayReader;
import io.bloomgate.config.json.JsonArrayReader.Element;
import io.bloomgate.config.json.JsonSyntaxException;
import io.bloomgate.config.json.JsonValue;
import io.bloomgate.config.json.JsonValue.JsonNumber;
import io.bloomgate.config.json.JsonValue.JsonObject;
import io.bloomgate.config.json.JsonValue.JsonString;
import io.bloomgate.config.name.AsNumber;
import io.bloomgate.config.name.IpPrefix;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The formats in JSON: an array of strings, and an object a line. Read element by element or line
 * by line. JSON is UTF-8 (RFC 8259 section 8.1); octets that are not become U+FFFD, which no entry
 * has. Stateless; used on the parsing thread.
 */
final class JsonFormats {

  private JsonFormats() {}

  /**
   * The formats {@code json} and {@code json:KEY}.
   *
   * @param key the member that holds the array, {@code null} when the array is the whole text
   */
  static FeedParser array(@Nullable String key) {
    return (text, run) -> elements(text, run, key);
  }

  /**
   * The format {@code misp}: a MISP warning list, whose member {@code list} holds the values and
   * whose member {@code type} says how they are meant. Lists of substrings and regular expressions
   * damage the text, because read as names they would list the wrong ones.
   *
   * @see <a href="https://github.com/MISP/misp-warninglists">MISP warning lists</a>
   */
  static void misp(InputStream text, ParseRun run) throws IOException {
    String type = elements(text, run, "list").orElse("");
    switch (type) {
      case "cidr", "hostname", "string" -> {}
      case "" -> run.damage("no member \"type\" that says what the list holds");
      default ->
          run.damage("a list of type \"" + Octets.escape(type) + "\" holds no names or networks");
    }
  }

  /** Reads an array to its end; the value of member {@code type} beside it, if there is one. */
  private static Optional<String> elements(InputStream text, ParseRun run, @Nullable String key)
      throws IOException {
    Reader characters = new InputStreamReader(text, UTF_8);
    JsonArrayReader array =
        key == null
            ? JsonArrayReader.ofArray(characters)
            : JsonArrayReader.ofMember(characters, key);
    try {
      for (var next = array.next(); next.isPresent(); next = array.next()) {
        Element element = next.get();
        if (element.value() instanceof JsonString(String value)) {
          run.at(element.line(), value);
          EntryText.read(run, Accepts.ANYTHING, value);
        } else {
          run.at(element.line(), Json.write(element.value()));
          run.problem("not a string");
        }
      }
    } catch (JsonSyntaxException e) {
      run.damage("line " + e.line() + ": " + Octets.escape(e.reason()));
    }
    run.lines(array.lines());
    return key == null ? Optional.empty() : array.memberText("type");
  }

  /** The format {@code ndjson:FIELD}: an object a line, whose member FIELD is the entry. */
  static FeedParser field(String field) {
    return (text, run) ->
        objects(
            text,
            run,
            object -> {
              if (object.get(field).orElse(null) instanceof JsonString(String value)) {
                EntryText.read(run, Accepts.ANYTHING, value);
              } else {
                run.problem("no text in member \"" + Octets.escape(field) + "\"");
              }
            });
  }

  /**
   * The format {@code spamhaus-json}: an object a line with member {@code cidr}, and a last one of
   * type {@code metadata} that says how many records there are. A file with another number, or one
   * of Spamhaus that lacks the last line, was cut or glued together and is not trusted.
   */
  static void spamhaus(InputStream text, ParseRun run) throws IOException {
    Spamhaus records = new Spamhaus(run, "cidr");
    objects(text, run, records);
    records.end();
  }

  /**
   * The format {@code asn-list}: an AS number a line, or an object with member {@code asn} a line,
   * as Spamhaus has it in ASN-DROP.
   */
  static void asns(InputStream text, ParseRun run) throws IOException {
    Spamhaus records = new Spamhaus(run, "asn");
    FeedLines.read(
        text,
        run,
        (_, octets, from, to) -> {
          if (octets[from] == '{') {
            object(octets, from, to, run, records);
          } else if (!Comments.isWhole(octets, from, to)) {
            String word = Octets.decode(octets, from, Comments.trimmed(octets, from, to));
            run.asNumber(AsNumber.parse(word));
          }
        });
    records.end();
  }

  /** Reads one text. */
  private static final class Spamhaus implements Consumer<JsonObject> {
    private final ParseRun run;

    /** The member that is the entry. */
    private final String member;

    private boolean ofSpamhaus;
    private boolean closed;
    private long read;

    Spamhaus(ParseRun run, String member) {
      this.run = run;
      this.member = member;
    }

    void end() {
      if (ofSpamhaus && !closed) {
        run.damage("the list ends without the record of type metadata that closes it");
      }
    }

    @Override
    public void accept(JsonObject object) {
      ofSpamhaus |= object.text("sblid").isPresent();
      JsonValue entry = object.get(member).orElse(JsonValue.NULL);
      if (member.equals("asn") && entry instanceof JsonNumber(String asn)) {
        read++;
        run.asNumber(AsNumber.parse(asn));
      } else if (member.equals("cidr") && entry instanceof JsonString(String cidr)) {
        read++;
        run.network(IpPrefix.parse(cidr), false);
      } else if (object.text("type").filter("metadata"::equals).isPresent()) {
        closed = true;
        run.skip();
        if (object.get("records").orElse(null) instanceof JsonNumber(String literal)
            && !literal.equals(Long.toString(read))) {
          String said = "the list says it has " + Octets.escape(literal) + " records, ";
          run.damage(said + read + " were read");
        }
      } else {
        run.problem("no member \"" + member + "\"");
      }
    }
  }

  /** Reads a text to its end; lines that are no object are problems. */
  private static void objects(InputStream text, ParseRun run, Consumer<JsonObject> handler)
      throws IOException {
    FeedLines.read(text, run, (_, octets, from, to) -> object(octets, from, to, run, handler));
  }

  private static void object(
      byte[] octets, int from, int to, ParseRun run, Consumer<JsonObject> handler) {
    try {
      if (Json.parse(Octets.decode(octets, from, to)) instanceof JsonObject object) {
        handler.accept(object);
      } else {
        run.problem("not a JSON object");
      }
    } catch (JsonSyntaxException e) {
      run.problem("not JSON");
    }
  }
}
