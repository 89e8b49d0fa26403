package io.bloomgate.blocklists.operator;

import io.bloomgate.blocklists.database.SqliteFile;
import java.util.List;

/**
 * The tables of the operator database. An entry is found by the hash of its subject: the subject
 * may be long, the hash is 8 octets, which halves the file. Entries of list files are rows with a
 * file and a line. Used by {@link OperatorDatabase} while it opens.
 */
final class OperatorSchema {

  /** "BlGt" in the header of the file. */
  private static final int APPLICATION_ID = 0x426c4774;

  /** The rows of the index that {@link StoredRow#shape} reads. */
  static final String SHAPED = "(kind <> '' OR scope <> '')";

  /** Name of the time since which the uses of entries are noted, in milliseconds since 1970. */
  static final String USAGE_SINCE = "usage_since";

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
                kind TEXT NOT NULL,
                subject TEXT NOT NULL,
                from_network TEXT NOT NULL,
                scope TEXT NOT NULL,
                reason TEXT NOT NULL,
                author TEXT NOT NULL,
                created_ms INTEGER NOT NULL,
                expires_ms INTEGER,
                unused_s INTEGER,
                used_ms INTEGER,
                file INTEGER NOT NULL,
                line INTEGER NOT NULL
              ) STRICT
              """,
              "CREATE INDEX entry_key ON entry (key, list)",
              "CREATE INDEX entry_shape ON entry (list, kind, scope, expires_ms) WHERE " + SHAPED,
              "CREATE INDEX entry_file ON entry (file, line) WHERE file > 0",
              """
              CREATE TABLE recipient (
                seq INTEGER PRIMARY KEY AUTOINCREMENT,
                subject TEXT NOT NULL UNIQUE,
                profile TEXT NOT NULL,
                reason TEXT NOT NULL,
                author TEXT NOT NULL,
                created_ms INTEGER NOT NULL,
                expires_ms INTEGER
              ) STRICT
              """,
              """
              CREATE TABLE fleet (
                subject TEXT PRIMARY KEY,
                ms INTEGER NOT NULL,
                base INTEGER NOT NULL,
                waits INTEGER NOT NULL,
                todo INTEGER NOT NULL,
                text TEXT NOT NULL
              ) STRICT, WITHOUT ROWID
              """,
              "CREATE INDEX fleet_waits ON fleet (ms) WHERE waits = 1",
              "CREATE INDEX fleet_todo ON fleet (ms) WHERE todo = 1"));

  private OperatorSchema() {}
}
