package io.bloomgate.blocklists.sessions;

import io.bloomgate.blocklists.decision.Verdict;
import io.bloomgate.config.json.JsonRecords;
import io.bloomgate.config.json.JsonValue;
import io.bloomgate.config.json.JsonValue.JsonObject;
import java.io.IOException;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Counts sessions of a time by their ends. Immutable.
 *
 * @param begins the first moment of the time
 * @param accepted the mail server took the mail
 * @param tagged of these, with headers that name a listing
 * @param wouldTag of these, without such headers because of mode observe only
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
    long wouldTag,
    long wouldRefuse,
    long refused,
    long putOff,
    long other,
    long refusedToo) {

  /**
   * Returns what a number of sessions adds that ended alike.
   *
   * @param observes in mode observe
   * @param refusedToo a list refused another recipient
   */
  static SessionCounts of(
      Instant begins,
      Outcome outcome,
      String verdict,
      boolean observes,
      boolean refusedToo,
      long sessions) {
    boolean accepted =
        switch (outcome) {
          case DELIVERED, UNKNOWN, DROPPED -> true;
          default -> false;
        };
    boolean refused = outcome == Outcome.REFUSED;
    boolean tagged = accepted && verdict.equals("tag");
    return new SessionCounts(
        begins,
        accepted ? sessions : 0,
        tagged && !observes ? sessions : 0,
        tagged && observes ? sessions : 0,
        accepted && Verdict.refuses(verdict) ? sessions : 0,
        refused && verdict.equals("reject") ? sessions : 0,
        refused && !verdict.equals("reject") ? sessions : 0,
        accepted || refused ? 0 : sessions,
        accepted && refusedToo ? sessions : 0);
  }

  /** No sessions of the time that begins then. */
  public static SessionCounts none(Instant begins) {
    return new SessionCounts(begins, 0, 0, 0, 0, 0, 0, 0, 0);
  }

  /** Verdicts of sessions; {@code would_} where mode observe let the mail pass. */
  public static final List<String> VERDICTS =
      List.of(
          ("accept tag greylist tempfail reject"
                  + " would_tag would_greylist would_tempfail would_reject")
              .split(" ", -1));

  private static final String SERVER_AWAY = "server_away";

  /** Refused by the protocol, a limit or the relay check; only present where there are any. */
  private static final String SMTP_RULES = "smtp_rules";

  /** The word for sessions that ended so; empty for ends that {@code status} does not count. */
  static String word(Outcome outcome, String verdict, boolean observes) {
    return switch (outcome) {
      case DELIVERED, UNKNOWN, DROPPED -> {
        boolean would = Verdict.refuses(verdict) || (observes && verdict.equals("tag"));
        yield would ? "would_" + verdict : verdict.equals("tag") ? verdict : "accept";
      }
      case REFUSED -> verdict;
      case UPSTREAM_FAILED -> SERVER_AWAY;
      case PROTOCOL -> SMTP_RULES;
      case WOULD_REFUSE, TURNED_AWAY, UPSTREAM_REFUSED, ABANDONED -> "";
    };
  }

  /** Counts sessions by the words of {@code status}; only smtp_rules is left out where it is 0. */
  public static Map<String, Long> words(SessionSearch search, SessionQuery query)
      throws IOException {
    Map<String, Long> words = new LinkedHashMap<>();
    VERDICTS.forEach(word -> words.put(word, 0L));
    words.put(SERVER_AWAY, 0L);
    search.rows(
        query,
        which ->
            "SELECT outcome, verdict, mode = 'observe' AS seen, sum(times) FROM session WHERE "
                + which
                + " GROUP BY outcome, verdict, seen",
        row -> {
          long times = row.getLong(4);
          String word = DayRow.word(row);
          if (word.equals(SMTP_RULES) || words.containsKey(word)) {
            words.merge(word, times, Long::sum);
          }
          return true;
        });
    return words;
  }

  /** The sum of two rows; of the first one's time. */
  public SessionCounts plus(SessionCounts more) {
    return new SessionCounts(
        begins,
        accepted + more.accepted,
        tagged + more.tagged,
        wouldTag + more.wouldTag,
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
        .putAll(JsonRecords.of(this))
        .build();
  }
}
