package io.bloomgate.blocklists.workbench;

import io.bloomgate.blocklists.entry.KeyHash;
import io.bloomgate.blocklists.filter.MembershipFilter;
import io.bloomgate.config.json.JsonValue;
import io.bloomgate.config.json.JsonValue.JsonObject;
import io.bloomgate.config.json.JsonValue.ObjectBuilder;
import io.bloomgate.config.name.Parsed;
import io.bloomgate.config.name.Subject;
import java.io.IOException;
import java.io.InputStream;
import java.util.function.Predicate;

/**
 * {@code bloomgate filter query}: one probe of one filter for each key; a name's parents and an
 * address's networks are other keys, and are not asked. Used on one thread.
 */
public final class FilterQuery {

  /** The answer to one key. Immutable. */
  public sealed interface Answer {

    /** The object of the contract, section 7. */
    JsonObject toJson();

    /**
     * The filter's word.
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
     * There was nothing to ask.
     *
     * @param key as it was given, perhaps cut
     * @param problem a short phrase without the text
     */
    record NoKey(String key, String problem) implements Answer {
      @Override
      public JsonObject toJson() {
        ObjectBuilder object = JsonValue.object().put("key", key).put("maybe", JsonValue.NULL);
        return object.put("problem", problem).build();
      }
    }
  }

  private final MembershipFilter filter;
  private final KeyHash hash;

  /**
   * Asks a filter.
   *
   * @throws OfflineException when this release makes keys in another way
   */
  public FilterQuery(LoadedFilter filter) throws OfflineException {
    this.filter = filter.filter();
    this.hash = filter.hash();
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

  /** Asks for a key: IP, CIDR, domain or mail address, written as in a list. */
  public Answer ask(String key) {
    return switch (ProbeKey.parse(key)) {
      case Parsed.Ok<Subject>(Subject subject, var ignored) ->
          new Answer.Asked(key, filter.mightContain(hash.subject(subject)));
      case Parsed.Bad<Subject>(String reason) -> new Answer.NoKey(key, reason);
    };
  }
}
