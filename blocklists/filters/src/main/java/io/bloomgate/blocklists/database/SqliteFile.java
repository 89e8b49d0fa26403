package io.bloomgate.blocklists.database;

import io.bloomgate.config.fault.Faults;
import java.io.IOException;
import java.io.Serial;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteConnection;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteOpenMode;

/**
 * One SQLite file with tables of Bloomgate: WAL, and {@code synchronous=FULL} where a commit has to
 * be on the disk when it returns. Opening proves that the file is whole and ours. Not thread-safe
 * but for {@link #reader} and {@link #checkLater}: its owner holds the lock.
 */
public final class SqliteFile implements AutoCloseable {

  /**
   * The longest time that another process may hold the file before a command fails, in
   * milliseconds.
   */
  private static final int BUSY_TIMEOUT_MS = 5_000;

  /** Largest file that is proven whole before it is used; a larger one takes seconds. */
  private static final long CHECKED_AT_OPEN_OCTETS = 32L << 20;

  /** Memory for pages of each reader, outside the heap and taken as it is needed. */
  private static final int READER_CACHE_KIB = 2_048;

  /** Ends the address of tables that are in memory until their file can be written. */
  private static final String IN_MEMORY = "?mode=memory&cache=shared";

  /** SQLite's primary result code is the low octet of the extended one. */
  private static final int PRIMARY_CODE_MASK = 0xff;

  /** A kind of problem with a file. */
  public enum Fault {
    DAMAGED,
    OTHER_PROGRAM,
    OTHER_RELEASE,
    /** The file has no tables yet: the gateway that made it was killed before its first commit. */
    EMPTY,
    FULL_DISK,
    NO_ACCESS,
    READ_ONLY,
    BUSY,
    OTHER;

    /** The fault that an error of SQLite stands for. */
    public static Fault of(SQLException e) {
      if (SQLiteErrorCode.getErrorCode(e.getErrorCode()) == SQLiteErrorCode.SQLITE_IOERR_SHMSIZE) {
        return FULL_DISK; // no room for the index of the log
      }
      return switch (SQLiteErrorCode.getErrorCode(e.getErrorCode() & PRIMARY_CODE_MASK)) {
        case SQLITE_CORRUPT, SQLITE_NOTADB -> DAMAGED;
        case SQLITE_FULL -> FULL_DISK;
        case SQLITE_CANTOPEN, SQLITE_PERM, SQLITE_AUTH -> NO_ACCESS;
        case SQLITE_READONLY -> READ_ONLY;
        case SQLITE_BUSY, SQLITE_LOCKED -> BUSY;
        default -> OTHER;
      };
    }
  }

  /** A file cannot be used. The message is SQLite's, for the log. */
  public static final class UnusableException extends IOException {
    @Serial private static final long serialVersionUID = 1L;
    private final Fault fault;

    UnusableException(Fault fault, String message) {
      super(message);
      this.fault = fault;
    }

    /** The failure of a statement. */
    public UnusableException(SQLException cause) {
      super(cause.getMessage(), cause);
      this.fault = Fault.of(cause);
    }

    /** The kind of problem. */
    public Fault fault() {
      return fault;
    }
  }

  /**
   * The tables of a file.
   *
   * @param applicationId marks the file as ours in the header ({@code PRAGMA application_id})
   * @param format number of the tables ({@code PRAGMA user_version}), from 1
   * @param statements that make them in a new file
   */
  public record Schema(int applicationId, int format, List<String> statements) {
    public Schema {
      statements = List.copyOf(statements);
    }
  }

  private final Path file;
  private final Schema schema;
  private final Statements statements;
  private volatile String url;

  private SqliteFile(Path file, Schema schema, Connection connection, String url) {
    this.file = file;
    this.schema = schema;
    this.statements = new Statements(connection);
    this.url = url;
  }

