package io.bloomgate.blocklists.database;

import java.io.IOException;
import java.io.Serial;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Set;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteOpenMode;

/**
 * One SQLite file with tables of Bloomgate: WAL and {@code synchronous=FULL}, so that a commit is
 * on the disk when it returns. Opening proves that the file is whole and ours. Not thread-safe but
 * for {@link #reader} and {@link #checkLater}: its owner holds the lock.
 */
public final class SqliteFile implements AutoCloseable {

  /** How long another process may hold the file before a command fails. */
  private static final int BUSY_TIMEOUT_MS = 5_000;

  private static final Set<PosixFilePermission> OWNER_ONLY =
      PosixFilePermissions.fromString("rw-------");

  /** Largest file that is proven whole before it is used; a larger one takes seconds. */
  private static final long CHECKED_AT_OPEN_OCTETS = 32L << 20;

  /** Memory for pages of each reader, outside the heap and taken as it is needed. */
  private static final int READER_CACHE_KIB = 2_048;

  /** SQLite's primary result code is the low octet of the extended one. */
  private static final int PRIMARY_CODE_MASK = 0xff;

  /** What is wrong with a file. */
  public enum Fault {
    DAMAGED,
    OTHER_PROGRAM,
    NEWER_RELEASE,
    /** It has no tables yet: the gateway that made it was killed before its first commit. */
    EMPTY,
    FULL_DISK,
    NO_ACCESS,
    READ_ONLY,
    BUSY,
    OTHER;

    /** The fault that an error of SQLite stands for. */
    public static Fault of(SQLException e) {
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

    /** What is wrong. */
    public Fault fault() {
      return fault;
    }
  }

  /**
   * The tables of a file.
   *
   * @param applicationId marks the file as ours in the header ({@code PRAGMA application_id})
   * @param version of the tables ({@code PRAGMA user_version}), from 1
   * @param statements that make them in a new file
   */
  public record Schema(int applicationId, int version, List<String> statements) {
    public Schema {
      statements = List.copyOf(statements);
    }
  }

  /**
   * What a writer may take.
   *
   * @param cacheKib memory for pages outside the heap, taken as it is needed
   * @param logPages what the log holds before it is folded in: pages of 4 KiB
   */
  public record Sizes(int cacheKib, int logPages) {}

  /** Opens a further connection for reading. */
  @FunctionalInterface
  private interface Readers {
    Connection open() throws SQLException;
  }

  private final Path file;
  private final Schema schema;
  private final Statements statements;
  private final Readers readers;

  private SqliteFile(Path file, Schema schema, Connection connection, Readers readers) {
    this.file = file;
    this.schema = schema;
    this.statements = new Statements(connection);
    this.readers = readers;
  }

  /**
   * Opens for reading and writing; makes the file with mode 0600 where there is none.
   *
   * @throws UnusableException when the file cannot be used
   * @throws IOException when it cannot be made
   */
  public static SqliteFile open(Path file, Schema schema, Sizes sizes) throws IOException {
    createOwnerOnly(file);
    SQLiteConfig config = config(sizes.cacheKib);
    config.setJournalMode(SQLiteConfig.JournalMode.WAL);
    config.setSynchronous(SQLiteConfig.SynchronousMode.FULL);
    SqliteLibrary.unpack(directory(file), true);
    SqliteFile opened = connect(file, schema, config, "");
    opened.orClose(() -> {
      Connection connection = opened.statements.connection();
      try (Statement statement = connection.createStatement()) {
        statement.execute("PRAGMA wal_autocheckpoint = " + sizes.logPages);
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
    SQLiteConfig config = config(READER_CACHE_KIB);
    config.setReadOnly(true);
    config.setOpenMode(SQLiteOpenMode.NOMUTEX); // the driver has its own lock for each call
    boolean folded = !Files.exists(file.resolveSibling(file.getFileName() + "-wal"));
    boolean immutable = folded && !Files.isWritable(directory(file));
    SqliteLibrary.unpack(directory(file), false);
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
   * Moves a damaged file out of the way of another one.
   *
   * @return where it is now
   */
  public static Path setAside(Path file) throws IOException {
    Path damaged = file.resolveSibling(file.getFileName() + ".damaged");
    Files.move(file, damaged, StandardCopyOption.REPLACE_EXISTING);
    // They are of the damaged file, and name it by its place.
    Files.deleteIfExists(file.resolveSibling(file.getFileName() + "-wal"));
    Files.deleteIfExists(file.resolveSibling(file.getFileName() + "-shm"));
    return damaged;
  }

  /** The failure of a column that holds what this program never writes: a damaged file. */
  public static SQLException damaged(String what) {
    return new SQLException(what + " cannot be read", null, SQLiteErrorCode.SQLITE_CORRUPT.code);
  }

  private static SQLiteConfig config(int cacheKib) {
    SQLiteConfig config = new SQLiteConfig();
    config.setBusyTimeout(BUSY_TIMEOUT_MS);
    // Negative: KiB in place of pages.
    config.setCacheSize(-cacheKib);
    return config;
  }

  private static SqliteFile connect(Path file, Schema schema, SQLiteConfig config, String query)
      throws UnusableException {
    try {
      String url = "jdbc:sqlite:file:" + file.toUri().getRawPath() + query;
      return new SqliteFile(
          file,
          schema,
          config.createConnection(url),
          () -> {
            SQLiteConfig reading = config(READER_CACHE_KIB);
            reading.setReadOnly(true);
            return reading.createConnection(url);
          });
    } catch (SQLException e) {
      throw new UnusableException(e);
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

  private void checkOurs() throws SQLException, UnusableException {
    if (size() <= CHECKED_AT_OPEN_OCTETS) {
      quickCheck(statements);
    }
    int id = pragma("application_id");
    if (id != schema.applicationId && (id != 0 || !isEmpty())) {
      throw new UnusableException(Fault.OTHER_PROGRAM, file + " is a database of another program");
    }
    int version = pragma("user_version");
    if (version > schema.version) {
      throw new UnusableException(
          Fault.NEWER_RELEASE,
          file
              + " was written by a newer Bloomgate (version "
              + version
              + "); this one knows version "
              + schema.version);
    }
  }

  /** All tables or none: the connection is in a transaction. */
  private void makeTables() throws SQLException {
    if (pragma("user_version") != 0) {
      return;
    }
    try (Statement statement = statements.connection().createStatement()) {
      for (String sql : schema.statements) {
        statement.execute(sql);
      }
      statement.execute("PRAGMA application_id = " + schema.applicationId);
      statement.execute("PRAGMA user_version = " + schema.version);
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

  /** Another connection to the same file, which reads what was committed. */
  public Statements reader() throws SQLException {
    return new Statements(readers.open());
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
    if (size() <= CHECKED_AT_OPEN_OCTETS) {
      return;
    }
    try (Statements reader = reader()) {
      quickCheck(reader);
    } catch (SQLException e) {
      throw new UnusableException(e);
    }
  }

  private void quickCheck(Statements on) throws SQLException, UnusableException {
    try (Statement statement = on.connection().createStatement();
        ResultSet rows = statement.executeQuery("PRAGMA quick_check(1)")) {
      if (!rows.next() || !"ok".equals(rows.getString(1))) {
        throw new UnusableException(Fault.DAMAGED, "quick_check of " + file + " failed");
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
    void run() throws SQLException, UnusableException;
  }

  private void orClose(Opening opening) throws UnusableException {
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
