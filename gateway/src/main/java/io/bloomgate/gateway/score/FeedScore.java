package io.bloomgate.gateway.score;

import io.bloomgate.blocklists.score.FeedPromotion;
import io.bloomgate.config.json.JsonRecords;
import io.bloomgate.config.json.JsonRecords.Named;
import io.bloomgate.config.json.JsonValue;
import io.bloomgate.config.json.JsonValue.JsonObject;
import io.bloomgate.config.settings.Action;
import java.time.Instant;
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
      @Nullable Instant lastAllowed) {
    Counts {
      shared = List.copyOf(shared);
    }
  }

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
}
