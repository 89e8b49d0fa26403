package io.bloomgate.blocklists.sessions;

import io.bloomgate.config.name.IpPrefix;
import io.bloomgate.config.settings.Mode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which sessions are asked for; {@code null} asks for all. Immutable.
 *
 * @param since the earliest moment
 * @param until the moment after the latest
 * @param client the network of the client
 * @param from the envelope sender: an address, a domain, {@code .domain} with all names below it,
 *     or {@code <>}
 * @param to a recipient's domain, or the address of the first recipient
 * @param verdict a word of {@link #VERDICTS}
 * @param feed a list, rule or sign that listed the session; {@code *} for any
 */
public record SessionQuery(
    Instant since,
    Instant until,
    @Nullable IpPrefix client,
    @Nullable String from,
    @Nullable String to,
    @Nullable String verdict,
    @Nullable String feed) {

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
  static final String LISTED = "(list IS NOT NULL OR listings IS NOT NULL)";

  /** All sessions of a time. */
  public static SessionQuery of(Instant since, Instant until) {
    return new SessionQuery(since, until, null, null, null, null, null);
  }

  /** A condition of SQL over a row of {@code session}, and its parameters. */
  record Condition(String sql, List<Object> parameters) {}

  /** A key that each day's filter knows ({@link DayFilter}), if the question has one. */
  List<String> filterKeys() {
    List<String> keys = new ArrayList<>();
    if (client != null) {
      DayFilter.key(client).ifPresent(keys::add);
    }
    if (from != null && !from.startsWith(".") && !from.equals("<>")) {
      keys.add(DayFilter.ofSenderDomain(domain(from)));
    }
    if (to != null) {
      keys.add(DayFilter.ofRecipientDomain(domain(to)));
    }
    return keys;
  }

  /**
   * The condition for the rows of one day.
   *
   * @param began when the day begins, in milliseconds since 1970
   */
  Condition condition(long began) {
    StringBuilder sql = new StringBuilder("at >= ? AND at < ?");
    List<Object> parameters = new ArrayList<>();
    parameters.add(since.toEpochMilli() - began);
    parameters.add(until.toEpochMilli() - began);
    if (client != null) {
      sql.append(" AND length(client) = ? AND client BETWEEN ? AND ?");
      byte[] first = DayWriter.octets(client.network());
      parameters.add(first.length);
      parameters.add(first);
      parameters.add(DayWriter.octets(client.last()));
    }
    if (from != null) {
      addSender(from, sql, parameters);
    }
    if (to != null) {
      addRecipient(to, sql, parameters);
    }
    if (verdict != null) {
      sql.append(" AND (").append(hasVerdict(verdict)).append(" OR (");
      sql.append(Packed.REFUSED_TOO.sqlIs(true));
      sql.append(" AND number IN (SELECT session FROM further WHERE ");
      sql.append(hasVerdict(verdict)).append(")))");
    }
    if ("*".equals(feed)) {
      sql.append(" AND ").append(LISTED);
    } else if (feed != null) {
      sql.append(" AND (list IN (")
          .append(TEXT_IS)
          .append(") OR listings IN (SELECT number FROM")
          .append(" text WHERE instr(text, ?) > 0))");
      parameters.add(feed);
      parameters.add(ListingsText.mark(feed));
    }
    return new Condition(sql.toString(), parameters);
  }

  private static final String TEXT_IS = "SELECT number FROM text WHERE text = ?";

  private static void addSender(String from, StringBuilder sql, List<Object> parameters) {
    if (from.equals("<>")) {
      sql.append(" AND from_local = 0 AND from_domain IS NULL");
    } else if (from.startsWith(".")) {
      sql.append(" AND from_domain IN (SELECT number FROM text WHERE substr(text, ?) = ?)");
      String below = "." + domain(from.substring(1));
      parameters.add(-below.length());
      parameters.add(below);
    } else if (from.contains("@")) {
      sql.append(" AND from_domain IN (")
          .append(TEXT_IS)
          .append(") AND from_local IN (")
          .append(TEXT_IS)
          .append(" COLLATE NOCASE)");
      parameters.add(domain(from));
      parameters.add(RowText.local(from));
    } else {
      sql.append(" AND from_domain IN (").append(TEXT_IS).append(")");
      parameters.add(domain(from));
    }
  }

  private static void addRecipient(String to, StringBuilder sql, List<Object> parameters) {
    boolean address = to.contains("@");
    sql.append(" AND to_domains IN (SELECT number FROM text WHERE")
        .append(" instr(' ' || text || ' ', ?) > 0)");
    parameters.add(" " + domain(to) + " ");
    if (address) {
      sql.append(" AND to_local IN (").append(TEXT_IS).append(" COLLATE NOCASE)");
      parameters.add(RowText.local(to));
    }
  }

  /** The condition for an answer with that verdict, in a session or beside its message. */
  private static String hasVerdict(String verdict) {
    boolean would = verdict.startsWith(WOULD);
    String word = would ? verdict.substring(WOULD.length()) : verdict;
    String is = Packed.VERDICT.sqlIs(word.equals("none") ? "" : word);
    if (would) {
      return is + " AND " + Packed.MODE.sqlIs(Mode.OBSERVE);
    }
    if (word.equals("none") || word.equals("accept")) {
      return is;
    }
    String done = is + " AND NOT " + Packed.MODE.sqlIs(Mode.OBSERVE);
    return word.equals("tempfail") ? "(" + done + " OR " + SOFTENED + ")" : done;
  }

  /** Mode soft put off what mode enforce would have rejected: the sender got a 4xx. */
  private static final String SOFTENED =
      Packed.VERDICT.sqlIs("reject")
          + " AND "
          + Packed.MODE.sqlIs(Mode.SOFT)
          + " AND code BETWEEN 400 AND 499";

  /** The domain of an address, or a domain alone, as rows hold it. */
  private static String domain(String asked) {
    return RowText.domain(asked.contains("@") ? SessionText.domain(asked) : asked);
  }
}
