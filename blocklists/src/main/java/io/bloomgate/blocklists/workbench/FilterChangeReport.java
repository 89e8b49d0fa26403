package io.bloomgate.blocklists.workbench;

import io.bloomgate.blocklists.filter.FilterShape;
import io.bloomgate.config.json.JsonValue;
import io.bloomgate.config.json.JsonValue.JsonObject;
import java.nio.file.Path;
import java.util.List;

/**
 * The result of a change of a filter file. Immutable.
 *
 * @param shape of the filter after it
 */
public record FilterChangeReport(Path file, Verb verb, List<Answer> answers, FilterShape shape) {

  /** A rate that differs from another one in three digits. */
  private static final double ROUNDING = 1.005;

  /** The change that is made with the keys. */
  public enum Verb {
    ADD("add"),
    REMOVE("remove");

    private final String word;

    Verb(String word) {
      this.word = word;
    }

    /** The name of the change in commands. */
    public String word() {
      return word;
    }
  }

  /** The outcome for a key. */
  public enum Outcome {
    /** Added; it was certainly not inside before. */
    NEW("new", Verb.ADD),
    /** Added; it may have been inside before. */
    MAYBE("maybe", Verb.ADD),
    /** One of its additions is undone. */
    REMOVED("removed", Verb.REMOVE),
    /**
     * The key was not removed, because it was certainly never added, or is given more often than
     * added.
     */
    NEVER("never", Verb.REMOVE),
    /** The key was not removed, because another key of the call was never added. */
    UNCHANGED("unchanged", Verb.REMOVE),
    /**
     * The key was not removed, because its counters overflowed, or nothing shows which part holds
     * it.
     */
    KEPT("kept", Verb.REMOVE);

    private final String word;
    private final Verb verb;

    Outcome(String word, Verb verb) {
      this.word = word;
      this.verb = verb;
    }

    /** The name of the outcome everywhere. */
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
  public record Answer(String key, Outcome outcome, boolean overflowed) {}

  public FilterChangeReport {
    answers = List.copyOf(answers);
  }

  /** The number of keys that had this outcome. */
  public long count(Outcome outcome) {
    return answers.stream().filter(a -> a.outcome == outcome).count();
  }

  /** The number of keys that have a counter that overflowed. */
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
    return object.put("overflowed", overflowed()).putAll(shape.toJson()).build();
  }
}
