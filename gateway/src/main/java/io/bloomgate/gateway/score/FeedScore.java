package io.bloomgate.gateway.score;

import io.bloomgate.blocklists.score.FeedPromotion;
import io.bloomgate.config.json.JsonRecords;
import io.bloomgate.config.json.JsonRecords.Named;
import io.bloomgate.config.json.JsonValue;
import io.bloomgate.config.json.JsonValue.JsonObject;
import io.bloomgate.config.notation.Quantities;
import io.bloomgate.config.settings.Action;
import io.bloomgate.config.settings.Promotion;
import io.bloomgate.gateway.score.FeedScore.Watched;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The scorecard of one feed. Immutable; made by {@link FeedScores}.
 *
 * @param action in force
 * @param counts of the kept sessions
 * @param watched for how long the feed was seen with this action
 * @param cost what it costs
 * @param trouble why it may not act more strongly as it is now, a clause; empty for nothing
 * @param promotion what {@code feeds promote} said of it, {@code null} for nothing
 */
record FeedScore(
    String feed,
    Action action,
    Counts counts,
    Watched watched,
    Cost cost,
    String trouble,
    @Nullable FeedPromotion promotion) {

  /** Another feed, and how many of the hits it has too. */
  record Shared(String feed, long sessions, long percent) {}

  /**
   * The counts of a feed. Numbers are sessions where nothing else is said.
   *
   * @param since begin of the time that is counted
   * @param sessions all of the time
   * @param accepted of these, sessions with accepted mail that no list refused; neither here nor in
   *     the following does mail to exempt recipients count as accepted
   * @param hits that the feed listed
   * @param alone of these, those that no other feed listed
   * @param shared the feeds that list most of the hits too, the most first
   * @param acceptedHits of the hits, those with accepted mail
   * @param knownHits of these, those of known senders
   * @param acceptedSenders distinct senders of that mail, a network with a domain
   * @param goodNetworks known networks of these with accepted mail of {@code
   *     promotion.good_network} sessions
   * @param laterAllowed allow entries for what the feed had listed before
   * @param lastAllowed when the last of these was made
   */
  record Counts(
      Instant since,
      long sessions,
      long accepted,
      long hits,
      @Named("only_here") long alone,
      List<Shared> shared,
      long acceptedHits,
      long knownHits,
      long acceptedSenders,
      long goodNetworks,
      long laterAllowed,
      @Nullable Instant lastAllowed) {}

  /**
   * The time for which the feed was seen with the action of now.
   *
   * @param since {@code null} while it does not act
   * @param by what {@code since} is: {@link #ACTION} or {@link #SESSIONS}
   * @param sessions all sessions since then
   */
  record Watched(
      @Named("watched_since") @Nullable Instant since,
      @Named("watched_by") String by,
      @Named("watched_sessions") long sessions) {

    /** The feed was live and got this action then. */
    static final String ACTION = "action";

    /** The oldest session that was read: the feed may have acted so before. */
    static final String SESSIONS = "kept sessions";

    /** A feed that does not act. */
    static final Watched NOT = new Watched(null, ACTION, 0);
  }

  /**
   * The costs of the feed.
   *
   * @param daysStale since the last successful check; {@code null} for never, and for DNS lists
   * @param entries that are live; {@code null} for a DNS list
   * @param fetched octets of the versions that came in the time that is counted; {@code null} for
   *     none that is known, and for files
   * @param memory octets of the live filters and index, its part by entries; {@code null} for a
   *     feed that has none
   */
  record Cost(
      @Nullable Long daysStale,
      @Nullable Long entries,
      @Named("fetched_octets") @Nullable Long fetched,
      @Named("memory_octets") @Nullable Long memory) {}

  /** One line of {@code feeds score -o json}. */
  JsonObject toJson(NextAction next) {
    JsonValue.ObjectBuilder json =
        JsonValue.object()
            .put("feed", feed)
            .put("action", action.key())
            .putAll(JsonRecords.of(counts))
            .putAll(JsonRecords.of(watched))
            .putAll(JsonRecords.of(cost))
            .put("auto", promotion != null && promotion.auto());
    if (promotion != null && promotion.moved()) {
      json.put("settings_action", promotion.settings().key());
    }
    return json.put("next", next.to() == null ? null : next.to().key())
        .put("ready", next.ready())
        .put("step_back", next.stepBack())
        .put("reasons", JsonValue.ofStrings(next.reasons()))
        .put("advice", next.advice(this))
        .build();
  }

  /**
   * The action that a feed may take next by the evidence of its score: observe, tag, reject; or one
   * step back, when the operator allowed what the feed had listed. It judges only. Immutable.
   *
   * @param to {@code null} when it rejects already
   * @param stepBack true when {@code to} is weaker than the action of now
   * @param reasons why not yet, or why a step back; a clause each
   */
  record NextAction(@Nullable Action to, boolean stepBack, List<String> reasons) {

    /** Judges a feed by the thresholds of {@code feeds.promotion}. */
    static NextAction of(FeedScore score, Promotion asked, Instant now) {
      Instant allowed = score.counts().lastAllowed();
      boolean wasAllowed = allowed != null && !allowed.isBefore(now.minus(asked.stepBack()));
      boolean back = wasAllowed && allowed != null && !isAnswered(allowed, score.promotion());
      List<String> reasons = new ArrayList<>();
      if (wasAllowed) {
        reasons.add(
            Quantities.count(score.counts().laterAllowed(), "allow entry", "allow entries")
                + " came after hits"
                + (back ? "" : ", and it was stepped back for that"));
      }
      return switch (score.action()) {
        case TRUST -> new NextAction(null, false, List.of("a list of good senders"));
        case OBSERVE -> {
          watch(score, asked.observe(), asked.sessions(), now, reasons);
          networks(score, asked, reasons);
          yield new NextAction(Action.TAG, false, reasons);
        }
        case TAG, GREYLIST, TEMPFAIL -> {
          if (back) {
            Action weaker = score.action() == Action.TAG ? Action.OBSERVE : Action.TAG;
            yield new NextAction(weaker, true, reasons);
          }
          watch(score, asked.reject(), asked.sessions(), now, reasons);
          networks(score, asked, reasons);
          rate(score, asked, reasons);
          yield new NextAction(Action.REJECT, false, reasons);
        }
        case REJECT -> new NextAction(back ? Action.TAG : null, back, back ? reasons : List.of());
      };
    }

    /** One entry takes a feed one step back, not one step each day. */
    private static boolean isAnswered(Instant allowed, @Nullable FeedPromotion promotion) {
      FeedPromotion.Step last = promotion == null ? null : promotion.last();
      return last != null && last.isBack() && !allowed.isAfter(last.at());
    }

    private static void watch(
        FeedScore score, Duration time, int sessions, Instant now, List<String> reasons) {
      if (!score.trouble().isEmpty()) {
        reasons.add(score.trouble());
      }
      Watched watched = score.watched();
      Instant since = watched.since();
      if (since == null) {
        reasons.add("it does not act yet");
        return;
      }
      if (score.counts().hits() == 0) {
        reasons.add("it listed nothing yet");
      }
      if (since.isAfter(now.minus(time))) {
        String known =
            watched.by().equals(Watched.ACTION)
                ? "it has action " + score.action().key() + " for "
                : "sessions are known of ";
        reasons.add(known + span(Duration.between(since, now)) + ", " + span(time) + " are needed");
      }
      if (watched.sessions() < sessions) {
        reasons.add(
            "%s of %s sessions were seen since then"
                .formatted(Quantities.grouped(watched.sessions()), Quantities.grouped(sessions)));
      }
    }

    private static void networks(FeedScore score, Promotion asked, List<String> reasons) {
      FeedScore.Counts counts = score.counts();
      if (counts.goodNetworks() > 0) {
        reasons.add(
            "it lists %s with %d or more accepted sessions"
                .formatted(
                    Quantities.count(counts.goodNetworks(), "known network", "known networks"),
                    asked.goodNetwork()));
      }
      if (counts.acceptedSenders() >= ScoreScan.MAX_SENDERS) {
        reasons.add("it lists more accepted senders than are looked at");
      }
    }

    private static void rate(FeedScore score, Promotion asked, List<String> reasons) {
      FeedScore.Counts counts = score.counts();
      if (counts.knownHits() * Promotion.ACCEPTED_SESSIONS
          > asked.maxAcceptedHits() * counts.accepted()) {
        reasons.add(
            "it lists %s of %s accepted sessions that are of known senders, at most %d of %s may be"
                .formatted(
                    Quantities.grouped(counts.knownHits()),
                    Quantities.grouped(counts.accepted()),
                    asked.maxAcceptedHits(),
                    Quantities.grouped(Promotion.ACCEPTED_SESSIONS)));
      }
    }

    /** True when the feed may act more strongly. */
    boolean ready() {
      return to != null && !stepBack && reasons.isEmpty();
    }

    /** The figures of a step, a clause for log, audit and alarms. */
    String figures(FeedScore score) {
      if (stepBack) {
        return String.join("; ", reasons);
      }
      FeedScore.Counts counts = score.counts();
      return "%s sessions since %s, %s, %s of %s accepted sessions among them"
          .formatted(
              Quantities.grouped(score.watched().sessions()),
              score.watched().since(),
              Quantities.count(counts.hits(), "hit", "hits"),
              Quantities.grouped(counts.acceptedHits()),
              Quantities.grouped(counts.accepted()));
    }

    /** A sentence for a person. */
    String advice(FeedScore score) {
      FeedScore.Counts counts = score.counts();
      String why = String.join("; ", reasons);
      if (stepBack && to != null) {
        return ("STEP BACK to %1$s: %2$s; write `action: %1$s` into the settings, or `bloomgate"
                + " feeds promote %3$s --auto` lets evidence move it")
            .formatted(to.key(), why, score.feed());
      }
      String keeps =
          counts.hits() == 0
              ? "no hits yet"
              : "keeps %s of its %s alone"
                  .formatted(
                      Quantities.grouped(counts.alone()),
                      Quantities.count(counts.hits(), "hit", "hits"));
      if (to == null) {
        return reasons.isEmpty() ? keeps : why;
      }
      if (reasons.isEmpty()) {
        return keeps + "; ready for " + to.key();
      }
      String look =
          counts.acceptedSenders() == 0
              ? ""
              : "; hits %s: look at `bloomgate sessions list --feed %s`"
                  .formatted(
                      Quantities.count(
                          counts.acceptedSenders(), "accepted sender", "accepted senders"),
                      score.feed());
      return "not ready for " + to.key() + ": " + why + look;
    }

    private static String span(Duration time) {
      return time.toDays() > 0
          ? Quantities.count(time.toDays(), "day", "days")
          : Quantities.count(time.toHours(), "hour", "hours");
    }
  }
}
