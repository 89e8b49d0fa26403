package io.bloomgate.blocklists.operator;

import io.bloomgate.blocklists.database.Statements;
import io.bloomgate.config.name.ListKind;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;

/**
 * The table of list files whose entries are in the store, on one connection; on the thread that
 * owns the connection.
 */
record FileTable(Statements sql) {

  /**
   * One list file.
   *
   * @param stamp what the file looked like when all of it was stored; empty when it must be read
   *     again
   * @param entries how many entries of it are stored
   */
  record Row(long id, ListKind list, Path path, String stamp, long entries) {}

  List<Row> all() throws SQLException {
    return sql.rows(
        "SELECT id, list, path, stamp, entries FROM file ORDER BY id",
        row ->
            new Row(
                row.getLong(1),
                StoredRow.list(row.getInt(2)),
                Path.of(Statements.text(row, 3)),
                Statements.text(row, 4),
                row.getLong(5)));
  }

  /** The number of a file, which is given now if it has none. */
  long id(ListKind list, Path path) throws SQLException {
    int column = StoredRow.column(list);
    sql.change(
        "INSERT OR IGNORE INTO file (list, path, stamp, entries) VALUES (?, ?, '', 0)",
        column,
        path.toString());
    return sql.number("SELECT id FROM file WHERE list = ? AND path = ?", column, path.toString());
  }

  /** Says how far a file is stored. */
  void update(long id, String stamp, long entries) throws SQLException {
    sql.change("UPDATE file SET stamp = ?, entries = ? WHERE id = ?", stamp, entries, id);
  }

  /** Forgets a file that has no entries any more. */
  void delete(long id) throws SQLException {
    sql.change("DELETE FROM file WHERE id = ?", id);
  }
}
