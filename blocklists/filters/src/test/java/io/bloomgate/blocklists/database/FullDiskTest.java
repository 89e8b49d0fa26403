package io.bloomgate.blocklists.database;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.file.Path;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A file whose disk was full is used again as soon as there is room, without a restart. */
final class FullDiskTest {

  private static final SqliteFile.Schema SCHEMA =
      new SqliteFile.Schema(0x426c5465, 1, List.of("CREATE TABLE note (text TEXT) STRICT"));

  private static final WriterSizes SIZES = new WriterSizes(1_024, 256);

  @TempDir private Path directory;

  private SqliteFile open() throws Exception {
    return SqliteFile.open(directory.resolve("notes.db"), SCHEMA, SIZES);
  }

  private static void insert(SqliteFile file, int characters) throws SQLException {
    PreparedStatement insert = file.statements().of("INSERT INTO note VALUES (?)");
    insert.setString(1, "x".repeat(characters));
    insert.executeUpdate();
  }

  private static void run(SqliteFile file, String sql) throws SQLException {
    try (Statement statement = file.statements().connection().createStatement()) {
      statement.execute(sql);
    }
  }

  /** SQLite reports a full disk when a file may have no more pages. */
  private static void fail(SqliteFile file) throws SQLException {
    run(file, "PRAGMA max_page_count = 3");
    SQLException full = assertThrows(SQLException.class, () -> insert(file, 100_000));
    assertEquals(SqliteFile.Fault.FULL_DISK, SqliteFile.Fault.of(full));
    file.rollBack(full);
    run(file, "PRAGMA max_page_count = 1000000");
  }

  private static int rows(SqliteFile file) throws SQLException {
    try (ResultSet count = file.statements().of("SELECT count(*) FROM note").executeQuery()) {
      return count.next() ? count.getInt(1) : -1;
    }
  }

  @Test
  void aStatementThatFailedIsPreparedAgain() throws Exception {
    try (SqliteFile file = open()) {
      insert(file, 1);
      file.commit();
      for (int i = 0; i < 3; i++) {
        fail(file);
      }
      insert(file, 1);
      file.commit();
    }
    try (SqliteFile again = open()) {
      assertEquals(2, rows(again));
    }
  }

  /** SQLite itself ends the transaction when the octets of a commit find no room. */
  @Test
  void aTransactionThatSqliteEndedIsFollowedByAnother() throws Exception {
    try (SqliteFile file = open()) {
      insert(file, 1);
      run(file, "ROLLBACK");
      SQLException ended = assertThrows(SQLException.class, file::commit);
      file.rollBack(ended);
      insert(file, 1);
      file.rollBack(new SQLException("given up"));
      insert(file, 1);
      file.commit();
      assertEquals(1, rows(file));
    }
  }
}
