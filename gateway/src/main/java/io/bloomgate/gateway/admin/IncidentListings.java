package io.bloomgate.gateway.admin;

import io.bloomgate.blocklists.explain.Explanation;
import io.bloomgate.config.json.JsonValue;
import io.bloomgate.config.json.JsonValue.JsonArray;
import io.bloomgate.config.json.JsonValue.JsonObject;
import io.bloomgate.config.settings.Rule;
import io.bloomgate.config.settings.Settings;
import io.bloomgate.config.settings.Sign;
import io.bloomgate.gateway.incidents.Incident;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What decided an incident, as {@code explain} shows it: a feed's entry, the answer of a DNS list,
 * a sign, a rule or an entry of the operator. Pure; called by {@link ExplainHandler}.
 *
 * @param settings those of now; a list that they no longer name is taken for a feed
 */
record IncidentListings(Incident incident, Settings settings) {

  static boolean isBlock(Incident incident) {
    return incident.feed().equals("operator");
  }

  /** The listing, as the members of contract, section 7, have it; none when no list decided. */
  JsonValue json(Optional<Explanation> now) {
    if (incident.feed().isEmpty()) {
      return new JsonArray(List.of());
    }
    JsonValue.ObjectBuilder listing =
        JsonValue.object()
            .put("feed", incident.feed())
            .put("entry", incident.entry())
            .put("line", incident.line() > 0 ? JsonValue.of(incident.line()) : JsonValue.NULL)
            .put("since", since(now))
            .put("action", incident.action())
            .put("kind", incident.check());
    Rule rule = settings.rules().get(incident.feed());
    if (rule != null && Incident.isWhole(incident.entry())) {
      listing.put(
          "rule",
          JsonValue.object()
              .put("needed", rule.needed())
              .put("counted", JsonValue.ofStrings(counted()))
              .build());
    }
    return new JsonArray(List.of(listing.put("pardon", JsonValue.NULL).build()));
  }

  /** The entry of a rule names the lists that counted. */
  private List<String> counted() {
    return List.of(incident.entry().split(",", -1));
  }

  /** Only a feed and the operator say since when. */
  private @Nullable String since(Optional<Explanation> now) {
    return now.stream()
        .flatMap(explanation -> explanation.listings().stream())
        .filter(line -> line.ground().source().equals(incident.feed()))
        .filter(line -> line.ground().entry().equals(incident.entry()))
        .findFirst()
        .map(line -> EntryJson.text(line.since()))
        .orElse(null);
  }

  /** An exact listing of a feed is only found after a hit of its filter. */
  JsonObject bloom() {
    boolean confirmed =
        settings.rules().containsKey(incident.feed())
            ? counted().stream().anyMatch(this::isFeed)
            : isFeed(incident.feed());
    return JsonValue.object()
        .put("filter", Explanation.Bloom.filterOf(incident.check(), incident.subject()))
        .put("hit", confirmed)
        .put("confirmed", confirmed)
        .build();
  }

  private boolean isFeed(String list) {
    return !list.isEmpty()
        && !isBlock(incident)
        && Arrays.stream(Sign.values()).noneMatch(sign -> sign.key().equals(list))
        && !settings.feeds().dnsLists().containsKey(list);
  }
}
