package io.bloomgate.blocklists.operator;

import io.bloomgate.blocklists.database.Statements;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;

/**
 * The table of entries about recipients, on the writer's connection: read whole when it is opened,
 * changed within the running transaction. Used by {@link StoreWriter}, which holds the lock.
 */
record RecipientTable(Statements sql) {

  /** All entries by subject. */
  Map<String, RecipientEntry> all() throws SQLException {
    Map<String, RecipientEntry> entries = new HashMap<>();
    sql.forEach(
        "SELECT seq, subject, profile, reason, author, created_ms, expires_ms FROM recipient",
        row -> {
          RecipientEntry entry = read(row);
          entries.put(entry.subject(), entry);
        });
    return entries;
  }

  private static RecipientEntry read(ResultSet row) throws SQLException {
    long expires = row.getLong(7);
    boolean forEver = row.wasNull();
    return new RecipientEntry(
        id(row.getLong(1)),
        Statements.text(row, 2),
        Statements.text(row, 3),
        Statements.text(row, 4),
        Statements.text(row, 5),
        Instant.ofEpochMilli(row.getLong(6)),
        forEver ? null : Instant.ofEpochMilli(expires));
  }

  private static String id(long seq) {
    return "r" + seq;
  }

  /** Keeps the entry in place of that of its subject; answers with its id. */
  String put(RecipientEntry entry) throws SQLException {
    return id(
        sql.number(
            "INSERT INTO recipient (subject, profile, reason, author, created_ms, expires_ms)"
                + " VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (subject) DO UPDATE SET"
                + " profile = excluded.profile, reason = excluded.reason,"
                + " author = excluded.author, created_ms = excluded.created_ms,"
                + " expires_ms = excluded.expires_ms RETURNING seq",
            entry.subject(),
            entry.profile(),
            entry.reason(),
            entry.author(),
            entry.created().toEpochMilli(),
            entry.expires() == null ? null : entry.expires().toEpochMilli()));
  }

  void remove(String subject) throws SQLException {
    sql.change("DELETE FROM recipient WHERE subject = ?", subject);
  }
}
