package io.bloomgate.blocklists.database;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;

/**
 * One connection and its statements, each compiled once. Not thread-safe: the writer's owner holds
 * the lock, a reader has it to itself.
 */
public final class Statements implements AutoCloseable {

  private final Connection connection;
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

  @Override
  public void close() throws SQLException {
    for (PreparedStatement statement : prepared.values()) {
      statement.close();
    }
    connection.close();
  }
}
