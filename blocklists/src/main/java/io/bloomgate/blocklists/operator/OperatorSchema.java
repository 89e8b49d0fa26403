package io.bloomgate.blocklists.operator;

import io.bloomgate.config.name.Subject;
import java.nio.ByteBuffer;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/**
 * The tables of the operator database and the way from each version to the next. The version is in
 * the file header ({@code PRAGMA user_version}); version n is reached by running the first n steps.
 * Steps are only ever added. Used by {@link OperatorDatabase} while it opens.
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
              """),
          // Found by the hash of the subject; entries of list files are rows with a file and a
          // line. The subject may be long, the hash is 8 octets: half the size of the file.
          List.of(
              "CREATE TABLE meta (name TEXT PRIMARY KEY, value ANY NOT NULL) STRICT",
              "INSERT INTO meta VALUES ('seed', randomblob(16))",
              """
              CREATE TABLE file (
                id INTEGER PRIMARY KEY AUTOINCREMENT,
                list INTEGER NOT NULL,
                path TEXT NOT NULL,
                stamp TEXT NOT NULL,
                entries INTEGER NOT NULL,
                UNIQUE (list, path)
              ) STRICT
              """,
              "ALTER TABLE entry RENAME TO entry_1",
              """
              CREATE TABLE entry (
                seq INTEGER PRIMARY KEY AUTOINCREMENT,
                list INTEGER NOT NULL CHECK (list IN (0, 1)),
                key INTEGER NOT NULL,
                network INTEGER NOT NULL,
                subject TEXT NOT NULL,
                from_network TEXT NOT NULL,
                scope TEXT NOT NULL,
                reason TEXT NOT NULL,
                author TEXT NOT NULL,
                created_ms INTEGER NOT NULL,
                expires_ms INTEGER,
                file INTEGER NOT NULL,
                line INTEGER NOT NULL
              ) STRICT
              """,
              """
              INSERT INTO entry SELECT seq, list = 'block', 0, 0, subject, from_network, scope,
                reason, author, created_ms, expires_ms, 0, 0 FROM entry_1
              """,
              """
              INSERT INTO sqlite_sequence (name, seq) SELECT 'entry', seq FROM sqlite_sequence
                WHERE name = 'entry_1' AND NOT EXISTS
                  (SELECT 1 FROM sqlite_sequence WHERE name = 'entry')
              """,
              """
              UPDATE sqlite_sequence SET seq =
                max(seq, coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'entry_1'), 0))
                WHERE name = 'entry'
              """,
              "DROP TABLE entry_1",
              "CREATE INDEX entry_key ON entry (key, list, network)",
              "CREATE INDEX entry_network ON entry (list, subject) WHERE network = 1",
              "CREATE INDEX entry_file ON entry (file, line) WHERE file > 0"));

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
      if (version == 1) {
        hashSubjects(connection);
      }
      if (version < VERSION) {
        statement.execute("PRAGMA application_id = " + APPLICATION_ID);
        statement.execute("PRAGMA user_version = " + VERSION);
      }
    }
  }

  /** The seed of {@link SubjectKeys}. */
  static SubjectKeys keys(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("SELECT value FROM meta WHERE name = 'seed'")) {
      byte[] seed = rows.next() ? rows.getBytes(1) : new byte[0];
      if (seed == null || seed.length != 2 * Long.BYTES) {
        throw StoredRow.damaged("the seed");
      }
      ByteBuffer words = ByteBuffer.wrap(seed);
      return new SubjectKeys(words.getLong(), words.getLong());
    }
  }

  /** Rows of version 1 had no hash. */
  private static void hashSubjects(Connection connection) throws SQLException {
    SubjectKeys keys = keys(connection);
    try (Statement reading = connection.createStatement();
        ResultSet rows = reading.executeQuery("SELECT seq, subject FROM entry");
        PreparedStatement writing =
            connection.prepareStatement("UPDATE entry SET key = ?, network = ? WHERE seq = ?")) {
      while (rows.next()) {
        long seq = rows.getLong(1);
        Subject subject =
            Subject.parse(String.valueOf(rows.getString(2)))
                .toOptional()
                .orElseThrow(() -> StoredRow.damaged("row " + seq));
        writing.setLong(1, keys.of(subject));
        writing.setInt(2, SubjectKeys.isNetwork(subject) ? 1 : 0);
        writing.setLong(3, seq);
        writing.executeUpdate();
      }
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
