package io.bloomgate.blocklists.operator;

import io.bloomgate.blocklists.database.Statements;
import io.bloomgate.blocklists.operator.OperatorEntry.ListKind;
import java.nio.file.Path;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * The table of list files whose entries are in the store, on one connection; on the thread that
 * owns the connection.
 */
final class FileTable {

  /**
   * One list file.
   *
   * @param stamp what the file looked like when all of it was stored; empty when it must be read
   *     again
   * @param entries how many entries of it are stored
   */
  record Row(long id, ListKind list, Path path, String stamp, long entries) {}

  private final Statements statements;

  FileTable(Statements statements) {
    this.statements = statements;
  }

  List<Row> all() throws SQLException {
    PreparedStatement statement =
        statements.of("SELECT id, list, path, stamp, entries FROM file ORDER BY id");
    try (ResultSet rows = statement.executeQuery()) {
      List<Row> files = new ArrayList<>();
      while (rows.next()) {
        files.add(
            new Row(
                rows.getLong(1),
                StoredRow.list(rows.getInt(2)),
                Path.of(String.valueOf(rows.getString(3))),
                String.valueOf(rows.getString(4)),
                rows.getLong(5)));
      }
      return files;
    }
  }

  /** The number of a file, which is given now if it has none. */
  long id(ListKind list, Path path) throws SQLException {
    PreparedStatement insert =
        statements.of(
            "INSERT OR IGNORE INTO file (list, path, stamp, entries) VALUES (?, ?, '', 0)");
    insert.setInt(1, StoredRow.column(list));
    insert.setString(2, path.toString());
    insert.executeUpdate();
    PreparedStatement select = statements.of("SELECT id FROM file WHERE list = ? AND path = ?");
    select.setInt(1, StoredRow.column(list));
    select.setString(2, path.toString());
    try (ResultSet rows = select.executeQuery()) {
      if (!rows.next()) {
        throw new SQLException("no number of a file");
      }
      return rows.getLong(1);
    }
  }

  /** Says how far a file is stored. */
  void update(long id, String stamp, long entries) throws SQLException {
    PreparedStatement statement =
        statements.of("UPDATE file SET stamp = ?, entries = ? WHERE id = ?");
    statement.setString(1, stamp);
    statement.setLong(2, entries);
    statement.setLong(3, id);
    statement.executeUpdate();
  }

  /** Forgets a file that has no entries any more. */
  void delete(long id) throws SQLException {
    PreparedStatement statement = statements.of("DELETE FROM file WHERE id = ?");
    statement.setLong(1, id);
    statement.executeUpdate();
  }
}
