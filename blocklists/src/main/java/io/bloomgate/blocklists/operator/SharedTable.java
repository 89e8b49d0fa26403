package io.bloomgate.blocklists.operator;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

/**
 * The table of a node of a fleet, on the writer's connection, within its transactions: the newest
 * command about each thing that is shared, whether Redis has it, and whether it is done here. Made
 * where {@code fleet} is set.
 */
record SharedTable(Sql sql) {

  /** Redis has it. */
  static final int SENT = 0;

  /** A command of this node; its version is made when it is sent. */
  static final int WAITS = 1;

  /** Redis has lost it, or has an older one; its version stays. */
  static final int AGAIN = 2;

  private static final String COLUMNS = "SELECT subject, ms, number, base, send, text FROM fleet ";

  /**
   * The newest command about a thing.
   *
   * @param subject what it is about
   * @param version time of the command by the clock of Redis, and a number for ties; while it waits
   *     the time is that of this node
   * @param base the time of the command that it replaced: it is later, whatever clocks say
   * @param send one of the constants above
   */
  record Row(String subject, StreamId version, long base, int send, String text) {
    static Row read(ResultSet row) throws SQLException {
      return new Row(
          Sql.text(row, 1),
          new StreamId(row.getLong(2), row.getLong(3)),
          row.getLong(4),
          row.getInt(5),
          Sql.text(row, 6));
    }
  }

  void create() throws SQLException {
    sql.change(
        "CREATE TABLE IF NOT EXISTS fleet (subject TEXT PRIMARY KEY, ms INTEGER NOT NULL, number"
            + " INTEGER NOT NULL, base INTEGER NOT NULL, send INTEGER NOT NULL, todo INTEGER NOT"
            + " NULL, text TEXT NOT NULL) STRICT, WITHOUT ROWID");
    sql.change("CREATE INDEX IF NOT EXISTS fleet_send ON fleet (ms) WHERE send > 0");
    sql.change("CREATE INDEX IF NOT EXISTS fleet_todo ON fleet (ms) WHERE todo = 1");
  }

  Optional<Row> row(String subject) throws SQLException {
    return sql.first(COLUMNS + "WHERE subject = ?", Row::read, subject);
  }

  /** The next ones, in order of their subjects. */
  List<Row> page(String after, int rows) throws SQLException {
    return sql.rows(COLUMNS + "WHERE subject > ? ORDER BY subject LIMIT ?", Row::read, after, rows);
  }

  /** The oldest ones that Redis has not. */
  List<Row> toSend(int rows) throws SQLException {
    return sql.rows(COLUMNS + "WHERE send > 0 ORDER BY ms, subject LIMIT ?", Row::read, rows);
  }

  /** The oldest one that is to be done here. */
  Optional<Row> toDo() throws SQLException {
    return sql.first(COLUMNS + "WHERE todo = 1 ORDER BY ms, number LIMIT 1", Row::read);
  }

  /** Keeps a row in place of the one before. */
  void put(Row row, boolean toDo) throws SQLException {
    sql.change(
        "INSERT OR REPLACE INTO fleet VALUES (?, ?, ?, ?, ?, ?, ?)",
        row.subject(),
        row.version().millis(),
        row.version().number(),
        row.base(),
        row.send(),
        toDo ? 1 : 0,
        row.text());
  }

  /** Notes what of a row is to be sent. */
  void send(String subject, int send) throws SQLException {
    sql.change("UPDATE fleet SET send = ? WHERE subject = ?", send, subject);
  }

  /** Notes that a row is in Redis with this version, and whether it is to be sent again. */
  void sent(String subject, StreamId version, int send) throws SQLException {
    sql.change(
        "UPDATE fleet SET send = ?, ms = ?, number = ? WHERE subject = ?",
        send,
        version.millis(),
        version.number(),
        subject);
  }

  /** Notes that a command was done, unless a newer one is there. */
  void done(Row row) throws SQLException {
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

  long countToDo() throws SQLException {
    return sql.number("SELECT count(*) FROM fleet WHERE todo = 1");
  }
}