  /**
   * Opens for reading and writing; makes the file with mode 0600 where there is none.
   *
   * @throws UnusableException when the file cannot be used
   * @throws IOException when it cannot be made
   */
  public static SqliteFile open(Path file, Schema schema, WriterSizes sizes) throws IOException {
    DatabaseFiles.createOwnerOnly(file);
    if (!Files.isWritable(file)) {
      // SQLite would open it for reading and say so at the first change only, for ever.
      throw new UnusableException(Fault.READ_ONLY, file + " cannot be written");
    }
    SQLiteConfig config = config(sizes.cacheKib());
    config.setJournalMode(SQLiteConfig.JournalMode.WAL);
    config.setSynchronous(
        sizes.synced() ? SQLiteConfig.SynchronousMode.FULL : SQLiteConfig.SynchronousMode.NORMAL);
    SqliteFile opened = connect(file, schema, config, "");
    opened.orClose(() -> {
      Connection connection = opened.statements.connection();
      try (Statement statement = connection.createStatement()) {
        statement.execute("PRAGMA wal_autocheckpoint = " + sizes.logPages());
      }
      opened.checkOurs();
      connection.setAutoCommit(false);
      opened.makeTables();
      connection.commit();
    });
    return opened;
  }

  /**
   * Opens for reading beside a running gateway, or without one. Without the right to write in the
   * directory a file whose log was folded in can still be read.
   *
   * @param file that exists
   * @throws UnusableException when it cannot be used
   */
  public static SqliteFile openReadOnly(Path file, Schema schema) throws UnusableException {
    return openReadOnly(file, schema, !Files.isWritable(DatabaseFiles.directory(file)));
  }

  /**
   * The same.
   *
   * @param unchanging true when no other process writes: then a file whose log was folded in is
   *     read also where SQLite finds no room for the index of the log
   */
  public static SqliteFile openReadOnly(Path file, Schema schema, boolean unchanging)
      throws UnusableException {
    SQLiteConfig config = config(READER_CACHE_KIB);
    config.setReadOnly(true);
    boolean immutable = unchanging && DatabaseFiles.size(DatabaseFiles.beside(file, "-wal")) == 0;
    SqliteFile opened = connect(file, schema, config, immutable ? "?immutable=1" : "");
    opened.orClose(() -> {
      opened.checkOurs();
      if (opened.pragma("user_version") == 0) {
        throw new UnusableException(Fault.EMPTY, file + " has no tables yet");
      }
      opened.statements.connection().setAutoCommit(false);
    });
    return opened;
  }

  /**
   * Opens tables in memory.
   *
   * @param file where they would be
   * @param copied true to begin with those of the file, as they are with its log
   */
  static SqliteFile inMemory(Path file, Schema schema, boolean copied) throws UnusableException {
    SqliteFile opened = connect(file, schema, config(READER_CACHE_KIB), IN_MEMORY);
    opened.orClose(() -> {
      Connection connection = opened.statements.connection();
      if (copied) {
        connection
            .unwrap(SQLiteConnection.class)
            .getDatabase()
            .restore("main", file.toString(), null);
        opened.checkOurs();
      }
      connection.setAutoCommit(false);
      opened.makeTables();
      opened.commit();
    });
    return opened;
  }

  /** Goes on with the connection of another, which is not used any more by itself. */
  void continueOn(SqliteFile other) throws SQLException {
    url = other.url;
    statements.continueOn(other.statements.connection());
  }

  /** The failure of a column that holds what this program never writes: a damaged file. */
  public static SQLException damaged(String what) {
    return new SQLException(what + " cannot be read", null, SQLiteErrorCode.SQLITE_CORRUPT.code);
  }

  private static SQLiteConfig config(int cacheKib) {
    SQLiteConfig config = new SQLiteConfig();
    config.setBusyTimeout(BUSY_TIMEOUT_MS);
    config.setOpenMode(SQLiteOpenMode.NOMUTEX); // the driver has its own lock for each call
    // Nobody asks for them, and the driver would ask for them after each row.
    config.setGetGeneratedKeys(false);
    // Negative: KiB in place of pages.
    config.setCacheSize(-cacheKib);
    return config;
  }

  private static SqliteFile connect(Path file, Schema schema, SQLiteConfig config, String query)
      throws UnusableException {
    try {
      String url = "jdbc:sqlite:file:" + file.toUri().getRawPath() + query;
      return new SqliteFile(file, schema, config.createConnection(url), url);
    } catch (SQLException e) {
      throw new UnusableException(e);
    }
  }

  private void checkOurs() throws SQLException, UnusableException {
    if (DatabaseFiles.size(file) <= CHECKED_AT_OPEN_OCTETS) {
      quickCheck(file, statements);
    }
    int id = pragma("application_id");
    if (id != schema.applicationId && (id != 0 || !isEmpty())) {
      throw new UnusableException(Fault.OTHER_PROGRAM, file + " is a database of another program");
    }
    int format = pragma("user_version");
    if (format != 0 && format != schema.format) {
      throw new UnusableException(
          Fault.OTHER_RELEASE, file + " " + Faults.otherFormat(format, schema.format));
    }
  }

