package io.bloomgate.blocklists.operator;

import io.bloomgate.blocklists.database.Statements;
import io.bloomgate.blocklists.operator.SharedRow.Send;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

/**
 * The table of a node of a fleet, on one connection: the newest command about each thing that is
 * shared, whether Redis has it, and whether it is done here. Made where {@code fleet} is set;
 * written on the writer's connection, within its transactions.
 */
record SharedTable(Statements sql) {

  private static final String COLUMNS = "SELECT subject, ms, number, base, send, text FROM fleet ";

  private static SharedRow read(ResultSet row) throws SQLException {
    return new SharedRow(
        Statements.text(row, 1),
        new StreamId(row.getLong(2), row.getLong(3)),
        row.getLong(4),
        Send.of(row.getInt(5)),
        Statements.text(row, 6));
  }

  void create() throws SQLException {
    sql.change(
        "CREATE TABLE IF NOT EXISTS fleet (subject TEXT PRIMARY KEY, ms INTEGER NOT NULL, number"
            + " INTEGER NOT NULL, base INTEGER NOT NULL, send INTEGER NOT NULL, todo INTEGER NOT"
            + " NULL, text TEXT NOT NULL) STRICT, WITHOUT ROWID");
    sql.change("CREATE INDEX IF NOT EXISTS fleet_send ON fleet (ms) WHERE send > 0");
    sql.change("CREATE INDEX IF NOT EXISTS fleet_todo ON fleet (ms) WHERE todo = 1");
  }

  Optional<SharedRow> row(String subject) throws SQLException {
    return sql.first(COLUMNS + "WHERE subject = ?", SharedTable::read, subject);
  }

  /** The next ones, in order of their subjects. */
  List<SharedRow> page(String after, int rows) throws SQLException {
    return sql.rows(
        COLUMNS + "WHERE subject > ? ORDER BY subject LIMIT ?", SharedTable::read, after, rows);
  }

  /** The oldest ones that Redis has not. */
  List<SharedRow> toSend(int rows) throws SQLException {
    return sql.rows(
        COLUMNS + "WHERE send > 0 ORDER BY ms, subject LIMIT ?", SharedTable::read, rows);
  }

  /** The oldest one that is to be done here. */
  Optional<SharedRow> toDo() throws SQLException {
    return sql.first(COLUMNS + "WHERE todo = 1 ORDER BY ms, number LIMIT 1", SharedTable::read);
  }

  /** Keeps a row in place of the one before. */
  void put(SharedRow row, boolean toDo) throws SQLException {
    sql.change(
        "INSERT OR REPLACE INTO fleet VALUES (?, ?, ?, ?, ?, ?, ?)",
        row.subject(),
        row.version().millis(),
        row.version().number(),
        row.base(),
        row.send().number(),
        toDo ? 1 : 0,
        row.text());
  }

  /** Notes the version of a row in Redis, and whether it is to be sent. */
  void mark(String subject, StreamId version, Send send) throws SQLException {
    sql.change(
        "UPDATE fleet SET send = ?, ms = ?, number = ? WHERE subject = ?",
        send.number(),
        version.millis(),
        version.number(),
        subject);
  }

  /** Notes that a command was done, unless a newer one is there. */
  void done(SharedRow row) throws SQLException {
    sql.change(
        "UPDATE fleet SET todo = 0 WHERE subject = ? AND text = ?", row.subject(), row.text());
  }

  void clear() throws SQLException {
    sql.change("DELETE FROM fleet");
  }

  void remove(String subject) throws SQLException {
    sql.change("DELETE FROM fleet WHERE subject = ?", subject);
  }

  long countToSend() throws SQLException {
    return sql.number("SELECT count(*) FROM fleet WHERE send > 0");
  }
}
