package io.bloomgate.blocklists.sessions;

import io.bloomgate.blocklists.database.SqliteFile;
import io.bloomgate.config.settings.RecipientProfile;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The tables of one day. A row of {@code session} has a plain column for each member of {@link
 * SessionJson} that every session has or that questions search, and {@code more} for the others. A
 * row with {@code part_of} is another answer of the session of that number. An administrator reads
 * the view {@code sessions}, which shows octets of addresses as text. Constants only.
 *
 * <p>Ids come in at random: an index of SQLite would write a page for each row. {@code session_id}
 * gets them in large pieces, sorted; the rows behind {@code indexed} are few enough to look
 * through.
 */
final class DaySchema {

  /** "BlSs" in the header of the file. */
  private static final int APPLICATION_ID = 0x426c5373;

  static final SqliteFile.Schema SCHEMA =
      new SqliteFile.Schema(
          APPLICATION_ID,
          1,
          List.of(
              // at: milliseconds since 1970. client: 4 or 16 octets. sender: NULL before MAIL.
              // to_domains and lists: separated by spaces. more: JSON. minima: of the visible text.
              "CREATE TABLE session (number INTEGER PRIMARY KEY, part_of INTEGER,"
                  + " at INTEGER NOT NULL, client BLOB NOT NULL, helo TEXT NOT NULL, sender TEXT,"
                  + " from_domain TEXT NOT NULL, to_domains TEXT NOT NULL,"
                  + " recipients INTEGER NOT NULL, protocol TEXT NOT NULL, front TEXT NOT NULL,"
                  + " size INTEGER NOT NULL, ms INTEGER NOT NULL, times INTEGER NOT NULL,"
                  + " id TEXT, stage TEXT NOT NULL,"
                  + " mode TEXT NOT NULL, outcome TEXT NOT NULL, recipient TEXT NOT NULL,"
                  + " verdict TEXT NOT NULL, generation INTEGER NOT NULL, reply TEXT NOT NULL,"
                  + " lists TEXT NOT NULL, connection TEXT NOT NULL, more TEXT,"
                  + " minima BLOB) STRICT",
              "CREATE TABLE session_id (id TEXT, number INTEGER, PRIMARY KEY (id, number)) STRICT,"
                  + " WITHOUT ROWID",
              "CREATE TABLE indexed (number INTEGER NOT NULL) STRICT",
              "INSERT INTO indexed VALUES (0)",
              "CREATE INDEX session_part ON session (part_of) WHERE part_of IS NOT NULL",
              // How many sessions of the day are not in the file: no row, or one.
              "CREATE TABLE left_out (one INTEGER PRIMARY KEY CHECK (one = 1),"
                  + " sessions INTEGER NOT NULL) STRICT",
              view()));

  /** Ids of the rows that are not indexed yet; {@link #INDEXED} follows. */
  static final String INDEX_IDS =
      "INSERT OR IGNORE INTO session_id SELECT id, number FROM session"
          + " WHERE number > (SELECT number FROM indexed) AND id IS NOT NULL ORDER BY id";

  static final String INDEXED =
      "UPDATE indexed SET number = (SELECT coalesce(max(number), 0) FROM session)";

  static final String ADD_LEFT_OUT =
      "INSERT INTO left_out VALUES (1, ?) ON CONFLICT (one) DO UPDATE SET sessions = sessions +"
          + " excluded.sessions";

  /**
   * A separate table, made in files that lack it, so that each release reads all files: hashes of
   * what mails carried, four octets each, by the number of the session.
   */
  static final String MAKE_CARRIED =
      "CREATE TABLE IF NOT EXISTS carried (number INTEGER PRIMARY KEY, keys BLOB NOT NULL) STRICT";

  static final String ADD_CARRIED = "INSERT OR REPLACE INTO carried VALUES (?, ?)";

  static final String HAS_CARRIED = "SELECT count(*) FROM sqlite_schema WHERE name = 'carried'";

  static final String LEFT_OUT = "SELECT sessions FROM left_out";

  /** Condition for the row of a session, and not of another answer. */
  static final String WHOLE = "part_of IS NULL";

  /** Condition for mail for a trap, as {@link Evidence#isForTrap} says it. */
  static final String FOR_TRAP =
      "instr(coalesce(more, ''), '\"profile\":\"" + RecipientProfile.TRAP.name() + " ') > 0";

  /** The numbers of rows with one of the ids, which are parameters twice. */
  static String rowsOf(int ids) {
    String marks = " id IN (" + String.join(", ", Collections.nCopies(ids, "?")) + ")";
    return "(SELECT number FROM session_id WHERE"
        + marks
        + " UNION ALL SELECT number FROM session WHERE number > (SELECT number FROM indexed) AND"
        + marks
        + ")";
  }

  private DaySchema() {}

  /** The day that a moment belongs to. */
  static LocalDate dayOf(Instant at) {
    return LocalDate.ofInstant(at, ZoneOffset.UTC);
  }

  /** Makes the view with functions that every SQLite has. */
  private static String view() {
    return "CREATE VIEW sessions AS SELECT strftime('%Y-%m-%dT%H:%M:%SZ', at / 1000, 'unixepoch')"
        + " AS time, id, address AS client, helo, sender AS \"from\", recipient AS \"to\","
        + " to_domains, recipients, stage, mode, outcome, verdict, lists, "
        + replaced(
            replaced("reply", SessionText.CLIENT_MARK, "address"),
            SessionText.ID_MARK,
            "coalesce(id, '')")
        + " AS reply, protocol, front, size, ms, times, connection, more FROM (SELECT *, "
        + address()
        + " AS address FROM session) WHERE "
        + WHOLE;
  }

  private static String replaced(String sql, String mark, String by) {
    return "replace(" + sql + ", char(" + mark.codePointAt(0) + "), " + by + ")";
  }

  /** An IPv4 address with dots; an IPv6 address as eight groups of four digits. */
  private static String address() {
    String v6 =
        IntStream.range(0, 8)
            .mapToObj(group -> "substr(hex(client), " + (4 * group + 1) + ", 4)")
            .collect(Collectors.joining(" || ':' || "));
    String v4 = IntStream.range(0, 4).mapToObj(DaySchema::octet).collect(Collectors.joining(", "));
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
