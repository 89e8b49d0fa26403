package io.bloomgate.blocklists.explain;

import io.bloomgate.blocklists.decision.DnsListing;
import io.bloomgate.blocklists.decision.Ground;
import io.bloomgate.blocklists.decision.Join;
import io.bloomgate.blocklists.explain.Explanation.Bloom;
import io.bloomgate.blocklists.explain.Explanation.Line;
import io.bloomgate.blocklists.guard.FirstListed;
import io.bloomgate.blocklists.index.Listing;
import io.bloomgate.blocklists.index.RangeTally;
import io.bloomgate.blocklists.operator.OperatorEntry;
import io.bloomgate.blocklists.refresh.ListingOrigin;
import io.bloomgate.config.json.JsonValue;
import io.bloomgate.config.json.JsonValue.JsonArray;
import io.bloomgate.config.json.JsonValue.JsonObject;
import io.bloomgate.config.name.DomainName;
import io.bloomgate.config.name.Fingerprint;
import io.bloomgate.config.name.IpPrefix;
import io.bloomgate.config.name.Likeness;
import io.bloomgate.config.name.MailAddress;
import io.bloomgate.config.name.Subject;
import io.bloomgate.config.name.WebUrl;
import io.bloomgate.config.settings.Check;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An {@link Explanation} as JSON (contract, section 7). Members beyond the contract's, which may
 * only be added to: {@code kind}, {@code weakness}, {@code pardon}, {@code since_at_least}, {@code
 * until}, {@code version} and {@code reference} of a listing, {@code id} of the allow entry, {@code
 * notes}. Pure.
 */
final class ExplanationJson {

  private ExplanationJson() {}

  static JsonObject of(Explanation explanation) {
    JsonValue.ObjectBuilder json = JsonValue.object();
    json.put("subject", explanation.subject())
        .put("kind", explanation.kind().key())
        .put("verdict", explanation.verdict().key())
        .put("stage", explanation.stage().key())
        .put("mode", word(explanation.mode()))
        .put("generation", explanation.verdict().evidence().generation())
        .put("offline", explanation.offline());
    if (explanation.at() != null) {
      json.put("at", text(explanation.at()));
    }
    json.put(
            "listings",
            array(
                explanation.listings().stream()
                    .map(line -> of(line, explanation.at() != null))
                    .toList()))
        .put("bloom", of(explanation.bloom()));
    if (explanation.range() != null) {
      json.put("range", of(explanation.range()));
    }
    return json.put("allow", of(explanation.allow()))
        .put("undo", explanation.undo())
        .put("undo_wider", wider(explanation))
        .put("incident", JsonValue.NULL) // named by the answer about one
        .put("notes", JsonValue.ofStrings(explanation.notes()))
        .build();
  }

  private static JsonArray wider(Explanation explanation) {
    return new JsonArray(
        explanation.steps().stream()
            .skip(1)
            .map(step ->
                (JsonValue)
                    JsonValue.object()
                        .put("command", step.command())
                        .put("lifts", step.lifts())
                        .build())
            .toList());
  }

  static JsonValue of(Line line, boolean past) {
    Ground.Exact ground = line.ground();
    JsonValue.ObjectBuilder listing =
        JsonValue.object()
            .put("feed", ground.source())
            .put("entry", ground.entry())
            .put("line", line(ground.line()))
            .put("since", text(line.since()))
            .put("action", word(Join.action(ground)))
            .put("kind", ground.check().key());
    origin(listing, line.origin(), past);
    weakness(listing, ground);
    if (ground instanceof Ground.ByDns(DnsListing answer, var ignored)) {
      listing.put("dns", dns(answer));
    }
    if (ground instanceof Ground.RuleMet met) {
      listing.put("rule", rule(met));
    }
    if (ground instanceof Ground.Blocked blocked) {
      listing.put("id", blocked.block().id()).put("reason", blocked.block().reason());
    }
    return listing
        .put("pardon", line.pardon() == null ? null : GroundText.why(line.pardon()))
        .build();
  }

