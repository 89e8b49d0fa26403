package io.bloomgate.blocklists.sessions;

import io.bloomgate.config.json.Json;
import io.bloomgate.config.json.JsonValue;
import io.bloomgate.config.name.IpPrefix;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The choice of sessions that are asked for; {@code null} asks for all. Immutable.
 *
 * @param since the earliest moment
 * @param until the moment after the latest
 * @param client the network of the client
 * @param from the envelope sender: an address, a domain, {@code .domain} with all names below it,
 *     or {@code <>}
 * @param to a recipient's domain, or the address of a recipient, refused ones too; of a mail with
 *     many one of the first {@link RareFacts#MAX_RECIPIENTS}
 * @param verdict a word of {@link #VERDICTS}
 * @param feed a list, rule or sign that listed the session; {@code *} for any
 * @param queueId part of the reply, as of a mail server that names its queue file
 * @param messageId of the header, with or without angle brackets
 */
public record SessionQuery(
    Instant since,
    Instant until,
    @Nullable IpPrefix client,
    @Nullable String from,
    @Nullable String to,
    @Nullable String verdict,
    @Nullable String feed,
    @Nullable String queueId,
    @Nullable String messageId) {

  /**
   * Verdicts of mode enforce; {@code would_} where mode observe let the mail pass; no verdict. What
   * mode soft put off in place of a reject is found by both words.
   */
  public static final Set<String> VERDICTS =
      Stream.concat(SessionCounts.VERDICTS.stream(), Stream.of("none"))
          .collect(Collectors.toUnmodifiableSet());

  private static final String WOULD = "would_";

  /** The condition of SQL that a list, a rule or a sign listed the session. */
  static final String LISTED = "lists <> ''";

  /** All sessions of a time. */
  public static SessionQuery of(Instant since, Instant until) {
    return new SessionQuery(since, until, null, null, null, null, null, null, null);
  }

  /** A condition of SQL over a row of {@code session}, and its parameters. */
  record Condition(String sql, List<Object> parameters) {
    Condition and(String more, Object... values) {
      return new Condition(sql + " AND " + more, join(parameters, List.of(values)));
    }

    /** Adds values of a condition that was added before. */
    Condition with(List<Object> values) {
      return new Condition(sql, join(parameters, values));
    }

    /** Adds a condition for the row of the session, or for that of another answer of it. */
    Condition andAnywhere(Condition row) {
      return new Condition(
          "%s AND (%s OR number IN (SELECT part_of FROM session WHERE part_of IS NOT NULL AND %s))"
              .formatted(sql, row.sql, row.sql),
          join(parameters, join(row.parameters, row.parameters)));
    }

    /** The local part of an address; what has none asks for its domain only. */
    Condition andLocal(String column, String asked) {
      if (!asked.contains("@")) {
        return this;
      }
      String local = SessionText.localPart(asked) + "@";
      return and("substr(" + column + ", 1, ?) = ? COLLATE NOCASE", local.length(), local);
    }

    private static List<Object> join(List<Object> first, List<Object> second) {
      return Stream.concat(first.stream(), second.stream()).toList();
    }
  }

  /** The condition for the rows of a day. */
  Condition condition() {
    Condition rows =
        new Condition(DaySchema.WHOLE, List.of())
            .and("at >= ? AND at < ?", since.toEpochMilli(), until.toEpochMilli());
    if (client != null) {
      byte[] first = DayRow.octets(client.network());
      byte[] last = DayRow.octets(client.last());
      rows = rows.and("length(client) = ? AND client BETWEEN ? AND ?", first.length, first, last);
    }
    if (from != null) {
      rows = andSender(rows, bare(from));
    }
    if (to != null) {
      rows = rows.andAnywhere(isTo(bare(to)));
    }
    if (verdict != null) {
      rows = rows.andAnywhere(new Condition(hasVerdict(verdict), List.of()));
    }
    if ("*".equals(feed)) {
      rows = rows.and(LISTED);
    } else if (feed != null) {
      rows = rows.and("instr(lists, ?) > 0", " " + feed + " ");
    }
    if (queueId != null) {
      rows = rows.and("instr(reply, ?) > 0", queueId);
    }
    return messageId == null
        ? rows
        : rows.and("json_extract(more, '$.message_id') = ?", bare(messageId));
  }

  /**
   * The condition for the answers of a session that recipient and verdict ask for; empty when
   * neither is asked.
   */
  Optional<Condition> answer(long session) {
    if (to == null && verdict == null) {
      return Optional.empty();
    }
    Condition rows = new Condition("(number = ? OR part_of = ?)", List.of(session, session));
    if (to != null) {
      Condition recipient = isTo(bare(to));
      rows = rows.and(recipient.sql, recipient.parameters.toArray());
    }
    return Optional.of(verdict == null ? rows : rows.and(hasVerdict(verdict)));
  }

  private static Condition isTo(String asked) {
    String domain = " " + domain(asked) + " ";
    Condition inDomain = new Condition("instr(' ' || to_domains || ' ', ?) > 0", List.of(domain));
    if (!asked.contains("@")) {
      return inDomain;
    }
    Condition first = new Condition("1", List.of()).andLocal("recipient", asked);
    String one = Json.write(JsonValue.of(asked)).replaceAll("[%_\\\\]", "\\\\$0");
    return inDomain
        .and("(" + first.sql() + " OR (recipients > 1 AND more LIKE ? ESCAPE '\\'))")
        .with(first.parameters())
        .with(List.of("%\"all\\_to\":[%" + one + "%"));
  }

  private static Condition andSender(Condition rows, String from) {
    if (from.equals("<>")) {
      return rows.and("sender = ''");
    }
    if (from.startsWith(".")) {
      String below = "." + domain(from.substring(1));
      return rows.and("substr('.' || from_domain, ?) = ?", -below.length(), below);
    }
    return rows.and("from_domain = ?", domain(from)).andLocal("sender", from);
  }

  /**
   * Strips the marks of an address in logs, {@code <a@b.example>}, and of a domain in other
   * software, {@code @b.example}.
   */
  private static String bare(String asked) {
    boolean bracketed = asked.startsWith("<") && asked.endsWith(">") && asked.length() > 2;
    String text = bracketed ? asked.substring(1, asked.length() - 1) : asked;
    return text.startsWith("@") ? text.substring(1) : text;
  }

  /** The condition for an answer with that verdict, in a session or beside its message. */
  private static String hasVerdict(String verdict) {
    boolean would = verdict.startsWith(WOULD);
    String word = would ? verdict.substring(WOULD.length()) : verdict;
    String is = "verdict = '" + (word.equals("none") ? "" : word) + "'";
    if (would) {
      return is + " AND mode = 'observe'";
    }
    if (word.equals("none") || word.equals("accept")) {
      return is;
    }
    String done = is + " AND mode <> 'observe'";
    return word.equals("tempfail") ? "(" + done + " OR " + SOFTENED + ")" : done;
  }

  /** Mode soft put off what mode enforce would have rejected: the sender got a 4xx. */
  private static final String SOFTENED =
      "verdict = 'reject' AND mode = 'soft' AND reply BETWEEN '4' AND '5'";

  /** The domain of an address, or a domain alone, as rows hold it. */
  private static String domain(String asked) {
    return asked.contains("@") ? SessionText.domain(asked) : SessionText.normal(asked);
  }
}
