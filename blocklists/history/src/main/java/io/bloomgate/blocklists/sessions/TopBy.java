package io.bloomgate.blocklists.sessions;

import io.bloomgate.config.name.ClientNetwork;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Locale;
import java.util.function.ObjLongConsumer;

/**
 * The property that {@code top} counts sessions by. Each is a grouping of rows by SQL, and the word
 * for each group.
 */
public enum TopBy {
  /** Lists, rules and signs that listed a session. */
  FEED("lists", SessionQuery.LISTED),
  CLIENT("client", "1"),
  /** The /24 of IPv4, the /48 of IPv6. */
  NETWORK("substr(client, 1, CASE length(client) WHEN 4 THEN 3 ELSE 6 END)", "1"),
  SENDER_DOMAIN("from_domain", "from_domain <> ''"),
  RCPT_DOMAIN("to_domains", "to_domains <> ''"),
  /** Replies of limits and rules of the protocol. */
  LIMIT("reply", "reply >= '4' AND outcome IN ('protocol', 'turned_away')");

  private final String group;
  private final String condition;

  TopBy(String group, String condition) {
    this.group = group;
    this.condition = condition;
  }

  /** The word of the command line. */
  public String key() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /**
   * The largest groups: any client of each, how many sessions, and what makes the group.
   *
   * @param which rows, as a condition of SQL
   */
  String sql(String which, int groups) {
    return "SELECT max(client), sum(times), "
        + group
        + " AS a FROM session WHERE "
        + which
        + " AND "
        + condition
        + " GROUP BY a, length(client) ORDER BY 2 DESC LIMIT "
        + groups;
  }

  /** Adds the sessions of a group to what the group is about. */
  void add(ResultSet row, ObjLongConsumer<String> sums) throws SQLException {
    long times = row.getLong(2);
    switch (this) {
      case CLIENT -> sums.accept(DayRow.address(row.getBytes(1)).toString(), times);
      case NETWORK ->
          sums.accept(ClientNetwork.site(DayRow.address(row.getBytes(1))).toString(), times);
      case SENDER_DOMAIN -> sums.accept(row.getString(3), times);
      case LIMIT -> sums.accept(row.getString(3).replaceAll("[\u0001\u0002]|<[^>]*>", "*"), times);
      case FEED, RCPT_DOMAIN -> {
        for (String each : row.getString(3).strip().split(" ", -1)) {
          sums.accept(each, times);
        }
      }
    }
  }
}
