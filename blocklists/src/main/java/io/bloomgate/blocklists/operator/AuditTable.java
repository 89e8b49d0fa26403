package io.bloomgate.blocklists.operator;

import io.bloomgate.blocklists.database.Statements;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * The table of who changed what, on one connection; on the thread that owns the connection. Writes
 * are part of the running transaction, so that a change and its record are stored together.
 */
final class AuditTable {

  /** Rows that are kept; older ones go when the gateway starts. */
  private static final int MAX_ROWS = 100_000;

  private final Statements statements;

  AuditTable(Statements statements) {
    this.statements = statements;
  }

  void add(AuditRecord record) throws SQLException {
    PreparedStatement statement =
        statements.of("INSERT INTO audit (time_ms, author, command, subject) VALUES (?, ?, ?, ?)");
    statement.setLong(1, record.time().toEpochMilli());
    statement.setString(2, record.author());
    statement.setString(3, record.command());
    statement.setString(4, record.subject());
    statement.executeUpdate();
  }

  /**
   * Records, newest first.
   *
   * @param since none that is older
   * @param before number of the oldest row that was read, {@link Long#MAX_VALUE} at first
   */
  List<Numbered> page(Instant since, long before, int rows) throws SQLException {
    PreparedStatement statement =
        statements.of(
            "SELECT seq, time_ms, author, command, subject FROM audit WHERE seq < ? AND time_ms"
                + " >= ? ORDER BY seq DESC LIMIT ?");
    statement.setLong(1, before);
    statement.setLong(2, since.toEpochMilli());
    statement.setInt(3, rows);
    try (ResultSet results = statement.executeQuery()) {
      List<Numbered> records = new ArrayList<>();
      while (results.next()) {
        records.add(
            new Numbered(
                results.getLong(1),
                new AuditRecord(
                    Instant.ofEpochMilli(results.getLong(2)),
                    String.valueOf(results.getString(3)),
                    String.valueOf(results.getString(4)),
                    String.valueOf(results.getString(5)))));
      }
      return records;
    }
  }

  /** A record and the number of its row. */
  record Numbered(long seq, AuditRecord record) {}

  void trim() throws SQLException {
    try (Statement statement = statements.connection().createStatement()) {
      statement.executeUpdate(
          "DELETE FROM audit WHERE seq <= (SELECT coalesce(max(seq), 0) FROM audit) - " + MAX_ROWS);
    }
  }
}
