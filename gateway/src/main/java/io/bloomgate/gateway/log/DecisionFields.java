package io.bloomgate.gateway.log;

import io.bloomgate.blocklists.campaign.Bulk;
import io.bloomgate.blocklists.sessions.Evidence;
import io.bloomgate.config.json.JsonValue;
import io.bloomgate.config.json.JsonValue.JsonObject;
import io.bloomgate.config.settings.LogSettings.Privacy;
import io.bloomgate.gateway.smtp.Reply;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Names the fields of what is written of a decision, the same for kv lines, JSON lines and {@code
 * tail}: the documented names of a line, where {@code sessions} has others. Texts are escaped and
 * shortened. Pure; called by {@link DecisionLine} and {@link TailHub} on any thread.
 */
final class DecisionFields {

  private DecisionFields() {}

  /**
   * The fields in their documented order; fields that are added go around them.
   *
   * @param connection with the id of the connection
   */
  static JsonObject of(DecisionRecord record, Privacy privacy, boolean connection) {
    Evidence written = DecisionEvidence.of(record, privacy);
    Evidence.Decision decision = written.decision();
    Optional<Evidence.Listing> listing = deciding(record, written);
    JsonValue.ObjectBuilder fields =
        JsonValue.object()
            .put("ts", written.at().toString())
            .put("event", event(record))
            .put("verdict", record.verdictWord())
            .put("stage", decision.stage().key())
            .put("client_ip", written.client().toString())
            .put("helo", LogText.value(written.helo()))
            .put("from", from(written))
            .put(
                "to",
                JsonValue.ofStrings(
                    record.to().stream().map(to -> LogText.address(to, privacy)).toList()))
            .put("feed", listing.map(each -> LogText.value(each.list())).orElse(null))
            .put("entry", listing.map(each -> LogText.value(each.entry())).orElse(null))
            .put("generation", decision.generation())
            .put("code", record.reply().code())
            .put("enhanced", record.reply().enhanced())
            .put("id", decision.id())
            .put("size", written.sizeOctets())
            .put("ms", written.took().toMillis())
            .put("outcome", decision.outcome().key())
            .put("mode", decision.mode().key())
            .put("proto", LogText.value(written.protocol()));
    seldom(written).forEach(fields::put);
    if (written.times() > 1) {
      fields.put("count", written.times());
    }
    if (!record.quoted().isEmpty()) {
      fields.put("incident", String.join(",", record.quoted()));
    }
    if (connection) {
      fields.put("connection", written.more().connection());
    }
    return fields.build();
  }

  /** The fields of a connection that ended. */
  static JsonObject of(ConnectionEnd end, Privacy privacy) {
    return JsonValue.object()
        .put("ts", end.time().toString())
        .put("event", "connection")
        .put("client_ip", end.client().toString())
        .put("helo", LogText.value(LogText.maskEntry(end.helo(), privacy)))
        .putAll(ending(end))
        .build();
  }

  /** Returns the fields that say how it ended; a reply of ours other than that to QUIT is named. */
  static JsonObject ending(ConnectionEnd end) {
    JsonValue.ObjectBuilder fields =
        JsonValue.object().put("connection", end.id()).put("end", end.how());
    Reply last = end.last();
    if (last != null && !end.isQuit()) {
      fields.put("code", last.code()).put("enhanced", last.enhanced());
    }
    return fields.put("transactions", end.transactions()).put("ms", end.took().toMillis()).build();
  }

  /**
   * The listing that decided; none where a check failed, whatever was listed beside it. For mail
   * that passed, the strongest listing that was only observed.
   */
  static Optional<Evidence.Listing> deciding(DecisionRecord record, Evidence written) {
    return DecisionEvidence.deciding(record.verdict()).flatMap(_ -> written.decision().deciding());
  }

  /**
   * The profile of the recipient and its entry, as one word: {@code off(quiet.example)}, or {@code
   * off(quiet.example,r3)} by command.
   */
  static Map<String, String> profile(Evidence written) {
    String profile = written.more().profile();
    String word = profile.substring(0, profile.indexOf(')') + 1);
    return word.isEmpty() ? Map.of() : Map.of("profile", LogText.value(word.replace(" ", "")));
  }

  /** Fields that few lines have: why mail passed, profile of the recipient, copies of the mail. */
  static Map<String, String> seldom(Evidence written) {
    Map<String, String> fields = new LinkedHashMap<>();
    written.more().passed().forEach((name, value) -> fields.put(name, LogText.value(value)));
    fields.putAll(profile(written));
    Bulk bulk = written.more().bulk();
    if (bulk != null) {
      fields.put("bulk", bulk.toString());
      fields.put("campaign", bulk.campaign());
    }
    return fields;
  }

  /**
   * {@code verdict} where lists decided; other events have other names, so that a ban rule on
   * {@code event=verdict verdict=reject} never sees mail that passed in mode observe.
   */
  private static String event(DecisionRecord record) {
    return switch (record.outcome()) {
      case REFUSED -> "verdict";
      case WOULD_REFUSE -> "verdict_warning";
      case PROTOCOL, TURNED_AWAY -> "protocol";
      case DELIVERED, UPSTREAM_REFUSED, UPSTREAM_FAILED, UNKNOWN, ABANDONED, DROPPED -> "message";
    };
  }

  /** {@code <>} for the null reverse-path; it cannot be forged, since both signs are escaped. */
  private static @Nullable String from(Evidence written) {
    String from = written.from();
    return from == null ? null : from.isEmpty() ? "<>" : LogText.value(from);
  }
}
