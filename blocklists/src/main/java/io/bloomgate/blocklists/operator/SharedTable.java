package io.bloomgate.blocklists.operator;

import io.bloomgate.blocklists.database.Statements;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The table of a node of a fleet, on the writer's connection, within its transactions: the newest
 * command about each thing that is shared, whether Redis has it, and whether it is done here. Made
 * where {@code fleet} is set.
 */
final class SharedTable {

  /** Redis has it. */
  static final int SENT = 0;

  /** A command of this node; its version is made when it is sent. */
  static final int WAITS = 1;

  /** Redis has lost it, or has an older one; its version stays. */
  static final int AGAIN = 2;

  private static final String COLUMNS = "SELECT subject, ms, number, base, send, text FROM fleet ";

  private final Statements statements;

  SharedTable(Statements statements) {
    this.statements = statements;
  }

  void create() throws SQLException {
    try (Statement statement = statements.connection().createStatement()) {
      statement.execute(
          "CREATE TABLE IF NOT EXISTS fleet (subject TEXT PRIMARY KEY, ms INTEGER NOT NULL, number"
              + " INTEGER NOT NULL, base INTEGER NOT NULL, send INTEGER NOT NULL, todo INTEGER NOT"
              + " NULL, text TEXT NOT NULL) STRICT, WITHOUT ROWID");
      statement.execute("CREATE INDEX IF NOT EXISTS fleet_send ON fleet (ms) WHERE send > 0");
      statement.execute("CREATE INDEX IF NOT EXISTS fleet_todo ON fleet (ms) WHERE todo = 1");
    }
  }

  /**
   * The newest command about a thing.
   *
   * @param subject what it is about
   * @param version time of the command by the clock of Redis, and a number for ties; while it waits
   *     the time is that of this node
   * @param base the time of the command that it replaced: it is later, whatever clocks say
   * @param send one of the constants above
   */
  record Row(String subject, StreamId version, long base, int send, String text) {}

  Optional<Row> row(String subject) throws SQLException {
    PreparedStatement statement = statements.of(COLUMNS + "WHERE subject = ?");
    statement.setString(1, subject);
    return rows(statement).stream().findFirst();
  }

  /** The next ones, in order of their subjects. */
  List<Row> page(String after, int rows) throws SQLException {
    PreparedStatement statement =
        statements.of(COLUMNS + "WHERE subject > ? ORDER BY subject LIMIT ?");
    statement.setString(1, after);
    statement.setInt(2, rows);
    return rows(statement);
  }

  /** The oldest ones that Redis has not. */
  List<Row> toSend(int rows) throws SQLException {
    PreparedStatement statement =
        statements.of(COLUMNS + "WHERE send > 0 ORDER BY ms, subject LIMIT ?");
    statement.setInt(1, rows);
    return rows(statement);
  }

  /** The oldest one that is to be done here. */
  Optional<Row> toDo() throws SQLException {
    return rows(statements.of(COLUMNS + "WHERE todo = 1 ORDER BY ms, number LIMIT 1")).stream()
        .findFirst();
  }

  private static List<Row> rows(PreparedStatement statement) throws SQLException {
    List<Row> rows = new ArrayList<>();
    try (ResultSet row = statement.executeQuery()) {
      while (row.next()) {
        rows.add(
            new Row(
                String.valueOf(row.getString(1)),
                new StreamId(row.getLong(2), row.getLong(3)),
                row.getLong(4),
                row.getInt(5),
                String.valueOf(row.getString(6))));
      }
    }
    return rows;
  }

  /** Keeps a row in place of the one before. */
  void put(Row row, boolean toDo) throws SQLException {
    PreparedStatement statement =
        statements.of("INSERT OR REPLACE INTO fleet VALUES (?, ?, ?, ?, ?, ?, ?)");
    statement.setString(1, row.subject());
    statement.setLong(2, row.version().millis());
    statement.setLong(3, row.version().number());
    statement.setLong(4, row.base());
    statement.setInt(5, row.send());
    statement.setInt(6, toDo ? 1 : 0);
    statement.setString(7, row.text());
    statement.executeUpdate();
  }

  /** Notes what of a row is to be sent. */
  void send(String subject, int send) throws SQLException {
    PreparedStatement statement = statements.of("UPDATE fleet SET send = ? WHERE subject = ?");
    statement.setInt(1, send);
    statement.setString(2, subject);
    statement.executeUpdate();
  }

  /** Notes that a row is in Redis with this version, and whether it is to be sent again. */
  void sent(String subject, StreamId version, int send) throws SQLException {
    PreparedStatement statement =
        statements.of("UPDATE fleet SET send = ?, ms = ?, number = ? WHERE subject = ?");
    statement.setInt(1, send);
    statement.setLong(2, version.millis());
    statement.setLong(3, version.number());
    statement.setString(4, subject);
    statement.executeUpdate();
  }

  /** Notes that a command was done, unless a newer one is there. */
  void done(Row row) throws SQLException {
    PreparedStatement statement =
        statements.of("UPDATE fleet SET todo = 0 WHERE subject = ? AND text = ?");
    statement.setString(1, row.subject());
    statement.setString(2, row.text());
    statement.executeUpdate();
  }

  void clear() throws SQLException {
    statements.of("DELETE FROM fleet").executeUpdate();
  }

  void remove(String subject) throws SQLException {
    PreparedStatement statement = statements.of("DELETE FROM fleet WHERE subject = ?");
    statement.setString(1, subject);
    statement.executeUpdate();
  }

  long countToSend() throws SQLException {
    return count("SELECT count(*) FROM fleet WHERE send > 0");
  }

  long countToDo() throws SQLException {
    return count("SELECT count(*) FROM fleet WHERE todo = 1");
  }

  private long count(String query) throws SQLException {
    try (ResultSet row = statements.of(query).executeQuery()) {
      return row.next() ? row.getLong(1) : 0;
    }
  }
}
