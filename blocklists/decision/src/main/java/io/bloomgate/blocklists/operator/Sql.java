package io.bloomgate.blocklists.operator;

import io.bloomgate.blocklists.database.Statements;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Runs SQL with its parameters on one connection; each text is compiled once. Made by {@link
 * OperatorDatabase} for the writer and by {@link EntryReaders} for each reader; on the thread that
 * owns the connection.
 */
record Sql(Statements statements) {

  /** Makes a value of the row that a result is at. */
  @FunctionalInterface
  interface Reader<T> {
    T read(ResultSet row) throws SQLException;
  }

  /** Takes the row that a result is at. */
  @FunctionalInterface
  interface Taker {
    void take(ResultSet row) throws SQLException;
  }

  private PreparedStatement bound(String sql, @Nullable Object... parameters) throws SQLException {
    PreparedStatement statement = statements.of(sql);
    for (int i = 0; i < parameters.length; i++) {
      statement.setObject(i + 1, parameters[i]);
    }
    return statement;
  }

  /** Gives every row. */
  void forEach(String sql, Taker taker, @Nullable Object... parameters) throws SQLException {
    try (ResultSet rows = bound(sql, parameters).executeQuery()) {
      while (rows.next()) {
        taker.take(rows);
      }
    }
  }

  <T> List<T> rows(String sql, Reader<T> reader, @Nullable Object... parameters)
      throws SQLException {
    List<T> found = new ArrayList<>(2);
    forEach(sql, row -> found.add(reader.read(row)), parameters);
    return found;
  }

  <T> Optional<T> first(String sql, Reader<T> reader, @Nullable Object... parameters)
      throws SQLException {
    return rows(sql, reader, parameters).stream().findFirst();
  }

  /** The number that the first row begins with; 0 where there is no row. */
  long number(String sql, @Nullable Object... parameters) throws SQLException {
    return first(sql, row -> row.getLong(1), parameters).orElse(0L);
  }

  /** Changes rows within the running transaction. */
  void change(String sql, @Nullable Object... parameters) throws SQLException {
    bound(sql, parameters).executeUpdate();
  }

  /** A column that is never empty. */
  static String text(ResultSet row, int column) throws SQLException {
    return String.valueOf(row.getString(column));
  }
}
