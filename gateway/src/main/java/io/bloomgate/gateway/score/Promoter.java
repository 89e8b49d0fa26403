package io.bloomgate.gateway.score;

import io.bloomgate.blocklists.Blocklists;
import io.bloomgate.blocklists.operator.OperatorLists;
import io.bloomgate.blocklists.operator.OperatorListsException;
import io.bloomgate.blocklists.score.FeedPromotion;
import io.bloomgate.blocklists.score.FeedPromotion.Step;
import io.bloomgate.config.settings.Action;
import io.bloomgate.config.settings.Settings;
import io.bloomgate.gateway.score.FeedScore.NextAction;
import io.bloomgate.gateway.score.FeedScores.Judged;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Moves the feeds for which somebody asked with {@code feeds promote --auto}: each day, after the
 * start, and soon after it was asked for, one step at most. A feed that a person promoted is only
 * watched. One for a gateway: {@link #tick} is a chore on a thread that gives way to mail, the
 * other methods are called on the threads of control connections.
 */
public final class Promoter {

  private static final Logger LOG = LoggerFactory.getLogger(Promoter.class);

  static final Duration EVERY = Duration.ofDays(1);

  /** The name in the audit for the steps that the gateway takes. */
  static final String AUTHOR = "gateway";

  private final FeedScores scores;
  private final Blocklists lists;
  private final Consumer<Settings> changed;
  private final InstantSource clock;
  private final LongSupplier nanoTime;
  private volatile boolean asked = true;
  private long judgedNanos;

  /**
   * Judges at the first {@link #tick}.
   *
   * @param changed receives the settings in force after an action has changed
   * @param nanoTime monotonic time in nanoseconds
   */
  public Promoter(
      FeedScores scores,
      Blocklists lists,
      Consumer<Settings> changed,
      InstantSource clock,
      LongSupplier nanoTime) {
    this.scores = scores;
    this.lists = lists;
    this.changed = changed;
    this.clock = clock;
    this.nanoTime = nanoTime;
  }

  /** Judges when it is time; reads the kept sessions then. */
  public void tick() {
    long now = nanoTime.getAsLong();
    if (asked || now - judgedNanos >= EVERY.toNanos()) {
      asked = false;
      judgedNanos = now;
      judge();
    }
  }

  private void judge() {
    List<String> names = scores.names().stream().filter(name -> known(name).isPresent()).toList();
    if (names.isEmpty()) {
      return;
    }
    try {
      FeedScores.Scores judged = scores.since(Instant.EPOCH, names);
      judged.problems().forEach(problem -> LOG.warn("feeds promote: {}", problem));
      for (Judged one : judged.feeds()) {
        follow(one, judged.problems().isEmpty());
      }
    } catch (IOException e) {
      LOG.warn("feeds are not judged today, the kept sessions cannot be read: {}", e.getMessage());
    }
  }

  /**
   * Takes the step that the evidence asks for, unless a person changed something meanwhile.
   *
   * @param complete the evidence has no hole; a step back needs less
   */
  private synchronized void follow(Judged judged, boolean complete) {
    FeedScore score = judged.score();
    NextAction next = judged.next();
    FeedPromotion known = known(score.feed()).orElse(null);
    Action to = next.to();
    if (known == null || !known.equals(score.promotion()) || known.to() != score.action()) {
      return;
    }
    Step step =
        to == null ? null : new Step(score.action(), to, clock.instant(), next.figures(score));
    if (!known.auto()) {
      advise(score.feed(), known, next.stepBack() ? step : null);
    } else if (step != null && (next.stepBack() || (next.ready() && complete))) {
      take(score.feed(), known, step);
    }
  }

  private void take(String feed, FeedPromotion known, Step step) {
    if (!put(feed, known.after(step))) {
      return;
    }
    String what = step.from().key() + " to " + step.to().key() + ": " + step.why();
    if (step.isBack()) {
      LOG.error("feed {} was STEPPED BACK from {}", feed, what);
    } else {
      LOG.warn("feed {} was PROMOTED from {}", feed, what);
    }
    note(AUTHOR, feed + " from " + what);
  }

  /** A person wrote the action: the alarm stays until the person, or time, ends it. */
  private void advise(String feed, FeedPromotion known, @Nullable Step step) {
    Step before = known.advised();
    if (step == null ? before == null : before != null && before.why().equals(step.why())) {
      return;
    }
    if (put(feed, known.advising(step)) && step != null) {
      LOG.error("feed {} should STEP BACK to {}: {}", feed, step.to().key(), step.why());
    }
  }

  private Optional<FeedPromotion> known(String feed) {
    return lists.promotions().of(feed);
  }

  private void keep(String feed, @Nullable FeedPromotion promotion) throws IOException {
    lists.promotions().put(feed, promotion);
    changed.accept(lists.settings());
  }

  private boolean put(String feed, FeedPromotion promotion) {
    try {
      keep(feed, promotion);
      return true;
    } catch (IOException e) {
      LOG.error("feed {} keeps its action, the step cannot be written: {}", feed, e.getMessage());
      return false;
    }
  }

  private boolean note(String author, String subject) {
    try {
      lists.operator().note(new OperatorLists.Origin(author, "feeds promote"), subject);
      return true;
    } catch (OperatorListsException e) {
      LOG.error("feeds promote {} by {} is not in the audit: {}", subject, author, e.getMessage());
      return false;
    }
  }

  /**
   * Lets evidence move a feed from now on; asked again, the alarm about its last step ends.
   *
   * @param action in force
   * @return true when it is in the audit too
   * @throws IOException when it is not on the disk; nothing has changed then
   */
  public synchronized boolean begin(String feed, Action action, String by) throws IOException {
    FeedPromotion known = known(feed).orElse(null);
    Instant now = clock.instant();
    keep(
        feed,
        known == null
            ? FeedPromotion.asked(true, by, now, lists.promotions().source(feed), action)
            : known.accepted(by, now));
    asked = true;
    LOG.info("feed {} may be promoted by its evidence, asked for by {}", feed, by);
    return note(by, feed + " --auto");
  }

  /** Takes that back: the action of the settings counts. As {@link #begin}. */
  public synchronized boolean end(String feed, String by) throws IOException {
    keep(feed, null);
    LOG.info("feed {} is not promoted by its evidence any more, asked for by {}", feed, by);
    return note(by, feed + " --no-auto");
  }

  /** A person wrote this action into the settings file; a reload uses it. As {@link #begin}. */
  public synchronized boolean applied(String feed, Action action, String by) throws IOException {
    boolean auto = known(feed).filter(FeedPromotion::auto).isPresent();
    keep(
        feed,
        FeedPromotion.asked(auto, by, clock.instant(), lists.promotions().source(feed), action));
    asked = true;
    return note(by, feed + " to " + action.key());
  }

  /**
   * Makes the sentences of {@code status} about promoted feeds. Made of what is stored, so that a
   * restart loses none of it; any thread.
   */
  public static final class PromotionNotices {

    /**
     * The time for which a promotion is an alarm; a step back is one for {@code
     * promotion.step_back}.
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
      return ("feed %1$s was %2$s from %3$s to %4$s at %5$s: %6$s; `bloomgate feeds promote %1$s"
              + " --auto` accepts it, `bloomgate feeds promote %1$s --no-auto` goes back to the"
              + " action of the settings")
          .formatted(
              feed,
              step.isBack() ? "stepped back" : "promoted",
              step.from().key(),
              step.to().key(),
              step.at(),
              step.why());
    }

    private static String advised(String feed, Step step) {
      return ("feed %1$s should step back from %2$s to %3$s: %4$s; write `action: %3$s` into the"
              + " settings, or `bloomgate feeds promote %1$s --auto` lets evidence move it;"
              + " `bloomgate feeds promote %1$s --no-auto` ends this alarm")
          .formatted(feed, step.from().key(), step.to().key(), step.why());
    }
  }
}
