package io.bloomgate.blocklists.sessions;

import io.bloomgate.config.name.ClientNetwork;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.Locale;
import java.util.function.ObjLongConsumer;

/**
 * What {@code top} counts sessions by. Each is a grouping of rows by SQL, and the word for each
 * group.
 */
public enum TopBy {
  /** Lists, rules and signs that listed a session. */
  FEED("list", "listings", SessionQuery.LISTED),
  CLIENT("client", "NULL", "1"),
  /** The /24 of IPv4, the /48 of IPv6. */
  NETWORK("substr(client, 1, CASE length(client) WHEN 4 THEN 3 ELSE 6 END)", "NULL", "1"),
  SENDER_DOMAIN("from_domain", "NULL", "from_domain IS NOT NULL"),
  RCPT_DOMAIN("to_domains", "NULL", "to_domains IS NOT NULL"),
  /** Replies of limits and rules of the protocol. */
  LIMIT(
      "reply",
      "NULL",
      "reply IS NOT NULL AND code >= 400 AND ("
          + Packed.OUTCOME.sqlIs(Outcome.PROTOCOL)
          + " OR "
          + Packed.OUTCOME.sqlIs(Outcome.TURNED_AWAY)
          + ")");

  private final String first;
  private final String second;
  private final String condition;

  TopBy(String first, String second, String condition) {
    this.first = first;
    this.second = second;
    this.condition = condition;
  }

  /** The word of the command line. */
  public String key() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /**
   * The largest groups: any client of each, how many sessions, and the texts that make the group.
   *
   * @param which rows, as a condition of SQL
   */
  String sql(String which, int groups) {
    return "SELECT any, sessions, (SELECT text FROM text WHERE number = a),"
        + " (SELECT text FROM text WHERE number = b) FROM (SELECT max(client) AS any,"
        + " sum(coalesce(times, 1)) AS sessions, "
        + first
        + " AS a, "
        + second
        + " AS b FROM session WHERE "
        + which
        + " AND "
        + condition
        + " GROUP BY a, b, length(client) ORDER BY sessions DESC LIMIT "
        + groups
        + ")";
  }

  /** Adds the sessions of a group to what the group is about. */
  void add(ResultSet row, ObjLongConsumer<String> sums) throws SQLException {
    long times = row.getLong(2);
    switch (this) {
      case FEED -> {
        HashSet<String> lists = new HashSet<>();
        lists.add(text(row, 3));
        String others = text(row, 4);
        if (!others.isEmpty()) {
          ListingsText.parse(others).forEach(each -> lists.add(each.list()));
        }
        lists.remove("");
        lists.forEach(list -> sums.accept(list, times));
      }
      case CLIENT -> sums.accept(DayRows.address(row.getBytes(1)).toString(), times);
      case NETWORK ->
          sums.accept(ClientNetwork.site(DayRows.address(row.getBytes(1))).toString(), times);
      case SENDER_DOMAIN -> sums.accept(text(row, 3), times);
      case LIMIT -> sums.accept(text(row, 3).replaceAll("[\u0001\u0002]|<[^>]*>", "*"), times);
      case RCPT_DOMAIN -> {
        for (String domain : text(row, 3).split(" ", -1)) {
          if (!domain.equals(KeptSession.CUT)) {
            sums.accept(domain, times);
          }
        }
      }
    }
  }

  private static String text(ResultSet row, int column) throws SQLException {
    String text = row.getString(column);
    return text == null ? "" : text;
  }
}
