package io.bloomgate.blocklists.operator;

import io.bloomgate.blocklists.database.SqliteFile;
import io.bloomgate.blocklists.database.Statements;
import io.bloomgate.blocklists.operator.OperatorEntry.ListKind;
import io.bloomgate.config.name.IpPrefix;
import io.bloomgate.config.name.Likeness;
import io.bloomgate.config.name.Subject;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The table of entries on one connection: point queries by the hash of a subject, pages in order of
 * creation, and changes within the running transaction. On the thread that owns the connection.
 */
final class EntryTable {

  /** All texts that begin with {@code like:}, by the index of subjects. */
  private static final String IS_LIKENESS = "subject >= 'like:' AND subject < 'like;'";

  private final Statements statements;

  EntryTable(Statements statements) {
    this.statements = statements;
  }

  /** Rows whose subject has that hash, oldest first; the caller compares the subjects. */
  List<StoredRow> byKey(ListKind list, long key) throws SQLException {
    PreparedStatement statement =
        statements.of(StoredRow.SELECT + "WHERE e.key = ? AND e.list = ? ORDER BY e.seq");
    statement.setLong(1, key);
    statement.setInt(2, StoredRow.column(list));
    return rows(statement);
  }

  /** True when a row has that hash. */
  boolean holds(ListKind list, long key) throws SQLException {
    PreparedStatement statement =
        statements.of("SELECT 1 FROM entry WHERE key = ? AND list = ? LIMIT 1");
    statement.setLong(1, key);
    statement.setInt(2, StoredRow.column(list));
    try (ResultSet rows = statement.executeQuery()) {
      return rows.next();
    }
  }

  /** The row of a number. */
  Optional<StoredRow> bySeq(long seq) throws SQLException {
    PreparedStatement statement = statements.of(StoredRow.SELECT + "WHERE e.seq = ?");
    statement.setLong(1, seq);
    return rows(statement).stream().findFirst();
  }

  /** Rows of one line of the list files of that name. */
  List<StoredRow> byLine(ListKind list, String fileName, int line) throws SQLException {
    PreparedStatement statement =
        statements.of(
            StoredRow.SELECT
                + "WHERE e.file IN (SELECT id FROM file WHERE list = ? AND (path = ?2 OR"
                + " substr(path, -length(?2) - 1) = '/' || ?2)) AND e.line = ?3");
    statement.setInt(1, StoredRow.column(list));
    statement.setString(2, fileName);
    statement.setInt(3, line);
    return rows(statement);
  }

  /**
   * The next rows of a list in order of creation.
   *
   * @param match text that subject or reason must hold; with {@code *} in it, which stands for any
   *     characters, text that the whole of one must match; empty for all
   * @param after number of the last row that was read, 0 at first
   */
  List<StoredRow> page(ListKind list, String match, long after, int rows) throws SQLException {
    PreparedStatement statement =
        statements.of(
            StoredRow.SELECT
                + "WHERE e.seq > ? AND e.list = ?"
                + (match.isEmpty()
                    ? ""
                    : " AND (e.subject LIKE ?4 ESCAPE '\\' OR e.reason LIKE ?4 ESCAPE '\\')")
                + " ORDER BY e.seq LIMIT ?3");
    statement.setLong(1, after);
    statement.setInt(2, StoredRow.column(list));
    statement.setInt(3, rows);
    if (!match.isEmpty()) {
      statement.setString(4, pattern(match));
    }
    return rows(statement);
  }

  /** Returns the pattern in the form that LIKE wants. */
  private static String pattern(String match) {
    String plain = match.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_");
    return match.indexOf('*') < 0 ? "%" + plain + "%" : plain.replace('*', '%');
  }

  /** Takes what is compared of a row of a list file. */
  @FunctionalInterface
  interface FileRows {
    /** Takes a row; {@code hash} is {@link FileContent#hash} of what it says. */
    void take(long seq, int line, long hash);
  }

  /**
   * Gives the next rows of a list file in order of its lines, without making entries of them.
   *
   * @return how many were given
   */
  int ofFile(long file, int afterLine, long afterSeq, int rows, FileRows taker)
      throws SQLException {
    PreparedStatement statement =
        statements.of(
            "SELECT seq, line, key, network, from_network, scope, reason, expires_ms FROM entry"
                + " WHERE file = ? AND file > 0 AND (line, seq) > (?, ?) ORDER BY line, seq"
                + " LIMIT ?");
    statement.setLong(1, file);
    statement.setInt(2, afterLine);
    statement.setLong(3, afterSeq);
    statement.setInt(4, rows);
    int given = 0;
    try (ResultSet results = statement.executeQuery()) {
      while (results.next()) {
        long hash =
            FileContent.hash(
                results.getLong(3),
                results.getInt(4) == 1,
                String.valueOf(results.getString(5)),
                String.valueOf(results.getString(6)),
                String.valueOf(results.getString(7)),
                results.getLong(8));
        taker.take(results.getLong(1), results.getInt(2), hash);
        given++;
      }
    }
    return given;
  }

  private static List<StoredRow> rows(PreparedStatement statement) throws SQLException {
    try (ResultSet results = statement.executeQuery()) {
      List<StoredRow> rows = new ArrayList<>(2);
      while (results.next()) {
        rows.add(StoredRow.read(results));
      }
      return rows;
    }
  }

