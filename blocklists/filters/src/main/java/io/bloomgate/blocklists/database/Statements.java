package io.bloomgate.blocklists.database;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * One connection and its statements, each compiled once. Not thread-safe: the writer's owner holds
 * the lock, a reader has it to itself.
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

  /** Writes what is committed into another file, which is empty or missing. */
  void copyInto(Path copy) throws SQLException {
    PreparedStatement into = of("VACUUM INTO ?");
    into.setString(1, copy.toAbsolutePath().toString());
    into.executeUpdate();
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
