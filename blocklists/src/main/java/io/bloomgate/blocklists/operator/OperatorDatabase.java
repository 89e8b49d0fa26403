package io.bloomgate.blocklists.operator;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Optional;
import java.util.Set;
import org.sqlite.SQLiteConfig;

/**
 * The SQLite file behind {@link OperatorLists}: one connection, WAL, {@code synchronous=FULL}, so
 * that a commit is on the disk when it returns; its tables are in {@link EntryTable}, {@link
 * FileTable} and {@link AuditTable}. Not thread-safe but for {@link #reader} and {@link
 * #checkLater}: its owner holds the lock.
 */
final class OperatorDatabase implements AutoCloseable {

  /** How long another process may hold the file before a command fails. */
  private static final int BUSY_TIMEOUT_MS = 5_000;

  private static final Set<PosixFilePermission> OWNER_ONLY =
      PosixFilePermissions.fromString("rw-------");

  /** Largest file that is proven whole before it is used; a larger one takes seconds. */
  private static final long CHECKED_AT_OPEN_OCTETS = 32L << 20;

  /**
   * What the log holds before it is folded in: pages of 4 KiB. Entries come in no order of their
   * hashes, so a long import writes the same pages of the index again and again, and a longer log
   * folds each of them in less often.
   */
  private static final int LOG_PAGES = 16_000;

  /**
   * Memory for pages outside the heap, taken as it is needed. The writer's holds the index of two
   * million entries: with less, a large change writes pages early and reads them again.
   */
  private static final int WRITER_CACHE_KIB = 65_536;

  /** The same of each reader. */
  private static final int READER_CACHE_KIB = 2_048;

  /** Opens a further connection for reading. */
  @FunctionalInterface
  private interface Readers {
    Connection open() throws SQLException;
  }

  private final Path file;
  private final Statements statements;
  private final Readers readers;

  private OperatorDatabase(Path file, Connection connection, Readers readers) {
    this.file = file;
    this.statements = new Statements(connection);
    this.readers = readers;
  }

  /** Opens for reading and writing; makes the file with mode 0600 where there is none. */
  static OperatorDatabase open(Path file) throws OperatorListsException {
    try {
      createOwnerOnly(file);
    } catch (IOException e) {
      throw OperatorListsException.of(file, "create", e);
    }
    SQLiteConfig config = config(WRITER_CACHE_KIB);
    config.setJournalMode(SQLiteConfig.JournalMode.WAL);
    config.setSynchronous(SQLiteConfig.SynchronousMode.FULL);
    SqliteLibrary.unpack(directory(file), true);
    OperatorDatabase database = connect(file, config, "");
    database.orClose(
        "open",
        () -> {
          Connection connection = database.statements.connection();
          try (Statement statement = connection.createStatement()) {
            statement.execute("PRAGMA wal_autocheckpoint = " + LOG_PAGES);
          }
          database.checkWhole();
          connection.setAutoCommit(false);
          OperatorSchema.migrate(connection);
          database.audit().trim();
          connection.commit();
        });
    return database;
  }

  /**
   * Opens for reading beside a running gateway, or without one. Without the right to write in the
   * directory a file whose log was folded in can still be read.
   */
  static OperatorDatabase openReadOnly(Path file) throws OperatorListsException {
    if (!Files.exists(file)) {
      throw new OperatorListsException(
          file + " does not exist", "name the right state_dir, or start the gateway once");
    }
    SQLiteConfig config = config(READER_CACHE_KIB);
    config.setReadOnly(true);
    boolean folded = !Files.exists(file.resolveSibling(file.getFileName() + "-wal"));
    boolean immutable = folded && !Files.isWritable(directory(file));
    SqliteLibrary.unpack(directory(file), false);
    OperatorDatabase database = connect(file, config, immutable ? "?immutable=1" : "");
    database.orClose(
        "open",
        () -> {
          database.checkWhole();
          if (OperatorSchema.version(database.statements.connection()) < OperatorSchema.VERSION) {
            throw new OperatorListsException(
                file + " was written by an older Bloomgate",
                "start the gateway once to convert it");
          }
          database.statements.connection().setAutoCommit(false);
        });
    return database;
  }

  private static SQLiteConfig config(int cacheKib) {
    SQLiteConfig config = new SQLiteConfig();
    config.setBusyTimeout(BUSY_TIMEOUT_MS);
    // Negative: KiB in place of pages.
    config.setCacheSize(-cacheKib);
    return config;
  }

