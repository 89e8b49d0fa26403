package io.bloomgate.config.json;

import com.google.gson.stream.JsonReader;
import com.google.gson.stream.JsonToken;
import java.io.FilterReader;
import java.io.IOException;
import java.io.Reader;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads the elements of one big array one by one, so that a feed of any size needs little memory.
 * The array is the whole text, or the member {@code key} of an object that is the whole text. Used
 * by the parsers of JSON feeds; one thread at a time.
 *
 * <p>The end is checked as strictly as the beginning: a text that is cut off or goes on after the
 * array ends in a {@link JsonSyntaxException}, never in fewer elements.
 */
public final class JsonArrayReader implements AutoCloseable {

  /** Longest single element, and longest gap between two, in UTF-16 units (1 Mi). */
  public static final int MAX_ELEMENT_LENGTH = 1 << 20;

  /** Most members that the object around the array may have. */
  public static final int MAX_MEMBERS = 1000;

  /** Longest name of such a member, and longest text of one that is kept, in UTF-16 units. */
  public static final int MAX_MEMBER_LENGTH = 1000;

  /**
   * One element.
   *
   * @param line where it begins, counted from 1; a line ends with LF
   */
  public record Element(int line, JsonValue value) {}

  private enum State {
    BEFORE,
    INSIDE,
    ENDED
  }

  /** The text, whose lines are counted, and of which an element takes so much at most. */
  private static final class Bounded extends FilterReader {
    private int lines;
    private boolean isLineOpen;
    private long sinceElement;

    Bounded(Reader text) {
      super(text);
    }

    @Override
    public int read(char[] target, int offset, int length) throws IOException {
      int count = super.read(target, offset, length);
      for (int i = offset; i < offset + count; i++) {
        lines += isLineOpen ? 0 : 1;
        isLineOpen = target[i] != '\n';
      }
      sinceElement += Math.max(0, count);
      if (sinceElement > MAX_ELEMENT_LENGTH) {
        throw new Json.FaultException(
            "one element is longer than " + MAX_ELEMENT_LENGTH + " characters");
      }
      return count;
    }
  }

  private final Bounded text;
  private final JsonReader tokens;
  private final @Nullable String key;
  private final Set<String> names = new HashSet<>();
  private final Map<String, String> texts = new HashMap<>();
  private State state = State.BEFORE;

  private JsonArrayReader(Reader text, @Nullable String key) {
    this.text = new Bounded(text);
    this.tokens = Json.reader(this.text);
    this.key = key;
  }

  /** The elements of the array that is the whole text. Closing the result closes the text. */
  public static JsonArrayReader ofArray(Reader text) {
    return new JsonArrayReader(text, null);
  }

  /** The elements of the array that is the member {@code key} of the object in the text. */
  public static JsonArrayReader ofMember(Reader text, String key) {
    return new JsonArrayReader(text, key);
  }

  /**
   * The next element, or nothing when the array and the text around it ended well.
   *
   * @throws JsonSyntaxException when the text is not JSON, is cut off, has no such array, or is
   *     beyond a limit
   * @throws IOException when the text cannot be read
   */
  public Optional<Element> next() throws IOException, JsonSyntaxException {
    try {
      return advance();
    } catch (IOException | IllegalStateException e) {
      throw Json.syntax(tokens, e);
    }
  }

  private Optional<Element> advance() throws IOException {
    if (state == State.BEFORE) {
      open();
      state = State.INSIDE;
    }
    if (state == State.ENDED) {
      return Optional.empty();
    }
    if (tokens.hasNext()) {
      int line = Json.line(tokens);
      JsonValue value = Json.value(tokens);
      text.sinceElement = 0;
      return Optional.of(new Element(line, value));
    }
    finish();
    state = State.ENDED;
    return Optional.empty();
  }

  private void open() throws IOException {
    if (key != null) {
      if (tokens.peek() != JsonToken.BEGIN_OBJECT) {
        throw new Json.FaultException("an object is expected, because the array is a member of it");
      }
      tokens.beginObject();
      skipTo(key);
    }
    if (tokens.peek() != JsonToken.BEGIN_ARRAY) {
      throw new Json.FaultException("an array is expected");
    }
    tokens.beginArray();
  }

  private void skipTo(String wanted) throws IOException {
    while (tokens.hasNext()) {
      String name = nextName();
      if (name.equals(wanted)) {
        return;
      }
      keep(name, Json.value(tokens));
    }
    throw new Json.FaultException("the object has no member of the name that was asked for");
  }

  private void finish() throws IOException {
    tokens.endArray();
    if (key != null) {
      while (tokens.hasNext()) {
        keep(nextName(), Json.value(tokens));
      }
      tokens.endObject();
    }
    Json.expectEnd(tokens);
  }

  private void keep(String name, JsonValue value) {
    if (value instanceof JsonValue.JsonString(String said) && said.length() <= MAX_MEMBER_LENGTH) {
      texts.put(name, said);
    }
    text.sinceElement = 0;
  }

  /**
   * A text of at most {@link #MAX_MEMBER_LENGTH} that is a member beside the array; complete once
   * the elements are read.
   */
  public Optional<String> memberText(String name) {
    return Optional.ofNullable(texts.get(name));
  }

  /** The number of lines until here; once the elements are read, of the whole text. */
  public int lines() {
    return text.lines;
  }

  private String nextName() throws IOException {
    String name = tokens.nextName();
    if (name.length() > MAX_MEMBER_LENGTH) {
      throw new Json.FaultException("a name is longer than " + MAX_MEMBER_LENGTH + " characters");
    }
    if (names.size() == MAX_MEMBERS) {
      throw new Json.FaultException("the object has more than " + MAX_MEMBERS + " members");
    }
    if (!names.add(name)) {
      throw new Json.FaultException("a name is in one object twice");
    }
    return name;
  }

  @Override
  public void close() throws IOException {
    tokens.close();
  }
}
