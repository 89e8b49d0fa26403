package io.bloomgate.blocklists.operator;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/**
 * The tables of the operator database and the way from each version to the next. The version stands
 * in the file header ({@code PRAGMA user_version}); version n is reached by running the first n
 * steps. Steps are only ever added.
 */
final class OperatorSchema {

  /** Marks the file as ours in the header ({@code PRAGMA application_id}): "BlGt". */
  static final int APPLICATION_ID = 0x426c4774;

  private static final List<List<String>> STEPS =
      List.of(
          List.of(
              """
              CREATE TABLE entry (
                seq INTEGER PRIMARY KEY AUTOINCREMENT,
                list TEXT NOT NULL CHECK (list IN ('allow', 'block')),
                subject TEXT NOT NULL,
                from_network TEXT NOT NULL,
                scope TEXT NOT NULL,
                reason TEXT NOT NULL,
                author TEXT NOT NULL,
                created_ms INTEGER NOT NULL,
                expires_ms INTEGER,
                UNIQUE (list, subject, from_network, scope)
              ) STRICT
              """,
              """
              CREATE TABLE audit (
                seq INTEGER PRIMARY KEY AUTOINCREMENT,
                time_ms INTEGER NOT NULL,
                author TEXT NOT NULL,
                command TEXT NOT NULL,
                subject TEXT NOT NULL
              ) STRICT
              """));

  /** The version that this program writes. */
  static final int VERSION = STEPS.size();

  private OperatorSchema() {}

  /** The version that the open file has; 0 for a new one. */
  static int version(Connection connection) throws SQLException {
    return pragma(connection, "user_version");
  }

  /** True when the file is new or one of ours. */
  static boolean isOurs(Connection connection) throws SQLException {
    int id = pragma(connection, "application_id");
    return id == APPLICATION_ID || (id == 0 && isEmpty(connection));
  }

  /** Runs the missing steps, all or none; the connection is in a transaction. */
  static void migrate(Connection connection) throws SQLException {
    int version = version(connection);
    try (Statement statement = connection.createStatement()) {
      for (List<String> step : STEPS.subList(version, VERSION)) {
        for (String sql : step) {
          statement.execute(sql);
        }
      }
      statement.execute("PRAGMA application_id = " + APPLICATION_ID);
      statement.execute("PRAGMA user_version = " + VERSION);
    }
  }

  private static boolean isEmpty(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("SELECT count(*) FROM sqlite_schema")) {
      return rows.next() && rows.getInt(1) == 0;
    }
  }

  private static int pragma(Connection connection, String name) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("PRAGMA " + name)) {
      return rows.next() ? rows.getInt(1) : 0;
    }
  }
}
