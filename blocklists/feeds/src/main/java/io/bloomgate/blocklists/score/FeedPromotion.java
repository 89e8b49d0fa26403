package io.bloomgate.blocklists.score;

import io.bloomgate.config.settings.Action;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The order that {@code feeds promote} gave about a feed, and its effect. Immutable; kept by {@link
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
}
