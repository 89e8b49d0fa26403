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
  FEED("list, listings", "(list IS NOT NULL OR listings IS NOT NULL)"),
  CLIENT("client", "1"),
  /** The /24 of IPv4, the /48 of IPv6. */
  NETWORK("substr(client, 1, CASE length(client) WHEN 4 THEN 3 ELSE 6 END), length(client)", "1"),
  SENDER_DOMAIN("from_domain", "from_domain IS NOT NULL"),
  RCPT_DOMAIN("to_domains", "to_domains IS NOT NULL"),
  /** Replies of limits and rules of the protocol. */
  LIMIT("reply", "reply IS NOT NULL AND " + Packed.VERDICT.sqlIs("") + " AND code >= 400");

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

  /** The rows that count, as a condition of SQL. */
  String condition() {
    return condition;
  }

  /** Any row of a group, how many sessions, and the columns that make the group. */
  String columns() {
    return "max(client), sum(coalesce(times, 1)), " + group;
  }

  String groupBy() {
    return group;
  }

  /** Adds the sessions of a group to what the group is about. */
  void add(ResultSet row, TextBlocks texts, ObjLongConsumer<String> sums) throws SQLException {
    long times = row.getLong(2);
    switch (this) {
      case FEED -> {
        HashSet<String> lists = new HashSet<>();
        lists.add(texts.of(row, 3));
        String others = texts.of(row, 4);
        if (!others.isEmpty()) {
          ListingsText.parse(others).forEach(each -> lists.add(each.list()));
        }
        lists.remove("");
        lists.forEach(list -> sums.accept(list, times));
      }
      case CLIENT -> sums.accept(DayRows.address(row.getBytes(1)).toString(), times);
      case NETWORK ->
          sums.accept(ClientNetwork.site(DayRows.address(row.getBytes(1))).toString(), times);
      case SENDER_DOMAIN, LIMIT ->
          sums.accept(texts.of(row, 3).replaceAll("[\u0001\u0002]", "*"), times);
      case RCPT_DOMAIN -> {
        for (String domain : texts.of(row, 3).split(" ", -1)) {
          sums.accept(domain, times);
        }
      }
    }
  }
}
