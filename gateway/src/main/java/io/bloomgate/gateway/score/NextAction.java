package io.bloomgate.gateway.score;

import io.bloomgate.config.settings.Action;
import io.bloomgate.config.settings.Promotion;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The action that a feed may take next by the evidence of its score: observe, tag, reject; or one
 * step back, when the operator allowed what the feed had listed. It advises only. Immutable.
 *
 * @param to {@code null} when it rejects already
 * @param stepBack true when {@code to} is weaker than the action of now
 * @param reasons why not yet, or why a step back; a clause each
 */
record NextAction(@Nullable Action to, boolean stepBack, List<String> reasons) {

  NextAction {
    reasons = List.copyOf(reasons);
  }

  /** Judges a feed by the thresholds of {@code feeds.promotion}. */
  static NextAction of(FeedScore score, Promotion asked, Instant now) {
    boolean wasAllowed =
        score.lastAllowed() != null && !score.lastAllowed().isBefore(now.minus(asked.stepBack()));
    List<String> reasons = new ArrayList<>();
    if (wasAllowed) {
      reasons.add(count(score.laterAllowed(), "allow entry", "allow entries") + " came after hits");
    }
    return switch (score.action()) {
      case TRUST -> new NextAction(null, false, List.of("a list of good senders"));
      case OBSERVE -> {
        watch(score, asked.observe(), asked.sessions(), now, reasons);
        networks(score, asked, reasons);
        yield new NextAction(Action.TAG, false, reasons);
      }
      case TAG, GREYLIST, TEMPFAIL -> {
        if (wasAllowed) {
          Action back = score.action() == Action.TAG ? Action.OBSERVE : Action.TAG;
          yield new NextAction(back, true, reasons);
        }
        watch(score, asked.reject(), asked.sessions(), now, reasons);
        networks(score, asked, reasons);
        rate(score, asked, reasons);
        yield new NextAction(Action.REJECT, false, reasons);
      }
      case REJECT -> new NextAction(wasAllowed ? Action.TAG : null, wasAllowed, reasons);
    };
  }

  private static void watch(
      FeedScore score, Duration time, int sessions, Instant now, List<String> reasons) {
    Instant since = score.watchedSince();
    if (since == null) {
      reasons.add("it listed nothing yet");
      return;
    }
    if (since.isAfter(now.minus(time))) {
      reasons.add(
          "its first listing is %d days old, %d are needed"
              .formatted(Duration.between(since, now).toDays(), time.toDays()));
    }
    if (score.watchedSessions() < sessions) {
      reasons.add(
          "%s of %s sessions were seen since then"
              .formatted(grouped(score.watchedSessions()), grouped(sessions)));
    }
  }

  private static void networks(FeedScore score, Promotion asked, List<String> reasons) {
    if (score.goodNetworks() > 0) {
      reasons.add(
          "it lists %s with %d or more accepted sessions"
              .formatted(count(score.goodNetworks(), "network", "networks"), asked.goodNetwork()));
    }
  }

  private static void rate(FeedScore score, Promotion asked, List<String> reasons) {
    if (score.acceptedHits() * Promotion.ACCEPTED_SESSIONS
        > asked.maxAcceptedHits() * score.accepted()) {
      reasons.add(
          "it lists %s of %s accepted sessions, at most %d of %s may be"
              .formatted(
                  grouped(score.acceptedHits()),
                  grouped(score.accepted()),
                  asked.maxAcceptedHits(),
                  grouped(Promotion.ACCEPTED_SESSIONS)));
    }
  }

  /** True when the feed may act more strongly. */
  boolean ready() {
    return to != null && !stepBack && reasons.isEmpty();
  }

  /** A sentence for a person. */
  String advice(FeedScore score) {
    String why = String.join("; ", reasons);
    if (stepBack && to != null) {
      return "STEP BACK to " + FeedScore.word(to) + ": " + why;
    }
    String keeps =
        "keeps %s of its %s alone"
            .formatted(grouped(score.alone()), count(score.hits(), "hit", "hits"));
    if (to == null) {
      return reasons.isEmpty() ? keeps : why;
    }
    if (reasons.isEmpty()) {
      return keeps + "; ready for " + FeedScore.word(to);
    }
    String look =
        score.acceptedSenders() == 0
            ? ""
            : "; hits %s: look at `bloomgate sessions list --feed %s --verdict accept`"
                .formatted(
                    count(score.acceptedSenders(), "accepted sender", "accepted senders"),
                    score.feed());
    return "not ready for " + FeedScore.word(to) + ": " + why + look;
  }

  private static String count(long number, String one, String many) {
    return grouped(number) + " " + (number == 1 ? one : many);
  }

  private static String grouped(long number) {
    return String.format(Locale.ROOT, "%,d", number).replace(',', ' ');
  }
}
