package io.bloomgate.gateway.incidents;

import io.bloomgate.blocklists.decision.Ground;
import io.bloomgate.blocklists.decision.Verdict;
import io.bloomgate.config.json.JsonValue;
import io.bloomgate.config.json.JsonValue.JsonObject;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.settings.LogSettings.Privacy;
import io.bloomgate.gateway.log.DecisionFields;
import io.bloomgate.gateway.log.DecisionRecord;
import io.bloomgate.gateway.log.LogText;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The record of a decision that a sender may ask about. Immutable; texts as they came from outside,
 * addresses shortened as {@code log.privacy} asks.
 *
 * @param verdict of mode enforce; empty when a rule of the protocol refused
 * @param from {@code null} before MAIL, empty for the null reverse-path
 * @param to the first recipient, empty when none
 * @param recipients number of recipients
 * @param check what was compared; empty like all of the listing's fields when no list decided
 * @param line of the entry in the feed, 0 for operator entries
 * @param action what the feed asked for
 * @param times how many decisions of the same kind the client's network got with this id ({@link
 *     RecordPaces})
 */
public record Incident(
    String id,
    Instant time,
    String stage,
    String verdict,
    String mode,
    String outcome,
    IpAddress client,
    String helo,
    @Nullable String from,
    String to,
    int recipients,
    String reply,
    long generation,
    String check,
    String subject,
    String feed,
    String entry,
    int line,
    String action,
    int times) {

  /** Octets of an incident's objects without its long texts. */
  private static final long OBJECT_OCTETS = 600;

  /** About how much memory it takes while it waits to be written. */
  long octets() {
    int sender = from == null ? 0 : from.length();
    return OBJECT_OCTETS
        + helo.length()
        + sender
        + to.length()
        + reply.length()
        + subject.length()
        + entry.length();
  }

  /** True when a client got the id of this decision together with a refusal. */
  static boolean worthKeeping(DecisionRecord record) {
    return switch (record.outcome()) {
      case REFUSED, WOULD_REFUSE, UNKNOWN -> true;
      case DELIVERED, UPSTREAM_REFUSED, UPSTREAM_FAILED, ABANDONED ->
          record.verdict() != null && !(record.verdict() instanceof Verdict.Accept);
      case PROTOCOL, TURNED_AWAY -> record.verdict() != null;
    };
  }

  /** The incident of a decision. */
  static Incident of(DecisionRecord record, Privacy privacy) {
    Verdict verdict = record.verdict();
    Optional<Ground.Exact> ground = DecisionFields.deciding(verdict);
    String from = record.from();
    return new Incident(
        record.id(),
        record.time(),
        record.stage().key(),
        verdict == null ? "" : verdict.key(),
        record.mode().name().toLowerCase(Locale.ROOT),
        record.outcome().key(),
        record.client(),
        record.helo(),
        from == null ? null : LogText.mask(from, privacy),
        record.to().isEmpty() ? "" : LogText.mask(record.to().getFirst(), privacy),
        record.to().size(),
        LogText.maskInside(record.reply().toString(), privacy),
        verdict == null ? 0 : verdict.evidence().generation(),
        ground.map(g -> g.check().key()).orElse(""),
        ground.map(g -> LogText.maskEntry(g.subject().toString(), privacy)).orElse(""),
        ground.map(Ground.Exact::source).orElse(""),
        ground.map(g -> LogText.maskEntry(g.entry(), privacy)).orElse(""),
        ground.map(Ground.Exact::line).orElse(0),
        ground.map(Incident::actionOf).orElse(""),
        record.times());
  }

  /**
   * False for a text of an incident that {@code log.privacy} masked, or that was too long for its
   * slot: it is not the original text.
   */
  public static boolean isWhole(String text) {
    return !text.equals("*") && !text.startsWith("*@") && !text.endsWith(IncidentSlot.CUT);
  }

  /** The fields that {@code explain} shows of an incident, texts as they came. */
  public JsonObject toJson() {
    JsonValue.ObjectBuilder json =
        JsonValue.object()
            .put("id", id)
            .put("time", time.toString())
            .put("stage", stage)
            .put("verdict", verdict.isEmpty() ? null : verdict)
            .put("mode", mode)
            .put("outcome", outcome)
            .put("client_ip", client.toString())
            .put("helo", helo)
            .put("from", from)
            .put("to", to)
            .put("recipients", recipients)
            .put("reply", reply)
            .put("generation", generation);
    if (times > 1) {
      json.put("count", times);
    }
    if (!feed.isEmpty()) {
      json.put("listing", listing());
    }
    return json.build();
  }

  private JsonObject listing() {
    return JsonValue.object()
        .put("kind", check)
        .put("subject", subject)
        .put("feed", feed)
        .put("entry", entry)
        .put("line", line)
        .put("action", action)
        .build();
  }

  private static String actionOf(Ground.Exact ground) {
    return switch (ground) {
      case Ground.OfList listed -> listed.action().name().toLowerCase(Locale.ROOT);
      case Ground.RuleMet met -> met.action().name().toLowerCase(Locale.ROOT);
      case Ground.Blocked ignored -> "reject";
    };
  }
}
