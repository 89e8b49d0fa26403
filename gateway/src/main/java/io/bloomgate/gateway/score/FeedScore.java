package io.bloomgate.gateway.score;

import io.bloomgate.config.json.JsonValue;
import io.bloomgate.config.json.JsonValue.JsonArray;
import io.bloomgate.config.json.JsonValue.JsonObject;
import io.bloomgate.config.settings.Action;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The scorecard of one feed. Numbers are sessions where nothing else is said. Immutable; made by
 * {@link FeedScores}.
 *
 * @param since begin of the time that is counted
 * @param sessions all of the time
 * @param accepted of these, sessions with accepted mail that no list refused
 * @param hits that the feed listed
 * @param alone of these, those that no other feed listed
 * @param shared the feeds that list most of the hits too, the most first
 * @param acceptedHits of the hits, those with accepted mail
 * @param acceptedSenders distinct senders of that mail, a network with a domain
 * @param goodNetworks networks of these with accepted mail of {@code promotion.good_network}
 *     sessions
 * @param laterAllowed allow entries for what the feed had listed before
 * @param lastAllowed when the last of these was made
 * @param watchedSince the first hit with the action of now, or a stronger one
 * @param watchedSessions all sessions since then
 * @param daysStale since the last successful check; {@code null} for never, and for DNS lists
 * @param entries that are live; {@code null} for a DNS list
 */
record FeedScore(
    String feed,
    Action action,
    Instant since,
    long sessions,
    long accepted,
    long hits,
    long alone,
    List<Shared> shared,
    long acceptedHits,
    long acceptedSenders,
    long goodNetworks,
    long laterAllowed,
    @Nullable Instant lastAllowed,
    @Nullable Instant watchedSince,
    long watchedSessions,
    @Nullable Long daysStale,
    @Nullable Long entries) {

  /** Another feed, and how many of the hits it has too. */
  record Shared(String feed, long sessions) {}

  FeedScore {
    shared = List.copyOf(shared);
  }

  /** One line of {@code feeds score -o json}. */
  JsonObject toJson(NextAction next) {
    return JsonValue.object()
        .put("feed", feed)
        .put("action", word(action))
        .put("since", since.toString())
        .put("sessions", sessions)
        .put("hits", hits)
        .put("only_here", alone)
        .put("shared", new JsonArray(shared.stream().map(this::toJson).toList()))
        .put("accepted_hits", acceptedHits)
        .put("accepted_senders", acceptedSenders)
        .put("good_networks", goodNetworks)
        .put("later_allowed", laterAllowed)
        .put("last_allowed", text(lastAllowed))
        .put("watched_since", text(watchedSince))
        .put("watched_sessions", watchedSessions)
        .put("days_stale", number(daysStale))
        .put("entries", number(entries))
        .put("next", next.to() == null ? null : word(next.to()))
        .put("ready", next.ready())
        .put("step_back", next.stepBack())
        .put("reasons", JsonValue.ofStrings(next.reasons()))
        .put("advice", next.advice(this))
        .build();
  }

  private JsonValue toJson(Shared other) {
    return JsonValue.object()
        .put("feed", other.feed)
        .put("sessions", other.sessions)
        .put("percent", Math.round(100.0 * other.sessions / hits))
        .build();
  }

  private static @Nullable String text(@Nullable Instant time) {
    return time == null ? null : time.toString();
  }

  private static JsonValue number(@Nullable Long number) {
    return number == null ? JsonValue.NULL : JsonValue.of(number);
  }

  static String word(Action action) {
    return action.name().toLowerCase(Locale.ROOT);
  }
}
