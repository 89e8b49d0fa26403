package io.bloomgate.blocklists.operator;

import io.bloomgate.blocklists.database.PatientFile;
import io.bloomgate.blocklists.database.SqliteFile;
import io.bloomgate.blocklists.database.SqliteFile.UnusableException;
import io.bloomgate.blocklists.database.Statements;
import io.bloomgate.blocklists.database.WriterSizes;
import io.bloomgate.blocklists.entry.KeyHash;
import io.bloomgate.blocklists.operator.OperatorLists.Page;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The SQLite file behind {@link OperatorLists}, with a few connections that only read. Not
 * thread-safe but for {@link #read} and {@link #checkLater}: its owner holds the lock.
 */
final class OperatorDatabase implements AutoCloseable {

  /**
   * Sizes of the writer. Its cache holds the index of two million entries: with less, a large
   * change writes pages early and reads them again. Entries come in no order of their hashes, so a
   * long import writes the same pages of the index again and again, and a longer log folds each of
   * them in less often.
   */
  private static final WriterSizes SIZES = new WriterSizes(65_536, 16_000);

  /** Entries, or records of the audit, of one page. */
  private static final int PAGE_ROWS = 1_000;

  private static final String LIKENESS_SEED = "likeness_seed";

  /**
   * Queries at a time. A query is native code, which holds the carrier of a virtual thread while it
   * runs; so few run at a time, and a caller that finds no free reader waits in Java.
   */
  private static final int READERS = 4;

  /** Time that a query waits for a reader before the store counts as unreadable. */
  private static final long PATIENCE_SECONDS = 5;

  /** A place for one connection, opened at its first use and again after a failure. */
  private static final class Reader {
    @Nullable Statements statements;
    int connected;
  }

  private final Path file;

  /** {@code null} for one that is only looked at. */
  private final @Nullable PatientFile patient;

  private final SqliteFile database;
  private final Statements sql;

  private final BlockingQueue<Reader> idle = new ArrayBlockingQueue<>(READERS);
  private volatile boolean closed;

  private OperatorDatabase(Path file, @Nullable PatientFile patient, SqliteFile database) {
    this.file = file;
    this.patient = patient;
    this.database = database;
    this.sql = database.statements();
    for (int i = 0; i < READERS; i++) {
      idle.add(new Reader());
    }
  }

  /**
   * Opens for reading and writing; makes the file with mode 0600 where there is none. On a disk
   * that cannot be written now it is only read until {@link #tryWriting}.
   */
  static OperatorDatabase open(Path file, InstantSource clock) throws OperatorListsException {
    try {
      PatientFile patient =
          PatientFile.open(
              file, OperatorSchema.SCHEMA, SIZES, (sql, _) -> beginToWrite(sql, clock));
      return new OperatorDatabase(file, patient, patient.database());
    } catch (UnusableException e) {
      throw OperatorListsException.of(file, "open", e);
    } catch (IOException e) {
      throw OperatorListsException.of(file, "create", e);
    }
  }

  private static void beginToWrite(Statements statements, InstantSource clock) throws SQLException {
    statements.change(
        "INSERT OR IGNORE INTO meta VALUES (?, ?)",
        OperatorSchema.USAGE_SINCE,
        Long.toString(clock.millis()));
    AuditRecord.trim(statements);
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
        _ -> {
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
    Optional<String> taken = transaction("read", sql -> remembered(sql, LIKENESS_SEED));
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

  /** A question to the tables on one of the readers. */
  @FunctionalInterface
  interface Query<T> {
    T of(Statements sql) throws SQLException;
  }

  /**
   * Runs a query, which sees what was committed when it began. Called on any thread.
   *
   * @throws OperatorListsException when the file cannot be read, or no reader was free for long
   */
  <T> T read(Query<T> query) throws OperatorListsException {
    Reader reader = take();
    try {
      int connected = patient == null ? 0 : patient.connected();
      if (reader.connected != connected) {
        discard(reader, new SQLException("of a file that could not be written"));
      }
      Statements statements = reader.statements;
      if (statements == null) {
        statements = database.reader();
        reader.statements = statements;
        reader.connected = connected;
      }
      return query.of(statements);
    } catch (SQLException e) {
      discard(reader, e);
      throw OperatorListsException.of(file, "read", e);
    } finally {
      idle.add(reader);
      if (closed) {
        closeReaders();
      }
    }
  }

  private Reader take() throws OperatorListsException {
    try {
      Reader reader = closed ? null : idle.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
      if (reader != null) {
        return reader;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    throw new OperatorListsException(
        file + " cannot be read now", closed ? "the gateway is stopping" : "repeat the command");
  }

  private static void discard(Reader reader, SQLException cause) {
    Statements statements = reader.statements;
    reader.statements = null;
    if (statements != null) {
      try {
        statements.close();
      } catch (SQLException e) {
        cause.addSuppressed(e);
      }
    }
  }

  /** Closes the idle readers; those in use are closed when their query ends. */
  void closeReaders() {
    closed = true;
    for (Reader reader = idle.poll(); reader != null; reader = idle.poll()) {
      discard(reader, new SQLException("closed"));
    }
  }

  /**
   * Reads a page.
   *
   * @param before number of the last row of the page before
   * @param query gives the number of a row first
   */
  static <T> Page<T> page(
      Statements sql,
      long before,
      Statements.Reader<T> item,
      String query,
      @Nullable Object... parameters)
      throws SQLException {
    long[] last = {before};
    List<T> items = new ArrayList<>();
    sql.forEach(
        query + " LIMIT " + PAGE_ROWS,
        row -> {
          items.add(item.read(row));
          last[0] = row.getLong(1);
        },
        parameters);
    return new Page<>(items, last[0], items.size() < PAGE_ROWS);
  }

  /** Runs the work as one transaction: after return all of it is on the disk, or none of it. */
  <T> T transaction(String doing, Query<T> work) throws OperatorListsException {
    try {
      T result = work.of(sql);
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
