package io.bloomgate.gateway.score;

import io.bloomgate.blocklists.Blocklists;
import io.bloomgate.blocklists.score.FeedPromotion;
import io.bloomgate.blocklists.score.FeedPromotion.Step;
import io.bloomgate.config.settings.Settings;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;

/**
 * Makes the sentences of {@code status} about promoted feeds. Made of what is stored, so that a
 * restart loses none of it; any thread.
 */
public final class PromotionNotices {

  /**
   * The time for which a promotion is an alarm; a step back is one for {@code promotion.step_back}.
   */
  static final Duration PROMOTED = Duration.ofDays(7);

  private PromotionNotices() {}

  private static void forEach(Blocklists lists, BiConsumer<String, FeedPromotion> consumer) {
    for (String feed : lists.settings().feeds().names()) {
      lists.promotions().of(feed).ifPresent(known -> consumer.accept(feed, known));
    }
  }

  /** Each feed that evidence may move, and each that a person promoted. */
  public static List<String> standing(Blocklists lists) {
    List<String> lines = new ArrayList<>();
    forEach(
        lists,
        (feed, known) ->
            lines.add(
                feed
                    + " "
                    + known.to().key()
                    + (known.moved() ? " (settings say " + known.settings().key() + ")" : "")
                    + (known.auto() ? ", auto for " : ", promoted by ")
                    + known.by()));
    return lines;
  }

  /** Steps that nobody has answered yet, and steps back that a person should make. */
  public static List<String> alarms(Blocklists lists, Instant now) {
    Settings settings = lists.settings();
    Duration stepBack = settings.feeds().promotion().stepBack();
    List<String> alarms = new ArrayList<>();
    forEach(
        lists,
        (feed, known) -> {
          Step last = known.last();
          if (last != null
              && last.at().isAfter(known.asked())
              && now.isBefore(last.at().plus(last.isBack() ? stepBack : PROMOTED))) {
            alarms.add(made(feed, last));
          }
          Step advised = known.advised();
          if (advised != null && now.isBefore(advised.at().plus(stepBack))) {
            alarms.add(advised(feed, advised));
          }
        });
    return alarms;
  }

  private static String made(String feed, Step step) {
    String command = "`bloomgate feeds promote " + feed;
    return "feed "
        + feed
        + (step.isBack() ? " was stepped back from " : " was promoted from ")
        + step.from().key()
        + " to "
        + step.to().key()
        + " at "
        + step.at()
        + ": "
        + step.why()
        + "; "
        + command
        + " --auto` accepts it, "
        + command
        + " --no-auto` goes back to the action of the settings";
  }

  private static String advised(String feed, Step step) {
    String command = "`bloomgate feeds promote " + feed;
    return "feed "
        + feed
        + " should step back from "
        + step.from().key()
        + " to "
        + step.to().key()
        + ": "
        + step.why()
        + "; write `action: "
        + step.to().key()
        + "` into the settings, or "
        + command
        + " --auto` lets evidence move it; "
        + command
        + " --no-auto` ends this alarm";
  }
}
