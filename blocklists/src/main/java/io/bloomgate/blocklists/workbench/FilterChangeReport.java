package io.bloomgate.blocklists.workbench;

import io.bloomgate.blocklists.filter.FilterShape;
import io.bloomgate.config.json.JsonValue;
import io.bloomgate.config.json.JsonValue.JsonObject;
import java.nio.file.Path;
import java.util.List;

/**
 * What a change of a filter file did. Immutable.
 *
 * @param shape of the filter after it
 * @param pages of the file
 * @param changedPages those that were written
 */
public record FilterChangeReport(
    Path file, Verb verb, List<Answer> answers, FilterShape shape, int pages, int changedPages) {

  /** A rate that differs from another one in three digits. */
  private static final double ROUNDING = 1.005;

  /** What is done with the keys. */
  public enum Verb {
    ADD("add"),
    REMOVE("remove");

    private final String word;

    Verb(String word) {
      this.word = word;
    }

    /** As the command spells it. */
    public String word() {
      return word;
    }
  }

  /** What happened to a key. */
  public enum Outcome {
    /** Added; it was certainly not inside before. */
    NEW("new", Verb.ADD),
    /** Added; it may have been inside before. */
    MAYBE("maybe", Verb.ADD),
    /** One of its additions is undone. */
    REMOVED("removed", Verb.REMOVE),
    /** Not removed, because it was certainly never added, or is given more often than added. */
    NEVER("never", Verb.REMOVE),
    /** Not removed, because another key of the call was never added. */
    UNCHANGED("unchanged", Verb.REMOVE),
    /** Not removed, because its counters overflowed, or nothing shows which part holds it. */
    KEPT("kept", Verb.REMOVE);

    private final String word;
    private final Verb verb;

    Outcome(String word, Verb verb) {
      this.word = word;
      this.verb = verb;
    }

    /** As it is spelled everywhere. */
    public String word() {
      return word;
    }
  }

  /**
   * One key's.
   *
   * @param key as it was given
   * @param overflowed true when a counter of the key is at its end and stays there
   */
  public record Answer(String key, Outcome outcome, boolean overflowed) {

    /** One object. */
    public JsonObject toJson() {
      return JsonValue.object()
          .put("key", key)
          .put("outcome", outcome.word)
          .put("overflowed", overflowed)
          .build();
    }
  }

  public FilterChangeReport {
    answers = List.copyOf(answers);
  }

  /** How many keys had this outcome. */
  public long count(Outcome outcome) {
    return answers.stream().filter(a -> a.outcome == outcome).count();
  }

  /** How many keys have a counter that overflowed. */
  public long overflowed() {
    return answers.stream().filter(Answer::overflowed).count();
  }

  /** True when the filter has more false positives than it was made for. */
  public boolean passesAskedRate() {
    return shape.expectedRate() > ROUNDING * shape.askedRate();
  }

  /** One object, without the keys. */
  public JsonObject toJson() {
    JsonValue.ObjectBuilder object =
        JsonValue.object().put("file", file.toString()).put("verb", verb.word);
    object.put("keys", answers.size());
    for (Outcome outcome : Outcome.values()) {
      if (outcome.verb == verb) {
        object.put(outcome.word, count(outcome));
      }
    }
    object.put("overflowed", overflowed());
    shape.toJson().members().forEach(object::put);
    return object.put("pages", pages).put("changed_pages", changedPages).build();
  }
}
