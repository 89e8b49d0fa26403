package io.bloomgate.blocklists.sessions;

import io.bloomgate.blocklists.database.SqliteFile;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;

/**
 * The tables of one day; an administrator reads the view of {@link DayView}. Ids come in at random,
 * so that an index by id would write a page for each row: {@code session_id} gets them in large
 * pieces, sorted, up to the row that {@code day.indexed} names ({@link #INDEX_IDS}); the rows
 * behind it are few enough to look through. Texts are numbers of rows in {@code text}; 0 is the
 * empty text, and the same text may have several numbers.
 */
final class DaySchema {

  /** "BlSs" in the header of the file. */
  private static final int APPLICATION_ID = 0x426c5373;

  /**
   * Columns of an answer, in both tables. {@code list}, {@code line}, {@code entry} and {@code
   * subject} are of the listing that decided: {@code entry} is NULL when it is the subject, and
   * {@code subject} when it is what the session says for that check. {@code listings} are the
   * others ({@link ListingsText}).
   */
  static final String DECISION_COLUMNS =
      "id, bits, to_local, generation, list, line, entry, subject, listings, code, reply";

  /** {@code at}: milliseconds since the day began. {@code to_domains}: separated by spaces. */
  static final String SESSION_COLUMNS =
      "at, client, name, helo, from_local, from_domain, to_domains, recipients, protocol, front,"
          + " size, took, times";

  private static final String DECISION_TYPES =
      "id INTEGER, bits INTEGER NOT NULL, to_local INTEGER, generation INTEGER, list INTEGER,"
          + " line INTEGER, entry INTEGER, subject INTEGER, listings INTEGER, code INTEGER,"
          + " reply INTEGER";

  static final SqliteFile.Schema SCHEMA =
      new SqliteFile.Schema(
          APPLICATION_ID,
          1,
          List.of(
              "CREATE TABLE day (began INTEGER NOT NULL, indexed INTEGER NOT NULL) STRICT",
              "CREATE TABLE text (number INTEGER PRIMARY KEY, text TEXT NOT NULL) STRICT",
              "CREATE TABLE session (number INTEGER PRIMARY KEY, at INTEGER NOT NULL,"
                  + " client BLOB NOT NULL, name INTEGER, helo INTEGER, from_local INTEGER,"
                  + " from_domain INTEGER, to_domains INTEGER, recipients INTEGER NOT NULL,"
                  + " protocol INTEGER, front INTEGER, size INTEGER, took INTEGER, times INTEGER, "
                  + DECISION_TYPES
                  + ") STRICT",
              "CREATE TABLE session_id (id INTEGER, number INTEGER, PRIMARY KEY (id, number))"
                  + " STRICT, WITHOUT ROWID",
              "CREATE TABLE further (session INTEGER NOT NULL, " + DECISION_TYPES + ") STRICT",
              "CREATE INDEX further_id ON further (id) WHERE id IS NOT NULL",
              DayView.CREATE));

  /** How many sessions of the day are not in the file; made when there is the first. */
  static final String MAKE_LEFT_OUT =
      "CREATE TABLE IF NOT EXISTS left_out (one INTEGER PRIMARY KEY CHECK (one = 1),"
          + " sessions INTEGER NOT NULL) STRICT";

  static final String ADD_LEFT_OUT =
      "INSERT INTO left_out VALUES (1, ?) ON CONFLICT (one) DO UPDATE SET sessions = sessions +"
          + " excluded.sessions";

  /** No row where the table is not there. */
  static final String HAS_LEFT_OUT = "SELECT 1 FROM sqlite_schema WHERE name = 'left_out'";

  static final String LEFT_OUT = "SELECT sessions FROM left_out";

  /**
   * The minima of the visible texts, by the session's number in the file; made when there is the
   * first, so that a day without them is what it was.
   */
  static final String MAKE_LIKENESS =
      "CREATE TABLE IF NOT EXISTS likeness (session INTEGER PRIMARY KEY, minima BLOB NOT NULL)"
          + " STRICT";

  static final String PUT_LIKENESS = "INSERT OR REPLACE INTO likeness VALUES (?, ?)";

  /** No row where the table is not there. */
  static final String HAS_LIKENESS = "SELECT 1 FROM sqlite_schema WHERE name = 'likeness'";

  /**
   * Of mails that came in many copies, how many there were then; made when there is the first, as
   * {@link #MAKE_LIKENESS}.
   */
  static final String MAKE_BULK =
      "CREATE TABLE IF NOT EXISTS bulk (session INTEGER PRIMARY KEY, campaign TEXT NOT NULL,"
          + " copies INTEGER NOT NULL, networks INTEGER NOT NULL) STRICT";

  static final String PUT_BULK = "INSERT OR REPLACE INTO bulk VALUES (?, ?, ?, ?)";

  /** No row where the table is not there. */
  static final String HAS_BULK = "SELECT 1 FROM sqlite_schema WHERE name = 'bulk'";

  /** Ids of the rows that are not indexed yet. */
  static final String INDEX_IDS =
      "INSERT OR IGNORE INTO session_id SELECT id, number FROM session"
          + " WHERE number > (SELECT indexed FROM day) AND id IS NOT NULL ORDER BY id";

  static final String IDS_INDEXED =
      "UPDATE day SET indexed = (SELECT coalesce(max(number), 0) FROM session)";

  /** The rows of ids: numbers, separated by commas. What is not indexed is read once for all. */
  static String rowsOfIds(String ids) {
    return "number IN (SELECT number FROM session_id WHERE id IN ("
        + ids
        + ") UNION ALL SELECT number FROM session WHERE number > (SELECT indexed FROM day)"
        + " AND id IN ("
        + ids
        + "))";
  }

  private DaySchema() {}

  /** When a day begins, in milliseconds since 1970. */
  static long began(LocalDate day) {
    return day.atStartOfDay(ZoneOffset.UTC).toInstant().toEpochMilli();
  }

  /** The day that a moment belongs to. */
  static LocalDate dayOf(Instant at) {
    return LocalDate.ofInstant(at, ZoneOffset.UTC);
  }
}
