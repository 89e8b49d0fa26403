package io.bloomgate.blocklists.operator;

import io.bloomgate.blocklists.database.Statements;
import io.bloomgate.blocklists.operator.OperatorLists.Page;
import java.sql.SQLException;
import java.time.Instant;

/**
 * A change of an operator list: its time, author and command. Immutable; stored by {@link
 * StoreWriter} in the transaction of the change, so that a change and its record are stored
 * together.
 *
 * @param author Unix user of the command
 * @param command the command, as {@code allow add}
 * @param subject the entry or feed that was changed, as {@link OperatorText} writes it
 */
public record AuditRecord(Instant time, String author, String command, String subject) {

  /** Rows that are kept; older ones go when the gateway starts. */
  private static final int MAX_ROWS = 100_000;

  /**
   * Reads a page, newest first.
   *
   * @param since none that is older
   * @param before number of the oldest row that was read, {@link Long#MAX_VALUE} at first
   */
  static Page<AuditRecord> page(Statements sql, Instant since, long before) throws SQLException {
    return OperatorDatabase.page(
        sql,
        before,
        row ->
            new AuditRecord(
                Instant.ofEpochMilli(row.getLong(2)),
                Statements.text(row, 3),
                Statements.text(row, 4),
                Statements.text(row, 5)),
        "SELECT seq, time_ms, author, command, subject FROM audit WHERE seq < ? AND time_ms >= ?"
            + " ORDER BY seq DESC",
        before,
        since.toEpochMilli());
  }

  /** Forgets the oldest rows. */
  static void trim(Statements sql) throws SQLException {
    sql.change(
        "DELETE FROM audit WHERE seq <= (SELECT coalesce(max(seq), 0) FROM audit) - ?", MAX_ROWS);
  }
}
