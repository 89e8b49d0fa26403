package io.bloomgate.blocklists.operator;

import io.bloomgate.blocklists.database.Statements;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A few connections that only read, shared by sessions and commands on any thread. A query is
 * native code, which holds the carrier of a virtual thread while it runs; so few run at a time, and
 * a caller that finds none free waits in Java. Each query sees what was committed when it began.
 */
final class EntryReaders implements AutoCloseable {

  /** Queries at a time. */
  private static final int READERS = 4;

  /** Time that a query waits for a reader before the store counts as unreadable. */
  private static final long PATIENCE_SECONDS = 5;

  /** A place for one connection, opened at its first use and again after a failure. */
  private static final class Reader {
    @Nullable Statements statements;
    int connected;
  }

  private final OperatorDatabase database;
  private final Path file;
  private final BlockingQueue<Reader> idle = new ArrayBlockingQueue<>(READERS);
  private volatile boolean closed;

  EntryReaders(OperatorDatabase database, Path file) {
    this.database = database;
    this.file = file;
    for (int i = 0; i < READERS; i++) {
      idle.add(new Reader());
    }
  }

  /** A question to the tables. */
  @FunctionalInterface
  interface Query<T> {
    T of(Statements sql) throws SQLException;
  }

  /**
   * Runs a query.
   *
   * @throws OperatorListsException when the file cannot be read, or no reader was free for long
   */
  <T> T read(Query<T> query) throws OperatorListsException {
    Reader reader = take();
    try {
      int connected = database.connected();
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
        close();
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

  /** Closes those that are idle; one in use is closed by its user. */
  @Override
  public void close() {
    closed = true;
    for (Reader reader = idle.poll(); reader != null; reader = idle.poll()) {
      discard(reader, new SQLException("closed"));
    }
  }
}
