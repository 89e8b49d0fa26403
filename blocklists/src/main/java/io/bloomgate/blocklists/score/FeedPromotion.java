package io.bloomgate.blocklists.score;

import io.bloomgate.config.json.JsonValue;
import io.bloomgate.config.json.JsonValue.JsonObject;
import io.bloomgate.config.settings.Action;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What {@code feeds promote} said of a feed, and what came of it. Immutable; kept by {@link
 * FeedActions}.
 *
 * @param auto the gateway may move the feed by its evidence; false: a person wrote the action into
 *     the settings, and a step back is only advised
 * @param by Unix user who asked
 * @param source where the feed comes from: the evidence of one list says nothing of another
 * @param settings the action in the settings on which this builds
 * @param to the action in force
 * @param last what the gateway did last, {@code null} for nothing
 * @param advised a step back that a person should make, {@code null} for none
 */
public record FeedPromotion(
    boolean auto,
    String by,
    Instant asked,
    String source,
    Action settings,
    Action to,
    @Nullable Step last,
    @Nullable Step advised) {

  /**
   * A step, made or advised.
   *
   * @param why the figures, a clause for people
   */
  public record Step(Action from, Action to, Instant at, String why) {

    /** True when the feed acts more weakly after it. */
    public boolean isBack() {
      return to.compareTo(from) < 0;
    }

    private JsonObject toJson() {
      return JsonValue.object()
          .put("from", word(from))
          .put("to", word(to))
          .put("at", at.toString())
          .put("why", why)
          .build();
    }

    private static Optional<Step> ofJson(JsonObject stored) {
      Optional<Action> from = action(stored, "from");
      Optional<Action> to = action(stored, "to");
      Optional<Instant> at = instant(stored, "at");
      return from.isEmpty() || to.isEmpty() || at.isEmpty()
          ? Optional.empty()
          : Optional.of(new Step(from.get(), to.get(), at.get(), stored.text("why").orElse("")));
    }
  }

  /** A request that nothing has come of yet. */
  public static FeedPromotion asked(
      boolean auto, String by, Instant at, String source, Action settings) {
    return new FeedPromotion(auto, by, at, source, settings, settings, null, null);
  }

  /** True when the action in force is not that of the settings. */
  public boolean moved() {
    return to != settings;
  }

  /** The same after a step of the gateway. */
  public FeedPromotion after(Step step) {
    return new FeedPromotion(auto, by, asked, source, settings, step.to(), step, null);
  }

  /** The same with an advice, or with none. */
  public FeedPromotion advising(@Nullable Step step) {
    return new FeedPromotion(auto, by, asked, source, settings, to, last, step);
  }

  /** The same after the person who asked again has seen the last step: its alarm ends. */
  public FeedPromotion accepted(String newBy, Instant at) {
    return new FeedPromotion(true, newBy, at, source, settings, to, last, null);
  }

  /** The settings say another action now, which counts; a person's word begins again there. */
  FeedPromotion from(Action action) {
    return new FeedPromotion(auto, by, asked, source, action, action, null, null);
  }

  JsonObject toJson() {
    return JsonValue.object()
        .put("auto", auto)
        .put("by", by)
        .put("asked", asked.toString())
        .put("source", source)
        .put("settings", word(settings))
        .put("to", word(to))
        .put("last", last == null ? JsonValue.NULL : last.toJson())
        .put("advised", advised == null ? JsonValue.NULL : advised.toJson())
        .build();
  }

  /** What {@link #toJson} wrote; empty when it is something else. */
  static Optional<FeedPromotion> ofJson(JsonObject stored) {
    Optional<Instant> asked = instant(stored, "asked");
    Optional<Action> settings = action(stored, "settings");
    Optional<Action> to = action(stored, "to");
    if (asked.isEmpty() || settings.isEmpty() || to.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        new FeedPromotion(
            stored.isTrue("auto"),
            stored.text("by").orElse(""),
            asked.get(),
            stored.text("source").orElse(""),
            settings.get(),
            to.get(),
            stored.object("last").flatMap(Step::ofJson).orElse(null),
            stored.object("advised").flatMap(Step::ofJson).orElse(null)));
  }

  /** As the settings write it. */
  public static String word(Action action) {
    return action.name().toLowerCase(Locale.ROOT);
  }

  static Optional<Action> action(JsonObject stored, String name) {
    return stored
        .text(name)
        .flatMap(text ->
            Arrays.stream(Action.values()).filter(action -> word(action).equals(text)).findFirst());
  }

  static Optional<Instant> instant(JsonObject stored, String name) {
    try {
      return stored.text(name).map(Instant::parse);
    } catch (DateTimeException e) {
      return Optional.empty();
    }
  }
}
