package io.bloomgate.blocklists.sessions;

import io.bloomgate.config.name.IpPrefix;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The choice of sessions that are asked for; {@code null} asks for all. Immutable.
 *
 * @param since the earliest moment
 * @param until the moment after the latest
 * @param client the network of the client
 * @param from the envelope sender: an address, a domain, {@code .domain} with all names below it,
 *     or {@code <>}
 * @param to a recipient's domain, or the address of the first recipient
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
      Set.of(
          "accept",
          "tag",
          "greylist",
          "tempfail",
          "reject",
          "would_tag",
          "would_greylist",
          "would_tempfail",
          "would_reject",
          "none");

  private static final String WOULD = "would_";

  /** The condition of SQL that a list, a rule or a sign listed the session. */
  static final String LISTED = "lists <> ''";

  /** All sessions of a time. */
  public static SessionQuery of(Instant since, Instant until) {
    return new SessionQuery(since, until, null, null, null, null, null, null, null);
  }

  /** A condition of SQL over a row of {@code session}, and its parameters. */
  record Condition(String sql, List<Object> parameters) {}

  /** The condition for the rows of a day. */
  Condition condition() {
    StringBuilder sql = new StringBuilder(DaySchema.WHOLE + " AND at >= ? AND at < ?");
    List<Object> parameters = new ArrayList<>();
    parameters.add(since.toEpochMilli());
    parameters.add(until.toEpochMilli());
    if (client != null) {
      sql.append(" AND length(client) = ? AND client BETWEEN ? AND ?");
      byte[] first = DayRow.octets(client.network());
      parameters.add(first.length);
      parameters.add(first);
      parameters.add(DayRow.octets(client.last()));
    }
    if (from != null) {
      addSender(bare(from), sql, parameters);
    }
    if (to != null) {
      sql.append(" AND (");
      addRecipient(bare(to), sql, parameters);
      sql.append(" OR number IN (SELECT part_of FROM session WHERE part_of IS NOT NULL AND ");
      addRecipient(bare(to), sql, parameters);
      sql.append("))");
    }
    if (verdict != null) {
      sql.append(" AND (").append(hasVerdict(verdict));
      sql.append(" OR number IN (SELECT part_of FROM session WHERE part_of IS NOT NULL AND ");
      sql.append(hasVerdict(verdict)).append("))");
    }
    if ("*".equals(feed)) {
      sql.append(" AND ").append(LISTED);
    } else if (feed != null) {
      sql.append(" AND instr(lists, ?) > 0");
      parameters.add(" " + feed + " ");
    }
    if (queueId != null) {
      sql.append(" AND instr(reply, ?) > 0");
      parameters.add(queueId);
    }
    if (messageId != null) {
      sql.append(" AND json_extract(more, '$.message_id') = ?");
      parameters.add(bare(messageId));
    }
    return new Condition(sql.toString(), parameters);
  }

  private static void addSender(String from, StringBuilder sql, List<Object> parameters) {
    if (from.equals("<>")) {
      sql.append(" AND sender = ''");
    } else if (from.startsWith(".")) {
      sql.append(" AND substr('.' || from_domain, ?) = ?");
      String below = "." + domain(from.substring(1));
      parameters.add(-below.length());
      parameters.add(below);
    } else {
      sql.append(" AND from_domain = ?");
      parameters.add(domain(from));
      addLocal("sender", from, sql, parameters);
    }
  }

  private static void addRecipient(String to, StringBuilder sql, List<Object> parameters) {
    sql.append("instr(' ' || to_domains || ' ', ?) > 0");
    parameters.add(" " + domain(to) + " ");
    addLocal("recipient", to, sql, parameters);
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

  /** The local part of an address; what has none asks for its domain only. */
  private static void addLocal(
      String column, String asked, StringBuilder sql, List<Object> parameters) {
    if (asked.contains("@")) {
      String local = SessionText.localPart(asked) + "@";
      sql.append(" AND substr(").append(column).append(", 1, ?) = ? COLLATE NOCASE");
      parameters.add(local.length());
      parameters.add(local);
    }
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
