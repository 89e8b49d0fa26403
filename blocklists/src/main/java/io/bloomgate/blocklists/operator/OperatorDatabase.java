package io.bloomgate.blocklists.operator;

import io.bloomgate.blocklists.operator.OperatorEntry.ListKind;
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
import java.sql.Types;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.sqlite.SQLiteConfig;

/**
 * The SQLite file behind {@link OperatorLists}: one connection, WAL, {@code synchronous=FULL}, so
 * that a commit is on the disk when it returns. Not thread-safe: its owner holds the lock. The only
 * class that speaks SQL.
 */
final class OperatorDatabase implements AutoCloseable {

  /** How long another process may hold the file before a command fails. */
  private static final int BUSY_TIMEOUT_MS = 5_000;

  /** Audit rows that are kept; older ones go. */
  private static final int MAX_AUDIT_ROWS = 100_000;

  private static final Set<PosixFilePermission> OWNER_ONLY =
      PosixFilePermissions.fromString("rw-------");

  private final Path file;
  private final Connection connection;

  private OperatorDatabase(Path file, Connection connection) {
    this.file = file;
    this.connection = connection;
  }

  /** Opens for reading and writing; makes the file with mode 0600 where there is none. */
  static OperatorDatabase open(Path file) throws OperatorListsException {
    try {
      createOwnerOnly(file);
    } catch (IOException e) {
      throw OperatorFailures.of(file, "create", e);
    }
    SQLiteConfig config = config();
    config.setJournalMode(SQLiteConfig.JournalMode.WAL);
    config.setSynchronous(SQLiteConfig.SynchronousMode.FULL);
    OperatorDatabase database = connect(file, config, "");
    database.orClose(
        "open",
        () -> {
          database.checkWhole();
          database.connection.setAutoCommit(false);
          OperatorSchema.migrate(database.connection);
          database.trimAudit();
          database.connection.commit();
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
    SQLiteConfig config = config();
    config.setReadOnly(true);
    boolean folded = !Files.exists(file.resolveSibling(file.getFileName() + "-wal"));
    boolean immutable = folded && !Files.isWritable(directory(file));
    OperatorDatabase database = connect(file, config, immutable ? "?immutable=1" : "");
    database.orClose(
        "open",
        () -> {
          database.checkWhole();
          if (OperatorSchema.version(database.connection) < OperatorSchema.VERSION) {
            throw new OperatorListsException(
                file + " was written by an older Bloomgate",
                "start the gateway once to convert it");
          }
        });
    return database;
  }

  private static SQLiteConfig config() {
    SQLiteConfig config = new SQLiteConfig();
    config.setBusyTimeout(BUSY_TIMEOUT_MS);
    return config;
  }

  private static OperatorDatabase connect(Path file, SQLiteConfig config, String query)
      throws OperatorListsException {
    try {
      String url = "jdbc:sqlite:file:" + file.toUri().getRawPath() + query;
      return new OperatorDatabase(file, config.createConnection(url));
    } catch (SQLException e) {
      throw OperatorFailures.of(file, "open", e);
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
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("PRAGMA quick_check(1)")) {
      if (!rows.next() || !"ok".equals(rows.getString(1))) {
        throw OperatorFailures.damaged(
            file,
            "operator lists: quick_check of " + file + " failed",
            new SQLException("quick_check"));
      }
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

  /** All entries in order of creation; a row that cannot be read is named in the exception. */
  List<OperatorEntry> entries() throws OperatorListsException {
    String sql =
        "SELECT seq, list, subject, from_network, scope, reason, author, created_ms, expires_ms"
            + " FROM entry ORDER BY seq";
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      List<OperatorEntry> entries = new ArrayList<>();
      while (rows.next()) {
        entries.add(entry(rows));
      }
      return entries;
    } catch (SQLException e) {
      throw OperatorFailures.of(file, "read", e);
    }
  }

  private OperatorEntry entry(ResultSet row) throws SQLException, OperatorListsException {
    long seq = row.getLong("seq");
    ListKind list = row.getString("list").equals("allow") ? ListKind.ALLOW : ListKind.BLOCK;
    Instant expires = instant(row, "expires_ms");
    Optional<NewEntry> entry =
        StoredText.read(
            list,
            row.getString("subject"),
            row.getString("from_network"),
            row.getString("scope"),
            row.getString("reason"),
            expires);
    if (entry.isEmpty()) {
      throw OperatorFailures.damaged(
          file,
          "operator lists: row " + seq + " of " + file + " cannot be read",
          new SQLException("row " + seq));
    }
    Instant created = Instant.ofEpochMilli(row.getLong("created_ms"));
    return entry.get().entry(StoredText.id(list, seq), row.getString("author"), created);
  }

  private static @Nullable Instant instant(ResultSet row, String column) throws SQLException {
    long millis = row.getLong(column);
    return row.wasNull() ? null : Instant.ofEpochMilli(millis);
  }

  /** Adds a row within the running transaction; answers with the stored entry. */
  OperatorEntry insert(NewEntry entry, String author, Instant created) throws SQLException {
    String sql =
        "INSERT INTO entry (list, subject, from_network, scope, reason, author, created_ms,"
            + " expires_ms) VALUES (?, ?, ?, ?, ?, ?, ?, ?) RETURNING seq";
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setString(1, Words.of(entry.list()));
      statement.setString(2, entry.subject().toString());
      statement.setString(3, entry.from() == null ? "" : entry.from().toString());
      statement.setString(4, StoredText.scope(entry.scope(), entry.anyScope()));
      statement.setString(5, entry.reason());
      statement.setString(6, author);
      statement.setLong(7, created.toEpochMilli());
      setInstant(statement, 8, entry.expires());
      try (ResultSet rows = statement.executeQuery()) {
        if (!rows.next()) {
          throw new SQLException("no row number returned");
        }
        return entry.entry(StoredText.id(entry.list(), rows.getLong(1)), author, created);
      }
    }
  }

  /** Changes reason, expiry, author and time of a row within the running transaction. */
  void update(OperatorEntry entry) throws SQLException {
    String sql =
        "UPDATE entry SET reason = ?, author = ?, created_ms = ?, expires_ms = ? WHERE seq = ?";
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setString(1, entry.reason());
      statement.setString(2, entry.author());
      statement.setLong(3, entry.created().toEpochMilli());
      setInstant(statement, 4, entry.expires());
      statement.setLong(5, StoredText.seq(entry.id()));
      statement.executeUpdate();
    }
  }

  /** Takes a row away within the running transaction. */
  void delete(OperatorEntry entry) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement("DELETE FROM entry WHERE seq = ?")) {
      statement.setLong(1, StoredText.seq(entry.id()));
      statement.executeUpdate();
    }
  }

  /** Writes down who did what within the running transaction. */
  void audit(AuditRecord record) throws SQLException {
    String sql = "INSERT INTO audit (time_ms, author, command, subject) VALUES (?, ?, ?, ?)";
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setLong(1, record.time().toEpochMilli());
      statement.setString(2, record.author());
      statement.setString(3, record.command());
      statement.setString(4, record.subject());
      statement.executeUpdate();
    }
  }

  /** The newest records, newest first. */
  List<AuditRecord> audit(int limit) throws OperatorListsException {
    String sql = "SELECT time_ms, author, command, subject FROM audit ORDER BY seq DESC LIMIT ?";
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setInt(1, limit);
      try (ResultSet rows = statement.executeQuery()) {
        List<AuditRecord> records = new ArrayList<>();
        while (rows.next()) {
          records.add(
              new AuditRecord(
                  Instant.ofEpochMilli(rows.getLong(1)),
                  rows.getString(2),
                  rows.getString(3),
                  rows.getString(4)));
        }
        return records;
      }
    } catch (SQLException e) {
      throw OperatorFailures.of(file, "read the audit of", e);
    }
  }

  private void trimAudit() throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.executeUpdate(
          "DELETE FROM audit WHERE seq <= (SELECT coalesce(max(seq), 0) FROM audit) - "
              + MAX_AUDIT_ROWS);
    }
  }

  /** Changes that belong together. */
  interface Work<T> {
    T run() throws SQLException;
  }

  /** Runs the work as one transaction: after return all of it is on the disk, or none of it. */
  <T> T transaction(String doing, Work<T> work) throws OperatorListsException {
    try {
      T result = work.run();
      connection.commit();
      return result;
    } catch (SQLException e) {
      rollBack(e);
      throw OperatorFailures.of(file, doing, e);
    }
  }

  private void rollBack(SQLException cause) {
    try {
      connection.rollback();
    } catch (SQLException e) {
      cause.addSuppressed(e);
    }
  }

  private static void setInstant(PreparedStatement statement, int at, @Nullable Instant time)
      throws SQLException {
    if (time == null) {
      statement.setNull(at, Types.INTEGER);
    } else {
      statement.setLong(at, time.toEpochMilli());
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
      throw OperatorFailures.of(file, doing, e);
    } catch (OperatorListsException e) {
      close();
      throw e;
    }
  }

  @Override
  public void close() throws OperatorListsException {
    try {
      connection.close();
    } catch (SQLException e) {
      throw OperatorFailures.of(file, "close", e);
    }
  }
}
