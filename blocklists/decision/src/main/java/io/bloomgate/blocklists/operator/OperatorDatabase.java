package io.bloomgate.blocklists.operator;

import io.bloomgate.blocklists.database.PatientFile;
import io.bloomgate.blocklists.database.SqliteFile;
import io.bloomgate.blocklists.database.SqliteFile.UnusableException;
import io.bloomgate.blocklists.database.Statements;
import io.bloomgate.blocklists.database.WriterSizes;
import io.bloomgate.blocklists.entry.KeyHash;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The SQLite file behind {@link OperatorLists}; its tables are in {@link EntryTable}, {@link
 * FileTable} and {@link AuditTable}. Not thread-safe but for {@link #reader} and {@link
 * #checkLater}: its owner holds the lock.
 */
final class OperatorDatabase implements AutoCloseable {

  /**
   * Sizes of the writer. Its cache holds the index of two million entries: with less, a large
   * change writes pages early and reads them again. Entries come in no order of their hashes, so a
   * long import writes the same pages of the index again and again, and a longer log folds each of
   * them in less often.
   */
  private static final WriterSizes SIZES = new WriterSizes(65_536, 16_000);

  private static final String LIKENESS_SEED = "likeness_seed";

  private final Path file;

  /** {@code null} for one that is only looked at. */
  private final @Nullable PatientFile patient;

  private final SqliteFile database;
  private final Statements sql;

  private OperatorDatabase(Path file, @Nullable PatientFile patient, SqliteFile database) {
    this.file = file;
    this.patient = patient;
    this.database = database;
    this.sql = database.statements();
  }

  /**
   * Opens for reading and writing; makes the file with mode 0600 where there is none. On a disk
   * that cannot be written now it is only read until {@link #tryWriting}.
   */
  static OperatorDatabase open(Path file) throws OperatorListsException {
    try {
      PatientFile patient =
          PatientFile.open(file, OperatorSchema.SCHEMA, SIZES, OperatorDatabase::beginToWrite);
      return new OperatorDatabase(file, patient, patient.database());
    } catch (UnusableException e) {
      throw OperatorListsException.of(file, "open", e);
    } catch (IOException e) {
      throw OperatorListsException.of(file, "create", e);
    }
  }

  private static void beginToWrite(Statements statements, boolean later) throws SQLException {
    new AuditTable(statements).trim();
  }

  /** Returns why changes cannot be stored now; empty when they can. */
  Optional<OperatorListsException> unwritable() {
    return Optional.ofNullable(patient == null ? null : patient.unwritable())
        .map(e -> OperatorListsException.of(file, "write", e));
  }

  /**
   * Fails when a change could not be stored now.
   *
   * @throws OperatorListsException when it could not be stored
   */
  void requireWritable() throws OperatorListsException {
    if (patient == null) {
      throw new OperatorListsException(
          file + " is open for reading only", "start the gateway and repeat the command");
    }
    Optional<OperatorListsException> why = unwritable();
    if (why.isPresent()) {
      throw why.get();
    }
  }

  /** A sentence while changes cannot be stored. */
  Optional<String> alarm() {
    return unwritable()
        .map(e -> "entries cannot be changed now, those on the disk hold: " + e.userMessage());
  }

  /** A line for the log when changes are stored from now on, and were not until now. */
  Optional<String> tryWriting() {
    return patient != null && patient.tryWriting()
        ? Optional.of(file + " can be written again")
        : Optional.empty();
  }

  /** Another number when {@link #reader} has to be asked again. */
  int connected() {
    return patient == null ? 0 : patient.connected();
  }

  /** Opens for reading beside a running gateway, or without one. */
  static OperatorDatabase openReadOnly(Path file) throws OperatorListsException {
    if (!Files.exists(file)) {
      throw new OperatorListsException(
          file + " does not exist", "name the right state_dir, or start the gateway once");
    }
    try {
      return new OperatorDatabase(file, null, SqliteFile.openReadOnly(file, OperatorSchema.SCHEMA));
    } catch (UnusableException e) {
      throw OperatorListsException.of(file, "open", e);
    }
  }

  /**
   * Returns the 64-bit hash under which a subject is in the store and in the filter before it. Its
   * seed is random for each store and is in no log. Two subjects may share a hash, so readers
   * compare the subjects as well.
   */
  KeyHash keys() throws OperatorListsException {
    return transaction(
        "read",
        () -> {
          byte[] seed =
              sql.first("SELECT value FROM meta WHERE name = 'seed'", row -> row.getBytes(1))
                  .filter(value -> value.length == 2 * Long.BYTES)
                  .orElseThrow(() -> SqliteFile.damaged("the seed"));
          ByteBuffer words = ByteBuffer.wrap(seed);
          return new KeyHash(words.getLong(), words.getLong());
        });
  }

  /** The seed of the likenesses that entries hold: that of a fleet, or the store's own. */
  long likenessSeed() throws OperatorListsException {
    Optional<String> taken = transaction("read", () -> remembered(LIKENESS_SEED));
    return taken.isPresent() ? Long.parseLong(taken.get(), 16) : keys().text("likeness");
  }

  /** Takes the seed of a fleet within the running transaction. */
  void takeLikenessSeed(long seed) throws SQLException {
    remember(LIKENESS_SEED, Long.toString(seed, 16));
  }

  /** The writer's connection; its changes are part of the running transaction. */
  Statements sql() {
    return sql;
  }

  /** A named value that {@link #remember} stored; empty when there is none. */
  Optional<String> remembered(String name) throws SQLException {
    return remembered(sql, name);
  }

  /** The same, as one of the readers sees it. */
  static Optional<String> remembered(Statements sql, String name) throws SQLException {
    return sql.first("SELECT value FROM meta WHERE name = ?", row -> Statements.text(row, 1), name);
  }

  /** Stores a named value within the running transaction. */
  void remember(String name, String value) throws SQLException {
    sql.change("INSERT OR REPLACE INTO meta VALUES (?, ?)", name, value);
  }

  /** Forgets a named value within the running transaction. */
  void forget(String name) throws SQLException {
    sql.change("DELETE FROM meta WHERE name = ?", name);
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
      throw unwritable().orElseGet(() -> OperatorListsException.of(file, doing, e));
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
