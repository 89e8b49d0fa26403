package io.bloomgate.gateway.admin;

import io.bloomgate.blocklists.explain.Explanation;
import io.bloomgate.blocklists.sessions.KeptDecision;
import io.bloomgate.blocklists.sessions.KeptListing;
import io.bloomgate.blocklists.sessions.KeptSession;
import io.bloomgate.config.json.JsonValue;
import io.bloomgate.config.json.JsonValue.JsonArray;
import io.bloomgate.config.json.JsonValue.JsonObject;
import io.bloomgate.config.settings.Rule;
import io.bloomgate.config.settings.Settings;
import io.bloomgate.config.settings.Sign;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What lists said of a kept session, as {@code explain} shows it: feeds' entries, answers of DNS
 * lists, signs, rules and entries of the operator. Pure; called by {@link ExplainHandler}.
 *
 * @param settings those of now; a list that they no longer name is taken for a feed
 * @param then the answer by the lists of that moment, if they are known
 * @param now the answer by the lists of now
 */
record IncidentListings(
    KeptSession session, Settings settings, Optional<Explanation> then, Optional<Explanation> now) {

  private static final String OPERATOR = "operator";

  static boolean isBlock(KeptSession session) {
    return session
        .decision()
        .deciding()
        .filter(listing -> listing.list().equals(OPERATOR))
        .isPresent();
  }

  /** The listings, as the members of contract, section 7, have them. */
  JsonValue json() {
    List<JsonValue> all = new ArrayList<>();
    session.decision().listings().forEach(listing -> all.add(json(listing)));
    return new JsonArray(all);
  }

  private JsonValue json(KeptListing listing) {
    Optional<Explanation.Line> known = line(listing);
    JsonValue.ObjectBuilder json =
        JsonValue.object()
            .put("feed", listing.list())
            .put("entry", listing.entry())
            .put("line", listing.line() > 0 ? JsonValue.of(listing.line()) : JsonValue.NULL)
            .put("since", known.map(line -> EntryJson.text(line.since())).orElse(null))
            .put("action", listing.action().name().toLowerCase(Locale.ROOT))
            .put("kind", listing.check().key());
    known.ifPresent(line -> {
      json.put("since_at_least", line.sinceAtLeast());
      if (line.until() != null) {
        json.put("until", EntryJson.text(line.until()));
      }
    });
    Rule rule = settings.rules().get(listing.list());
    if (rule != null && KeptSession.isWhole(listing.entry())) {
      json.put(
          "rule",
          JsonValue.object()
              .put("needed", rule.needed())
              .put("counted", JsonValue.ofStrings(counted(listing)))
              .build());
    }
    return json.put("pardon", listing.pardon().isEmpty() ? null : listing.pardon()).build();
  }

  /** The entry of a rule names the lists that counted. */
  private static List<String> counted(KeptListing listing) {
    return List.of(listing.entry().split(",", -1));
  }

  /**
   * What is known of an entry that listed the session: since when a feed and the operator say. A
   * feed may have dropped the entry and listed it again since, which says nothing of then.
   */
  private Optional<Explanation.Line> line(KeptListing listing) {
    return Stream.concat(
            then.stream().flatMap(answer -> answer.listings().stream()),
            now.stream().flatMap(answer -> answer.listings().stream()))
        .filter(line -> line.ground().source().equals(listing.list()))
        .filter(line -> line.ground().entry().equals(listing.entry()))
        .filter(line -> line.since() == null || !line.since().isAfter(session.at()))
        .findFirst();
  }

  /** An exact listing of a feed is only found after a hit of its filter. */
  JsonObject bloom() {
    KeptDecision decision = session.decision();
    // One that an allow entry lifted was found in the same way.
    Optional<KeptListing> deciding =
        decision.deciding().or(() -> decision.listings().stream().findFirst());
    boolean confirmed = deciding.filter(this::isConfirmed).isPresent();
    return JsonValue.object()
        .put(
            "filter",
            Explanation.Bloom.filterOf(
                deciding.map(listing -> listing.check().key()).orElse(""),
                deciding.map(KeptListing::subject).orElse("")))
        .put("hit", confirmed)
        .put("confirmed", confirmed)
        .build();
  }

  private boolean isConfirmed(KeptListing listing) {
    return settings.rules().containsKey(listing.list())
        ? counted(listing).stream().anyMatch(this::isFeed)
        : isFeed(listing.list());
  }

  private boolean isFeed(String list) {
    return !list.isEmpty()
        && !list.equals(OPERATOR)
        && Arrays.stream(Sign.values()).noneMatch(sign -> sign.key().equals(list))
        && !settings.feeds().dnsLists().containsKey(list);
  }
}