  /** Entries of a list. */
  long count(ListKind list) throws SQLException {
    PreparedStatement statement = statements.of("SELECT count(*) FROM entry WHERE list = ?");
    statement.setInt(1, StoredRow.column(list));
    try (ResultSet rows = statement.executeQuery()) {
      return rows.next() ? rows.getLong(1) : 0;
    }
  }

  /**
   * Hashes of all subjects of a list, one for each entry, without those that are compared. Column
   * {@code network} says which these are: networks, and later likenesses, too.
   */
  void forEachKey(ListKind list, LongConsumer keys) throws SQLException {
    PreparedStatement statement =
        statements.of("SELECT key FROM entry WHERE list = ? AND network = 0");
    statement.setInt(1, StoredRow.column(list));
    try (ResultSet rows = statement.executeQuery()) {
      while (rows.next()) {
        keys.accept(rows.getLong(1));
      }
    }
  }

  /** Subjects of a list that are networks of more than one address. */
  List<IpPrefix> networks(ListKind list) throws SQLException {
    PreparedStatement statement =
        statements.of(
            "SELECT DISTINCT subject FROM entry WHERE list = ? AND network = 1 AND NOT ("
                + IS_LIKENESS
                + ")");
    statement.setInt(1, StoredRow.column(list));
    try (ResultSet rows = statement.executeQuery()) {
      List<IpPrefix> networks = new ArrayList<>();
      while (rows.next()) {
        networks.add(
            IpPrefix.parse(String.valueOf(rows.getString(1)))
                .toOptional()
                .orElseThrow(() -> SqliteFile.damaged("a network")));
      }
      return networks;
    }
  }

  /** Subjects of a list that are likenesses of texts. */
  List<Likeness> likenesses(ListKind list) throws SQLException {
    PreparedStatement statement =
        statements.of(
            "SELECT DISTINCT subject FROM entry WHERE list = ? AND network = 1 AND " + IS_LIKENESS);
    statement.setInt(1, StoredRow.column(list));
    try (ResultSet rows = statement.executeQuery()) {
      List<Likeness> likenesses = new ArrayList<>();
      while (rows.next()) {
        likenesses.add(
            Likeness.parse(String.valueOf(rows.getString(1)))
                .toOptional()
                .orElseThrow(() -> SqliteFile.damaged("a likeness")));
      }
      return likenesses;
    }
  }

  /**
   * Adds a row within the running transaction.
   *
   * @param file number of the list file, 0 for none
   * @return its number
   */
  long insert(NewEntry entry, long key, String author, Instant created, long file, int line)
      throws SQLException {
    PreparedStatement statement =
        statements.of(
            "INSERT INTO entry (list, key, network, subject, from_network, scope, reason, author,"
                + " created_ms, expires_ms, file, line) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?,"
                + " ?) RETURNING seq");
    Subject subject = entry.subject();
    statement.setInt(1, StoredRow.column(entry.list()));
    statement.setLong(2, key);
    statement.setInt(3, SubjectKeys.isCompared(subject) ? 1 : 0);
    statement.setString(4, subject.written());
    statement.setString(5, entry.from() == null ? "" : entry.from().toString());
    statement.setString(6, StoredRow.scope(entry.scope(), entry.anyScope()));
    statement.setString(7, entry.reason());
    statement.setString(8, author);
    statement.setLong(9, created.toEpochMilli());
    setInstant(statement, 10, entry.expires());
    statement.setLong(11, file);
    statement.setInt(12, line);
    try (ResultSet rows = statement.executeQuery()) {
      if (!rows.next()) {
        throw new SQLException("no row number returned");
      }
      return rows.getLong(1);
    }
  }

  /** Changes reason, expiry, author and time of a row within the running transaction. */
  void update(long seq, OperatorEntry entry) throws SQLException {
    PreparedStatement statement =
        statements.of(
            "UPDATE entry SET reason = ?, author = ?, created_ms = ?, expires_ms = ? WHERE seq ="
                + " ?");
    statement.setString(1, entry.reason());
    statement.setString(2, entry.author());
    statement.setLong(3, entry.created().toEpochMilli());
    setInstant(statement, 4, entry.expires());
    statement.setLong(5, seq);
    statement.executeUpdate();
  }

  /** Says which line of its file a row is now, within the running transaction. */
  void move(long seq, int line) throws SQLException {
    PreparedStatement statement = statements.of("UPDATE entry SET line = ? WHERE seq = ?");
    statement.setInt(1, line);
    statement.setLong(2, seq);
    statement.executeUpdate();
  }

  /** Takes a row away within the running transaction. */
  void delete(long seq) throws SQLException {
    PreparedStatement statement = statements.of("DELETE FROM entry WHERE seq = ?");
    statement.setLong(1, seq);
    statement.executeUpdate();
  }

  private static void setInstant(PreparedStatement statement, int at, @Nullable Instant time)
      throws SQLException {
    if (time == null) {
      statement.setNull(at, Types.INTEGER);
    } else {
      statement.setLong(at, time.toEpochMilli());
    }
  }
}
