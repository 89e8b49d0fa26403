package io.bloomgate.blocklists.snapshot;

import io.bloomgate.blocklists.snapshot.FeedVersion.StoredJson;
import io.bloomgate.config.json.JsonValue;
import io.bloomgate.config.json.JsonValue.JsonBoolean;
import io.bloomgate.config.json.JsonValue.JsonObject;
import java.time.Instant;
import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What is remembered of a feed between refreshes and across restarts. Immutable; replaced by {@link
 * FeedBook}.
 *
 * @param live id of the version that is live, 0 for none
 * @param held id of the version that waits for the operator, 0 for none
 * @param outcome of the last try
 * @param problem of the last try in words, empty when there was none
 * @param times when it was tried and when it is due
 * @param pause whether the operator switched it off
 */
record FeedRecord(
    String name, long live, long held, Outcome outcome, String problem, Times times, Pause pause) {

  /** How the last try ended. */
  enum Outcome {
    UNTRIED,
    FRESH,
    UNCHANGED,
    HELD,
    REJECTED,
    FAILED
  }

  /**
   * Points in time, {@code null} for never.
   *
   * @param attempt the last try began
   * @param success the last try that said what is live is current
   * @param change new content went live
   * @param due the next try
   * @param notBefore the server asked to stay away until then
   * @param failures tries in a row without success
   */
  record Times(
      @Nullable Instant attempt,
      @Nullable Instant success,
      @Nullable Instant change,
      @Nullable Instant due,
      @Nullable Instant notBefore,
      int failures) {

    static final Times NEVER = new Times(null, null, null, null, null, 0);

    Times attempted(Instant now) {
      return new Times(now, success, change, due, notBefore, failures);
    }

    Times succeeded(Instant now, Instant next, boolean changed) {
      return new Times(attempt, now, changed ? now : change, next, null, 0);
    }

    Times failed(Instant next, @Nullable Instant wished) {
      return new Times(attempt, success, change, next, wished, failures + 1);
    }
  }

  /**
   * Switched off or not.
   *
   * @param until {@code null} for as long as nobody switches it on
   */
  record Pause(boolean disabled, @Nullable Instant until) {
    static final Pause NONE = new Pause(false, null);

    boolean holdsAt(Instant now) {
      return disabled && (until == null || now.isBefore(until));
    }
  }

  static FeedRecord unknown(String name) {
    return new FeedRecord(name, 0, 0, Outcome.UNTRIED, "", Times.NEVER, Pause.NONE);
  }

  FeedRecord with(Times newTimes) {
    return new FeedRecord(name, live, held, outcome, problem, newTimes, pause);
  }

  FeedRecord with(Pause newPause) {
    return new FeedRecord(name, live, held, outcome, problem, times, newPause);
  }

  FeedRecord withLive(long version) {
    return new FeedRecord(name, version, held, outcome, problem, times, pause);
  }

  FeedRecord ended(Outcome how, String why, long newLive, long newHeld, Times newTimes) {
    return new FeedRecord(name, newLive, newHeld, how, why, newTimes, pause);
  }

  JsonObject toJson() {
    return JsonValue.object()
        .put("live", live)
        .put("held", held)
        .put("outcome", outcome.name())
        .put("problem", problem)
        .put("attempt", text(times.attempt))
        .put("success", text(times.success))
        .put("change", text(times.change))
        .put("due", text(times.due))
        .put("not_before", text(times.notBefore))
        .put("failures", times.failures)
        .put("disabled", pause.disabled)
        .put("disabled_until", text(pause.until))
        .build();
  }

  static FeedRecord ofJson(String name, JsonObject stored) {
    Optional<Outcome> outcome =
        Arrays.stream(Outcome.values())
            .filter(o -> stored.text("outcome").filter(o.name()::equals).isPresent())
            .findFirst();
    Times times =
        new Times(
            StoredJson.instant(stored, "attempt").orElse(null),
            StoredJson.instant(stored, "success").orElse(null),
            StoredJson.instant(stored, "change").orElse(null),
            StoredJson.instant(stored, "due").orElse(null),
            StoredJson.instant(stored, "not_before").orElse(null),
            (int) Math.min(1000, StoredJson.number(stored, "failures")));
    Pause pause =
        new Pause(
            stored.get("disabled").orElse(null) instanceof JsonBoolean(boolean disabled)
                && disabled,
            StoredJson.instant(stored, "disabled_until").orElse(null));
    return new FeedRecord(
        name,
        StoredJson.number(stored, "live"),
        StoredJson.number(stored, "held"),
        outcome.orElse(Outcome.UNTRIED),
        stored.text("problem").orElse(""),
        times,
        pause);
  }

  static @Nullable String text(@Nullable Instant time) {
    return time == null ? null : time.toString();
  }
}
