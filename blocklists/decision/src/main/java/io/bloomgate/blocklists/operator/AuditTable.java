package io.bloomgate.blocklists.operator;

import io.bloomgate.blocklists.database.Statements;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;

/**
 * The table of who changed what, on one connection; on the thread that owns the connection. Writes
 * are part of the running transaction, so that a change and its record are stored together.
 */
record AuditTable(Statements sql) {

  /** Rows that are kept; older ones go when the gateway starts. */
  private static final int MAX_ROWS = 100_000;

  void add(AuditRecord record) throws SQLException {
    sql.change(
        "INSERT INTO audit (time_ms, author, command, subject) VALUES (?, ?, ?, ?)",
        record.time().toEpochMilli(),
        record.author(),
        record.command(),
        record.subject());
  }

  /** A record and the number of its row. */
  record Numbered(long seq, AuditRecord record) {}

  /**
   * Records, newest first.
   *
   * @param since none that is older
   * @param before number of the oldest row that was read, {@link Long#MAX_VALUE} at first
   */
  List<Numbered> page(Instant since, long before, int rows) throws SQLException {
    return sql.rows(
        "SELECT seq, time_ms, author, command, subject FROM audit WHERE seq < ? AND time_ms >= ?"
            + " ORDER BY seq DESC LIMIT ?",
        row ->
            new Numbered(
                row.getLong(1),
                new AuditRecord(
                    Instant.ofEpochMilli(row.getLong(2)),
                    Statements.text(row, 3),
                    Statements.text(row, 4),
                    Statements.text(row, 5))),
        before,
        since.toEpochMilli(),
        rows);
  }

  void trim() throws SQLException {
    sql.change(
        "DELETE FROM audit WHERE seq <= (SELECT coalesce(max(seq), 0) FROM audit) - ?", MAX_ROWS);
  }
}
