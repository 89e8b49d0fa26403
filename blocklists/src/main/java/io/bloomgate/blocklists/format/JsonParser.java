package io.bloomgate.blocklists.format;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.bloomgate.blocklists.format.EntryText.Accepts;
import io.bloomgate.blocklists.format.octets.Octets;
import io.bloomgate.config.json.Json;
import io.bloomgate.config.json.JsonArrayReader;
import io.bloomgate.config.json.JsonArrayReader.Element;
import io.bloomgate.config.json.JsonSyntaxException;
import io.bloomgate.config.json.JsonValue.JsonString;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PushbackInputStream;
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

  /** Takes a UTF-8 byte-order mark off the beginning of a text. Used by {@link JsonParser}. */
  static final class Utf8Mark extends PushbackInputStream {

    Utf8Mark(InputStream text) throws IOException {
      super(text, 3);
      byte[] first = text.readNBytes(3);
      boolean mark =
          first.length == 3
              && first[0] == (byte) 0xef
              && first[1] == (byte) 0xbb
              && first[2] == (byte) 0xbf;
      if (!mark) {
        unread(first);
      }
    }
  }

  /** Counts the lines of a text that is not read by lines. Used by {@link JsonParser}. */
  static final class CountingStream extends FilterInputStream {

    private long ends;
    private int last = '\n';

    CountingStream(InputStream text) {
      super(text);
    }

    @Override
    public int read() throws IOException {
      int octet = super.read();
      if (octet >= 0) {
        count(octet);
      }
      return octet;
    }

    @Override
    public int read(byte[] target, int from, int length) throws IOException {
      int read = super.read(target, from, length);
      for (int i = 0; i < read; i++) {
        count(target[from + i]);
      }
      return read;
    }

    private void count(int octet) {
      if (octet == '\r' || (octet == '\n' && last != '\r')) {
        ends++;
      }
      last = octet;
    }

    /** Lines seen, one without an end at the end included. */
    long lines() {
      return last == '\n' || last == '\r' ? ends : ends + 1;
    }
  }
}