  private static void weakness(JsonValue.ObjectBuilder listing, Ground.Exact ground) {
    Ground.Weakness weakness =
        switch (ground) {
          case Ground.OfList listed -> listed.weakness();
          case Ground.RuleMet met -> met.weakness();
          case Ground.Blocked blocked -> blocked.weakness();
        };
    if (weakness != Ground.Weakness.NONE) {
      listing.put("weakness", weakness.word());
    }
  }

  private static JsonValue dns(DnsListing answer) {
    return JsonValue.object()
        .put("zone", answer.zone())
        .put("answer", answer.answer().toString())
        .put("ttl_s", answer.ttl().toSeconds())
        .put("at", answer.at().toString())
        .build();
  }

  /** How many lists the rule needs, and which of them list the session. */
  private static JsonValue rule(Ground.RuleMet met) {
    return JsonValue.object()
        .put("needed", met.needed())
        .put(
            "counted",
            JsonValue.ofStrings(met.counted().stream().map(Ground.OfList::source).toList()))
        .build();
  }

  /** Members beyond the contract's: where {@code since} is a bound, version and reference. */
  private static void origin(
      JsonValue.ObjectBuilder listing, @Nullable ListingOrigin origin, boolean past) {
    if (origin == null) {
      return;
    }
    listing.put("since_at_least", origin.atLeast());
    if (past) {
      listing.put("until", text(origin.until()));
    }
    FirstListed.Version version = origin.version();
    if (version != null) {
      listing.put(
          "version",
          JsonValue.object()
              .put("number", version.number())
              .put("fetched", version.fetched().toString())
              .put("sha256", version.sha256())
              .build());
    }
    listing.put("reference", origin.reference());
  }

  private static JsonValue of(RangeTally range) {
    return JsonValue.object()
        .put("inside", range.insideAll())
        .put("around", range.aroundAll())
        .put("inside_by_feed", counts(range.inside()))
        .put("around_by_feed", counts(range.around()))
        .put("first", array(range.first().stream().map(ExplanationJson::of).toList()))
        .build();
  }

  private static JsonObject counts(Map<String, Long> byFeed) {
    JsonValue.ObjectBuilder counts = JsonValue.object();
    byFeed.forEach(counts::put);
    return counts.build();
  }

  private static JsonValue of(Listing beside) {
    return JsonValue.object()
        .put("feed", beside.feed())
        .put("entry", beside.entry().text())
        .put("line", line(beside.entry().line()))
        .build();
  }

  /** Null where there is none, or it was not kept. */
  private static JsonValue line(int line) {
    return line == 0 ? JsonValue.NULL : JsonValue.of(line);
  }

  private static JsonValue of(Bloom bloom) {
    JsonValue.ObjectBuilder json =
        JsonValue.object()
            .put("filter", bloom.filter())
            .put("hit", bloom.hit())
            .put("confirmed", bloom.confirmed());
    if (!bloom.beside().isEmpty()) {
      json.put("out_of_reach", array(bloom.beside().stream().map(ExplanationJson::of).toList()));
    }
    return json.build();
  }

  static JsonValue of(@Nullable OperatorEntry allow) {
    if (allow == null) {
      return JsonValue.NULL;
    }
    return JsonValue.object()
        .put("entry", allow.subject().toString())
        .put("kind", kind(allow.subject()).key())
        .put("reason", allow.reason())
        .put("expires", text(allow.expires()))
        .put("author", allow.author())
        .put("id", allow.id())
        .build();
  }

  /** The check of a subject when the question names none. */
  static Check kind(@Nullable Subject subject) {
    return switch (subject) {
      case null -> Check.BODY;
      case IpPrefix ignored -> Check.CLIENT_IP;
      case DomainName ignored -> Check.SENDER_DOMAIN;
      case MailAddress ignored -> Check.SENDER;
      case WebUrl ignored -> Check.URL;
      case Fingerprint ignored -> Check.ATTACHMENT;
      case Likeness ignored -> Check.BODY;
    };
  }

  private static @Nullable String text(@Nullable Instant time) {
    return time == null ? null : time.toString();
  }

  private static String word(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }

  private static JsonValue array(List<JsonValue> values) {
    return new JsonArray(values);
  }
}