  /** All tables or none: the connection is in a transaction. */
  private void makeTables() throws SQLException {
    if (pragma("user_version") == schema.format) {
      return;
    }
    try (Statement statement = statements.connection().createStatement()) {
      for (String sql : schema.statements) {
        statement.execute(sql);
      }
      statement.execute("PRAGMA application_id = " + schema.applicationId);
      statement.execute("PRAGMA user_version = " + schema.format);
    }
  }

  private boolean isEmpty() throws SQLException {
    try (Statement statement = statements.connection().createStatement();
        ResultSet rows = statement.executeQuery("SELECT count(*) FROM sqlite_schema")) {
      return rows.next() && rows.getInt(1) == 0;
    }
  }

  private int pragma(String name) throws SQLException {
    try (Statement statement = statements.connection().createStatement();
        ResultSet rows = statement.executeQuery("PRAGMA " + name)) {
      return rows.next() ? rows.getInt(1) : 0;
    }
  }

  /** The connection that {@link #open} made, and its statements. */
  public Statements statements() {
    return statements;
  }

  /** A connection that reads a file, whatever is in it. */
  static Statements reader(Path file) throws SQLException {
    SQLiteConfig reading = config(READER_CACHE_KIB);
    reading.setReadOnly(true);
    return new Statements(
        reading.createConnection("jdbc:sqlite:file:" + file.toUri().getRawPath()));
  }

  /** Another connection to the same file, which reads what was committed. */
  public Statements reader() throws SQLException {
    SQLiteConfig reading = config(READER_CACHE_KIB);
    reading.setReadOnly(true);
    reading.setReadUncommitted(url.endsWith(IN_MEMORY)); // else a change keeps readers out
    return new Statements(reading.createConnection(url));
  }

  /** Keeps what was changed: after return it is on the disk. */
  public void commit() throws SQLException {
    statements.connection().commit();
  }

  /**
   * Drops what was changed because of this failure. The file can be used again afterwards, as soon
   * as the disk works again.
   */
  public void rollBack(Throwable cause) {
    try {
      // After a full disk or a read error the driver has closed the statement, and does not say so.
      statements.forget();
    } catch (SQLException e) {
      cause.addSuppressed(e);
    }
    try {
      statements.connection().rollback();
    } catch (SQLException e) {
      cause.addSuppressed(e);
      beginAgain(cause);
    }
  }

  /**
   * SQLite itself ended the transaction, as it does when a commit finds no room on the disk, but
   * the driver believes that one is open: without this no later commit succeeds.
   */
  private void beginAgain(Throwable cause) {
    try (Statement statement = statements.connection().createStatement()) {
      statement.execute("BEGIN");
    } catch (SQLException e) {
      cause.addSuppressed(e);
    }
  }

  /**
   * Proves every page of a file that was too large for it at the start, on a separate connection.
   * Takes about a second for a million entries.
   *
   * @throws UnusableException when the file is damaged or cannot be read
   */
  public void checkLater() throws UnusableException {
    if (DatabaseFiles.size(file) <= CHECKED_AT_OPEN_OCTETS) {
      return;
    }
    try (Statements reader = reader()) {
      quickCheck(file, reader);
    } catch (SQLException e) {
      throw new UnusableException(e);
    }
  }

  static void quickCheck(Path file, Statements on) throws SQLException, UnusableException {
    try (Statement statement = on.connection().createStatement();
        ResultSet rows = statement.executeQuery("PRAGMA quick_check(1)")) {
      if (!rows.next() || !"ok".equals(rows.getString(1))) {
        throw new UnusableException(Fault.DAMAGED, "quick_check of " + file + " failed");
      }
    }
  }

  interface Opening {
    void run() throws SQLException, UnusableException;
  }

  void orClose(Opening opening) throws UnusableException {
    try {
      opening.run();
    } catch (SQLException e) {
      close();
      throw new UnusableException(e);
    } catch (UnusableException e) {
      close();
      throw e;
    }
  }

  @Override
  public void close() throws UnusableException {
    try {
      statements.close();
    } catch (SQLException e) {
      throw new UnusableException(e);
    }
  }
}
