package io.bloomgate.blocklists.operator;

import io.bloomgate.blocklists.database.SqliteFile;
import io.bloomgate.blocklists.database.SqliteFile.UnusableException;
import io.bloomgate.blocklists.database.Statements;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;

/**
 * The SQLite file behind {@link OperatorLists}; its tables are in {@link EntryTable}, {@link
 * FileTable} and {@link AuditTable}. Not thread-safe but for {@link #reader} and {@link
 * #checkLater}: its owner holds the lock.
 */
final class OperatorDatabase implements AutoCloseable {

  /**
   * Of the writer. Its cache holds the index of two million entries: with less, a large change
   * writes pages early and reads them again. Entries come in no order of their hashes, so a long
   * import writes the same pages of the index again and again, and a longer log folds each of them
   * in less often.
   */
  private static final SqliteFile.Sizes SIZES = new SqliteFile.Sizes(65_536, 16_000);

  private final Path file;
  private final SqliteFile database;
  private final Statements statements;

  private OperatorDatabase(Path file, SqliteFile database) {
    this.file = file;
    this.database = database;
    this.statements = database.statements();
  }

  /** Opens for reading and writing; makes the file with mode 0600 where there is none. */
  static OperatorDatabase open(Path file) throws OperatorListsException {
    OperatorDatabase opened;
    try {
      opened = new OperatorDatabase(file, SqliteFile.open(file, OperatorSchema.SCHEMA, SIZES));
    } catch (UnusableException e) {
      throw OperatorListsException.of(file, "open", e);
    } catch (IOException e) {
      throw OperatorListsException.of(file, "create", e);
    }
    try {
      opened.audit().trim();
      ContentBlocks.makeIndex(opened.statements.connection());
      opened.database.commit();
    } catch (SQLException e) {
      opened.close();
      throw OperatorListsException.of(file, "open", e);
    }
    return opened;
  }

  /** Opens for reading beside a running gateway, or without one. */
  static OperatorDatabase openReadOnly(Path file) throws OperatorListsException {
    if (!Files.exists(file)) {
      throw new OperatorListsException(
          file + " does not exist", "name the right state_dir, or start the gateway once");
    }
    try {
      return new OperatorDatabase(file, SqliteFile.openReadOnly(file, OperatorSchema.SCHEMA));
    } catch (UnusableException e) {
      throw OperatorListsException.of(file, "open", e);
    }
  }

  /** What hashes subjects. */
  SubjectKeys keys() throws OperatorListsException {
    try {
      return OperatorSchema.keys(statements.connection());
    } catch (SQLException e) {
      throw OperatorListsException.of(file, "read", e);
    }
  }

  EntryTable entries() {
    return new EntryTable(statements);
  }

  FileTable files() {
    return new FileTable(statements);
  }

  SharedTable shared() {
    return new SharedTable(statements);
  }

  AuditTable audit() {
    return new AuditTable(statements);
  }

  /** A named value that {@link #remember} stored; empty when there is none. */
  Optional<String> remembered(String name) throws SQLException {
    PreparedStatement statement = statements.of("SELECT value FROM meta WHERE name = ?");
    statement.setString(1, name);
    try (ResultSet rows = statement.executeQuery()) {
      return rows.next() ? Optional.ofNullable(rows.getString(1)) : Optional.empty();
    }
  }

  /** Stores a named value within the running transaction. */
  void remember(String name, String value) throws SQLException {
    PreparedStatement statement = statements.of("INSERT OR REPLACE INTO meta VALUES (?, ?)");
    statement.setString(1, name);
    statement.setString(2, value);
    statement.executeUpdate();
  }

  /** Forgets a named value within the running transaction. */
  void forget(String name) throws SQLException {
    PreparedStatement statement = statements.of("DELETE FROM meta WHERE name = ?");
    statement.setString(1, name);
    statement.executeUpdate();
  }

  /** Another connection to the same file, which reads what was committed. */
  Statements reader() throws SQLException {
    return database.reader();
  }

  /** Changes that belong together. */
  interface Work<T> {
    T run() throws SQLException;
  }

  /** Runs the work as one transaction: after return all of it is on the disk, or none of it. */
  <T> T transaction(String doing, Work<T> work) throws OperatorListsException {
    try {
      T result = work.run();
      database.commit();
      return result;
    } catch (SQLException e) {
      database.rollBack(e);
      throw OperatorListsException.of(file, doing, e);
    } catch (SavedFront.UnreadableKeysException e) {
      database.rollBack(e);
      throw OperatorListsException.of(file, doing, e.failure());
    } catch (RuntimeException | Error e) {
      database.rollBack(e);
      throw e;
    }
  }

  /**
   * Proves every page of a file that was too large for it at the start.
   *
   * @throws OperatorListsException when the file is damaged or cannot be read
   */
  void checkLater() throws OperatorListsException {
    try {
      database.checkLater();
    } catch (UnusableException e) {
      throw OperatorListsException.of(file, "check", e);
    }
  }

  @Override
  public void close() throws OperatorListsException {
    try {
      database.close();
    } catch (UnusableException e) {
      throw OperatorListsException.of(file, "close", e);
    }
  }
}
