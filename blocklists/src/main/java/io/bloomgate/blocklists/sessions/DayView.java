package io.bloomgate.blocklists.sessions;

import io.bloomgate.blocklists.database.Statements;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The view {@code sessions} of a day, for administrators who open the file with the program {@code
 * sqlite3}: texts in place of numbers and octets, with functions that every SQLite has. Nothing
 * here reads it. Made and renewed by {@link DayWriter} on its thread.
 */
final class DayView {

  private static final String NAME = "sessions";

  static final String CREATE =
      "CREATE VIEW "
          + NAME
          + " AS SELECT strftime('%Y-%m-%dT%H:%M:%SZ', ((SELECT began FROM day) + at) / 1000,"
          + " 'unixepoch') AS time, id_text AS id, address AS client, "
          + text("name")
          + " AS name, "
          + text("helo")
          + " AS helo, "
          + text("from_local")
          + " AS from_local, "
          + text("from_domain")
          + " AS from_domain, "
          + text("to_local")
          + " AS to_local, "
          + text("to_domains")
          + " AS to_domains, recipients, "
          + Packed.STAGE.sql()
          + " AS stage, "
          + Packed.MODE.sql()
          + " AS mode, "
          + Packed.OUTCOME.sql()
          + " AS outcome, "
          + Packed.VERDICT.sql()
          + " AS verdict, "
          + Packed.CHECK.sql()
          + " AS kind, "
          + text("list")
          + " AS list, line, "
          + text("entry")
          + " AS entry, "
          + text("listings")
          + " AS listings, code, "
          + replaced(
              replaced(text("reply"), SessionText.CLIENT_MARK, "address"),
              SessionText.ID_MARK,
              "coalesce(id_text, '')")
          + " AS reply, "
          + text("protocol")
          + " AS protocol, "
          + text("front")
          + " AS front, size, took AS ms, coalesce(times, 1) AS times FROM (SELECT *, "
          + id()
          + " AS id_text, "
          + client()
          + " AS address FROM session)";

  private DayView() {}

  /** Makes the view again in a file whose view is of an earlier release. */
  static void renew(Statements file) throws SQLException {
    PreparedStatement same =
        file.of("SELECT 1 FROM sqlite_schema WHERE name = '" + NAME + "' AND sql = ?");
    same.setString(1, CREATE);
    try (ResultSet row = same.executeQuery()) {
      if (row.next()) {
        return;
      }
    }
    file.of("DROP VIEW IF EXISTS " + NAME).executeUpdate();
    file.of(CREATE).executeUpdate();
  }

  private static String text(String column) {
    return "(SELECT text FROM text WHERE number = " + column + ")";
  }

  private static String replaced(String sql, String mark, String by) {
    return "replace(" + sql + ", char(" + mark.codePointAt(0) + "), " + by + ")";
  }

  /** The id as replies print it ({@link IncidentId#format}). */
  private static String id() {
    return IntStream.range(0, IncidentId.LENGTH)
        .mapToObj(i ->
            "substr('%s', (id >> %d & 31) + 1, 1)"
                .formatted(IncidentId.ALPHABET, 5 * (IncidentId.LENGTH - 1 - i)))
        .collect(Collectors.joining(" || "));
  }

  /** An IPv4 address with dots; an IPv6 address as eight groups of four digits. */
  private static String client() {
    String v6 =
        IntStream.range(0, 8)
            .mapToObj(group -> "substr(hex(client), " + (4 * group + 1) + ", 4)")
            .collect(Collectors.joining(" || ':' || "));
    String v4 = IntStream.range(0, 4).mapToObj(DayView::octet).collect(Collectors.joining(", "));
    return "CASE length(client) WHEN 4 THEN printf('%d.%d.%d.%d', "
        + v4
        + ") ELSE lower("
        + v6
        + ") END";
  }

  /** SQLite writes hexadecimal digits and does not read them. */
  private static String octet(int number) {
    String digit = "instr('123456789ABCDEF', substr(hex(client), %d, 1))";
    return digit.formatted(2 * number + 1) + " * 16 + " + digit.formatted(2 * number + 2);
  }
}
