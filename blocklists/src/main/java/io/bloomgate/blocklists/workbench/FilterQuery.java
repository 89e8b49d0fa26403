package io.bloomgate.blocklists.workbench;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.bloomgate.config.json.JsonValue;
import io.bloomgate.config.json.JsonValue.JsonObject;
import io.bloomgate.config.json.JsonValue.ObjectBuilder;
import io.bloomgate.config.name.Parsed;
import io.bloomgate.config.name.Subject;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Path;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * {@code bloomgate filter query}: one probe of one filter for each key; a name's parents and an
 * address's networks are other keys, and are not asked. A key has one hash, the same for every way
 * of writing it; how far a name reaches is no part of it. Used on one thread.
 */
public final class FilterQuery {

  /** The answer to one key. Immutable. */
  public sealed interface Answer {

    /** The documented object. */
    JsonObject toJson();

    /**
     * The filter's answer.
     *
     * @param key as it was given
     * @param maybe true when it may be inside, false when it certainly is not
     */
    record Asked(String key, boolean maybe) implements Answer {
      @Override
      public JsonObject toJson() {
        return JsonValue.object().put("key", key).put("maybe", maybe).build();
      }
    }

    /**
     * The text is no key, so there was nothing to ask.
     *
     * @param key as it was given, perhaps cut
     * @param problem a short phrase without the text
     */
    record NoKey(String key, String problem) implements Answer {
      /** True for an empty line, which is no mistake. */
      public boolean isBlank() {
        return problem.equals(BLANK);
      }

      @Override
      public JsonObject toJson() {
        ObjectBuilder object = JsonValue.object().put("key", key).put("maybe", JsonValue.NULL);
        return object.put("problem", problem).build();
      }
    }
  }

  private static final String BLANK = "it is blank";

  /** Characters of a key; the longest mail address has 64 + 1 + 253 and may have U-labels. */
  private static final int MAX_KEY_CHARACTERS = 1024;

  /** A question about a subject. */
  @FunctionalInterface
  interface Probe {
    /** True when the key may be inside. */
    boolean maybe(Subject key) throws OfflineException;
  }

  private final Probe probe;

  /**
   * Asks a filter.
   *
   * @throws OfflineException when this release makes keys in another way
   */
  public FilterQuery(LoadedFilter filter) throws OfflineException {
    SubjectHash hash = filter.hash();
    this(key -> filter.filter().mightContain(hash.subject(key)));
  }

  /** Asks something else than a file. */
  FilterQuery(Probe probe) {
    this.probe = probe;
  }

  /**
   * Asks the filter of a file.
   *
   * @throws OfflineException when the file cannot be read or asked
   */
  public static FilterQuery of(Path file, WorkbenchTools tools) throws OfflineException {
    return new FilterQuery(LoadedFilter.read(file, tools));
  }

  /**
   * Asks for a key a line, until the lines end.
   *
   * @param next takes an answer for each line, in order, and says whether to go on
   * @throws OfflineException when the lines cannot be read to their end
   */
  public void askAll(InputStream lines, Predicate<Answer> next) throws OfflineException {
    KeyLines keys = new KeyLines(lines);
    try {
      boolean more = true;
      for (Parsed<String> key = keys.next(); more && key != null; key = keys.next()) {
        more =
            next.test(
                switch (key) {
                  case Parsed.Ok<String>(String text, var ignored) -> ask(text);
                  case Parsed.Bad<String>(String reason) ->
                      new Answer.NoKey(keys.beginning(), reason);
                });
      }
    } catch (IOException e) {
      throw new OfflineException(
          OfflineException.Kind.FAILED, "standard input cannot be read to its end", "", e);
    }
  }

  /**
   * Asks for a key: IP, CIDR, domain or mail address, written as in a list.
   *
   * @throws OfflineException when the filter cannot be asked
   */
  public Answer ask(String key) throws OfflineException {
    return switch (parse(key)) {
      case Parsed.Ok<Subject>(Subject subject, var ignored) ->
          new Answer.Asked(key, probe.maybe(subject));
      case Parsed.Bad<Subject>(String reason) -> new Answer.NoKey(key, reason);
    };
  }

  /** Reads a key as a person or a list writes it: {@code *.x}, {@code .x}, {@code @x} are names. */
  static Parsed<Subject> parse(String text) {
    String key = text.strip();
    if (key.isEmpty()) {
      return Parsed.bad(BLANK);
    }
    if (key.length() > MAX_KEY_CHARACTERS) {
      return Parsed.bad("longer than " + MAX_KEY_CHARACTERS + " characters");
    }
    if (key.startsWith("*.")) {
      return Subject.parse(key.substring(2));
    }
    return Subject.parse(key.startsWith(".") || key.startsWith("@") ? key.substring(1) : key);
  }

  /**
   * Reads keys from a stream, one a line ending in LF or CR LF, in UTF-8. Memory is bounded
   * whatever the stream says. Used on one thread.
   */
  static final class KeyLines {

    /** Octets of a line; no key is as long. What is longer is one bad line. */
    static final int MAX_OCTETS = 4096;

    private static final int SHOWN_OCTETS = 80;

    private final InputStream in;
    private final byte[] line = new byte[MAX_OCTETS];
    private int length;

    KeyLines(InputStream in) {
      this.in = new BufferedInputStream(in);
    }

    /** The next line, the reason why it is no text, or {@code null} at the end. */
    @Nullable Parsed<String> next() throws IOException {
      length = 0;
      int octets = 0;
      int octet = in.read();
      if (octet < 0) {
        return null;
      }
      for (; octet >= 0 && octet != '\n'; octet = in.read()) {
        octets++;
        if (length < MAX_OCTETS) {
          line[length++] = (byte) octet;
        }
      }
      if (octets > MAX_OCTETS) {
        return Parsed.bad("longer than " + MAX_OCTETS + " octets");
      }
      if (length > 0 && line[length - 1] == '\r') {
        length--;
      }
      return text();
    }

    private Parsed<String> text() {
      try {
        return Parsed.ok(UTF_8.newDecoder().decode(ByteBuffer.wrap(line, 0, length)).toString());
      } catch (CharacterCodingException e) {
        return Parsed.bad("not UTF-8");
      }
    }

    /** The beginning of the last line, whatever its octets are. */
    String beginning() {
      String shown = new String(line, 0, Math.min(length, SHOWN_OCTETS), ISO_8859_1);
      return length > SHOWN_OCTETS ? shown + "..." : shown;
    }
  }
}
