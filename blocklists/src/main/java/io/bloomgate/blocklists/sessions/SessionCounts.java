package io.bloomgate.blocklists.sessions;

import io.bloomgate.config.json.JsonValue;
import io.bloomgate.config.json.JsonValue.JsonObject;
import java.time.Instant;

/**
 * How many sessions of a time had which end. Immutable.
 *
 * @param begins the first moment of the time
 * @param accepted the mail server took the mail
 * @param tagged of these, with headers that name a listing
 * @param wouldRefuse of these, mail that only mode observe let pass
 * @param refused by a list, a rule or an operator's entry
 * @param putOff the same for now only
 * @param other refused by the protocol, a limit or the mail server, or given up by the client
 * @param refusedToo of the accepted, sessions in which a list refused another recipient
 */
public record SessionCounts(
    Instant begins,
    long accepted,
    long tagged,
    long wouldRefuse,
    long refused,
    long putOff,
    long other,
    long refusedToo) {

  static SessionCounts of(Instant begins, int bits, long sessions) {
    Outcome outcome = Packed.OUTCOME.value(bits);
    String verdict = Packed.VERDICT.value(bits);
    boolean refuses = verdict != null && KeptDecision.refuses(verdict);
    return switch (outcome) {
      case null -> new SessionCounts(begins, 0, 0, 0, 0, 0, sessions, 0);
      case DELIVERED, UNKNOWN ->
          new SessionCounts(
              begins,
              sessions,
              "tag".equals(verdict) ? sessions : 0,
              refuses ? sessions : 0,
              0,
              0,
              0,
              Boolean.TRUE.equals(Packed.REFUSED_TOO.value(bits)) ? sessions : 0);
      case REFUSED ->
          "reject".equals(verdict)
              ? new SessionCounts(begins, 0, 0, 0, sessions, 0, 0, 0)
              : new SessionCounts(begins, 0, 0, 0, 0, sessions, 0, 0);
      case WOULD_REFUSE, PROTOCOL, TURNED_AWAY, UPSTREAM_REFUSED, UPSTREAM_FAILED, ABANDONED ->
          new SessionCounts(begins, 0, 0, 0, 0, 0, sessions, 0);
    };
  }

  /** The sum of two rows; of the first one's time. */
  public SessionCounts plus(SessionCounts more) {
    return new SessionCounts(
        begins,
        accepted + more.accepted,
        tagged + more.tagged,
        wouldRefuse + more.wouldRefuse,
        refused + more.refused,
        putOff + more.putOff,
        other + more.other,
        refusedToo + more.refusedToo);
  }

  /** All sessions. */
  public long sessions() {
    return accepted + refused + putOff + other;
  }

  /** One line of {@code stats -o json}. */
  public JsonObject toJson() {
    return JsonValue.object()
        .put("begins", begins.toString())
        .put("sessions", sessions())
        .put("accepted", accepted)
        .put("tagged", tagged)
        .put("would_refuse", wouldRefuse)
        .put("refused", refused)
        .put("put_off", putOff)
        .put("other", other)
        .put("refused_too", refusedToo)
        .build();
  }
}