  private static OperatorDatabase connect(Path file, SQLiteConfig config, String query)
      throws OperatorListsException {
    try {
      String url = "jdbc:sqlite:file:" + file.toUri().getRawPath() + query;
      return new OperatorDatabase(
          file,
          config.createConnection(url),
          () -> {
            SQLiteConfig reading = config(READER_CACHE_KIB);
            reading.setReadOnly(true);
            return reading.createConnection(url);
          });
    } catch (SQLException e) {
      throw OperatorListsException.of(file, "open", e);
    }
  }

  private static Path directory(Path file) {
    Path parent = file.toAbsolutePath().getParent();
    return parent == null ? file.toAbsolutePath() : parent;
  }

  /** The -wal and -shm files take the mode of the file itself. */
  private static void createOwnerOnly(Path file) throws IOException {
    try {
      Files.createFile(file, PosixFilePermissions.asFileAttribute(OWNER_ONLY));
    } catch (FileAlreadyExistsException e) {
      if (!Files.getPosixFilePermissions(file).equals(OWNER_ONLY)) {
        Files.setPosixFilePermissions(file, OWNER_ONLY);
      }
    }
  }

  private void checkWhole() throws SQLException, OperatorListsException {
    Connection connection = statements.connection();
    if (size() <= CHECKED_AT_OPEN_OCTETS) {
      quickCheck(statements);
    }
    if (!OperatorSchema.isOurs(connection)) {
      throw new OperatorListsException(
          file + " is a database of another program", "move it aside and start again");
    }
    int version = OperatorSchema.version(connection);
    if (version > OperatorSchema.VERSION) {
      throw new OperatorListsException(
          file + " was written by a newer Bloomgate (version " + version + ")",
          "install that version again; this one knows version " + OperatorSchema.VERSION);
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
    return new Statements(readers.open());
  }

  /** Changes that belong together. */
  interface Work<T> {
    T run() throws SQLException;
  }

  /** Runs the work as one transaction: after return all of it is on the disk, or none of it. */
  <T> T transaction(String doing, Work<T> work) throws OperatorListsException {
    try {
      T result = work.run();
      statements.connection().commit();
      return result;
    } catch (SQLException e) {
      rollBack(e);
      throw OperatorListsException.of(file, doing, e);
    } catch (SavedFront.UnreadableKeysException e) {
      rollBack(e);
      throw OperatorListsException.of(file, doing, e.failure());
    } catch (RuntimeException | Error e) {
      rollBack(e);
      throw e;
    }
  }

  private void rollBack(Throwable cause) {
    try {
      statements.connection().rollback();
    } catch (SQLException e) {
      cause.addSuppressed(e);
    }
  }

  /**
   * Proves every page of a file that was too large for it at the start, on a separate connection.
   * Takes about a second for a million entries.
   *
   * @throws OperatorListsException when the file is damaged or cannot be read
   */
  void checkLater() throws OperatorListsException {
    if (size() <= CHECKED_AT_OPEN_OCTETS) {
      return;
    }
    try (Statements reader = reader()) {
      quickCheck(reader);
    } catch (SQLException e) {
      throw OperatorListsException.of(file, "check", e);
    }
  }

  private void quickCheck(Statements on) throws SQLException, OperatorListsException {
    try (Statement statement = on.connection().createStatement();
        ResultSet rows = statement.executeQuery("PRAGMA quick_check(1)")) {
      if (!rows.next() || !"ok".equals(rows.getString(1))) {
        throw OperatorListsException.damaged(
            file,
            "operator lists: quick_check of " + file + " failed",
            new SQLException("quick_check"));
      }
    }
  }

  private long size() {
    try {
      return Files.size(file);
    } catch (IOException e) {
      return 0;
    }
  }

  private interface Opening {
    void run() throws SQLException, OperatorListsException;
  }

  private void orClose(String doing, Opening opening) throws OperatorListsException {
    try {
      opening.run();
    } catch (SQLException e) {
      close();
      throw OperatorListsException.of(file, doing, e);
    } catch (OperatorListsException e) {
      close();
      throw e;
    }
  }

  @Override
  public void close() throws OperatorListsException {
    try {
      statements.close();
    } catch (SQLException e) {
      throw OperatorListsException.of(file, "close", e);
    }
  }
}
