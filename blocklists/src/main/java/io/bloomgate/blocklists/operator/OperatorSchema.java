package io.bloomgate.blocklists.operator;

import io.bloomgate.blocklists.database.SqliteFile;
import java.nio.ByteBuffer;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/**
 * The tables of the operator database. An entry is found by the hash of its subject: the subject
 * may be long, the hash is 8 octets, which halves the file. Entries of list files are rows with a
 * file and a line. Used by {@link OperatorDatabase} while it opens.
 */
final class OperatorSchema {

  /** "BlGt" in the header of the file. */
  private static final int APPLICATION_ID = 0x426c4774;

  static final SqliteFile.Schema SCHEMA =
      new SqliteFile.Schema(
          APPLICATION_ID,
          1,
          List.of(
              """
              CREATE TABLE audit (
                seq INTEGER PRIMARY KEY AUTOINCREMENT,
                time_ms INTEGER NOT NULL,
                author TEXT NOT NULL,
                command TEXT NOT NULL,
                subject TEXT NOT NULL
              ) STRICT
              """,
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
              "CREATE INDEX entry_key ON entry (key, list, network)",
              "CREATE INDEX entry_network ON entry (list, subject) WHERE network = 1",
              "CREATE INDEX entry_file ON entry (file, line) WHERE file > 0"));

  private OperatorSchema() {}

  /** The seed of {@link SubjectKeys}. */
  static SubjectKeys keys(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("SELECT value FROM meta WHERE name = 'seed'")) {
      byte[] seed = rows.next() ? rows.getBytes(1) : new byte[0];
      if (seed == null || seed.length != 2 * Long.BYTES) {
        throw SqliteFile.damaged("the seed");
      }
      ByteBuffer words = ByteBuffer.wrap(seed);
      return new SubjectKeys(words.getLong(), words.getLong());
    }
  }
}
