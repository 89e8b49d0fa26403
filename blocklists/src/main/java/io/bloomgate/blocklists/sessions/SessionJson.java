package io.bloomgate.blocklists.sessions;

import io.bloomgate.blocklists.campaign.Bulk;
import io.bloomgate.blocklists.decision.ClientName;
import io.bloomgate.blocklists.decision.ContentKey;
import io.bloomgate.blocklists.decision.Ground;
import io.bloomgate.config.json.JsonValue;
import io.bloomgate.config.json.JsonValue.JsonArray;
import io.bloomgate.config.json.JsonValue.JsonObject;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * A kept session as JSON, for {@code explain ID} and {@code sessions}: texts as they came. Pure.
 */
public final class SessionJson {

  private SessionJson() {}

  /** The same with the copies of its mail. */
  public static JsonObject of(KeptSession session, Optional<Bulk> bulk) {
    JsonObject whole = of(session);
    if (bulk.isEmpty()) {
      return whole;
    }
    JsonValue.ObjectBuilder json = JsonValue.object();
    whole.members().forEach(json::put);
    return json.put(
            "bulk",
            JsonValue.object()
                .put("campaign", bulk.get().campaign())
                .put("copies", bulk.get().copies())
                .put("networks", bulk.get().networks())
                .build())
        .build();
  }

  /** All that is known of a session; {@code listing} is the one that decided. */
  public static JsonObject of(KeptSession session) {
    KeptDecision decision = session.decision();
    JsonValue.ObjectBuilder json =
        JsonValue.object()
            .put("id", decision.id().isEmpty() ? null : decision.id())
            .put("time", session.at().toString())
            .put("stage", decision.stage().key())
            .put("verdict", decision.verdict().isEmpty() ? null : decision.verdict())
            .put("mode", decision.mode().name().toLowerCase(Locale.ROOT))
            .put("outcome", decision.outcome().key())
            .put("client_ip", session.client().toString())
            .put("helo", session.helo())
            .put("from", session.from())
            .put("to", decision.to())
            .put("recipients", session.recipients())
            .put("reply", decision.reply())
            .put("generation", decision.generation());
    if (session.times() > 1) {
      json.put("count", session.times());
    }
    if (session.refusedToo()) {
      json.put("refused_too", true);
    }
    decision.deciding().ifPresent(listing -> json.put("listing", of(listing)));
    List<KeptListing> others = decision.others();
    if (!others.isEmpty()) {
      json.put("other_listings", new JsonArray(others.stream().map(SessionJson::of).toList()));
    }
    json.put("code", decision.code())
        .put("to_domains", JsonValue.ofStrings(session.domains()))
        .put("protocol", session.protocol())
        .put("front", session.front());
    if (session.name().state() != ClientName.State.UNKNOWN) {
      json.put("client_name", session.name().name())
          .put("client_name_state", session.name().state().name().toLowerCase(Locale.ROOT));
    }
    if (session.early()) {
      json.put("early", true);
    }
    return json.put("size", session.sizeOctets()).put("ms", session.took().toMillis()).build();
  }

  private static JsonValue of(KeptListing listing) {
    JsonValue.ObjectBuilder json =
        JsonValue.object()
            .put("kind", listing.check().key())
            .put("subject", listing.subject())
            .put("feed", listing.list())
            .put("entry", listing.entry())
            .put("line", listing.line())
            .put("action", listing.action().name().toLowerCase(Locale.ROOT));
    if (listing.place() != ContentKey.Place.OPEN) {
      json.put("place", listing.place().word());
    }
    if (listing.exemptAmong()) {
      json.put("weakness", Ground.Weakness.EXEMPT.word());
    }
    if (!listing.counted()) {
      json.put("pardon", listing.pardon());
    }
    return json.build();
  }
}
