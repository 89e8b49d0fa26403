package io.bloomgate.blocklists.database;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Runs SQL with its parameters on one connection; each text is compiled once. Not thread-safe: the
 * writer's owner holds the lock, a reader has it to itself.
 */
public final class Statements implements AutoCloseable {

  private Connection connection;
  private final Map<String, PreparedStatement> prepared = new HashMap<>();

  Statements(Connection connection) {
    this.connection = connection;
  }

  public Connection connection() {
    return connection;
  }

  /** The statement of that text, ready for its parameters; the caller closes its results only. */
  public PreparedStatement of(String sql) throws SQLException {
    PreparedStatement statement = prepared.get(sql);
    if (statement == null) {
      statement = connection.prepareStatement(sql);
      prepared.put(sql, statement);
    }
    return statement;
  }

  /** Makes a value of the row that a result is at. */
  @FunctionalInterface
  public interface Reader<T> {
    T read(ResultSet row) throws SQLException;
  }

  /** Takes the row that a result is at. */
  @FunctionalInterface
  public interface Taker {
    void take(ResultSet row) throws SQLException;
  }

  private PreparedStatement bound(String sql, @Nullable Object... parameters) throws SQLException {
    PreparedStatement statement = of(sql);
    for (int i = 0; i < parameters.length; i++) {
      statement.setObject(i + 1, parameters[i]);
    }
    return statement;
  }

  /** Gives every row. */
  public void forEach(String sql, Taker taker, @Nullable Object... parameters) throws SQLException {
    try (ResultSet rows = bound(sql, parameters).executeQuery()) {
      while (rows.next()) {
        taker.take(rows);
      }
    }
  }

  /** Reads all rows. */
  public <T> List<T> rows(String sql, Reader<T> reader, @Nullable Object... parameters)
      throws SQLException {
    List<T> found = new ArrayList<>(2);
    forEach(sql, row -> found.add(reader.read(row)), parameters);
    return found;
  }

  /** Reads the first row. */
  public <T> Optional<T> first(String sql, Reader<T> reader, @Nullable Object... parameters)
      throws SQLException {
    return rows(sql, reader, parameters).stream().findFirst();
  }

  /** The number that the first row begins with; 0 where there is no row. */
  public long number(String sql, @Nullable Object... parameters) throws SQLException {
    return first(sql, row -> row.getLong(1), parameters).orElse(0L);
  }

  /** Changes rows within the running transaction. */
  public void change(String sql, @Nullable Object... parameters) throws SQLException {
    bound(sql, parameters).executeUpdate();
  }

  /** A column that is never empty. */
  public static String text(ResultSet row, int column) throws SQLException {
    return String.valueOf(row.getString(column));
  }

  /** Writes what is committed into another file, which is empty or missing. */
  void copyInto(Path copy) throws SQLException {
    change("VACUUM INTO ?", copy.toAbsolutePath().toString());
  }

  /** Closes all statements; the next use of each compiles it again. */
  void forget() throws SQLException {
    List<PreparedStatement> old = List.copyOf(prepared.values());
    prepared.clear();
    for (PreparedStatement statement : old) {
      statement.close();
    }
  }

  /** Goes on with another connection, and closes this one. */
  void continueOn(Connection other) throws SQLException {
    try {
      close();
    } finally {
      connection = other;
    }
  }

  @Override
  public void close() throws SQLException {
    try {
      forget();
    } finally {
      connection.close();
    }
  }
}
