package io.bloomgate.blocklists.operator;

import io.bloomgate.blocklists.database.Statements;
import io.bloomgate.config.name.Likeness;
import io.bloomgate.config.name.ListKind;
import io.bloomgate.config.name.Subject;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * The table of entries on one connection: point queries by the hash of a subject, pages in order of
 * creation, and changes within the running transaction. On the thread that owns the connection.
 */
record EntryTable(Statements sql) {

  /** The rows that {@link ListShape} has to know, in the words of their index. */
  private static final String OF_SHAPE = " FROM entry WHERE list = ?1 AND " + OperatorSchema.SHAPED;

  /**
   * The time since which a row is of no use: its making at the latest, and not before uses were
   * noted at all.
   */
  private static final String LAST_USE =
      "max(ifnull(u.used_ms, 0), e.created_ms, ifnull((SELECT CAST(value AS INTEGER) FROM meta"
          + " WHERE name = '"
          + OperatorSchema.USAGE_SINCE
          + "'), "
          + Long.MAX_VALUE
          + "))";

  /** Rows whose subject has that hash, oldest first; the caller compares the subjects. */
  List<StoredRow> byKey(ListKind list, long key) throws SQLException {
    return sql.rows(
        StoredRow.SELECT + "WHERE e.key = ? AND e.list = ? ORDER BY e.seq",
        StoredRow::read,
        key,
        StoredRow.column(list));
  }

  /** The row of a number. */
  Optional<StoredRow> bySeq(long seq) throws SQLException {
    return sql.first(StoredRow.SELECT + "WHERE e.seq = ?", StoredRow::read, seq);
  }

  /** Rows of one line of the list files of that name. */
  List<StoredRow> byLine(ListKind list, String fileName, int line) throws SQLException {
    return sql.rows(
        StoredRow.SELECT
            + "WHERE e.file IN (SELECT id FROM file WHERE list = ? AND (path = ?2 OR"
            + " substr(path, -length(?2) - 1) = '/' || ?2)) AND e.line = ?3",
        StoredRow::read,
        StoredRow.column(list),
        fileName,
        line);
  }

  /**
   * The next rows of a list in order of creation.
   *
   * @param match text that subject or reason must hold; with {@code *} in it, which stands for any
   *     characters, text that the whole of one must match; empty for all
   * @param unusedSince only those that are older and were of no use since; {@code null} for all
   * @param after number of the last row that was read, 0 at first
   */
  List<StoredRow> page(
      ListKind list, String match, @Nullable Instant unusedSince, long after, int rows)
      throws SQLException {
    return sql.rows(
        StoredRow.SELECT
            + "WHERE e.seq > ? AND e.list = ? AND (e.subject LIKE ?4 ESCAPE '\\' OR e.reason LIKE"
            + " ?4 ESCAPE '\\') AND (?5 IS NULL OR "
            + LAST_USE
            + " < ?5) ORDER BY e.seq LIMIT ?3",
        StoredRow::read,
        after,
        StoredRow.column(list),
        rows,
        pattern(match),
        millis(unusedSince));
  }

  /** Returns the pattern in the form that LIKE wants. */
  private static String pattern(String match) {
    String plain = match.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_");
    return match.indexOf('*') < 0 ? "%" + plain + "%" : plain.replace('*', '%');
  }

  /** Gives all rows of a list file. */
  void ofFile(long file, Consumer<StoredRow> taker) throws SQLException {
    sql.forEach(
        StoredRow.SELECT + "WHERE e.file = ? AND e.file > 0",
        row -> taker.accept(StoredRow.read(row)),
        file);
  }

  private static String from(NewEntry entry) {
    return entry.from() == null ? "" : entry.from().toString();
  }

  /** Entries of a list. */
  long count(ListKind list) throws SQLException {
    return sql.number("SELECT count(*) FROM entry WHERE list = ?", StoredRow.column(list));
  }

  /** Patterns of both lists that compare more than a name. */
  long patterns() throws SQLException {
    return sql.number(
        "SELECT count(*) FROM entry WHERE list IN (0, 1) AND kind = ?1 AND "
            + OperatorSchema.SHAPED,
        ListShape.PATTERN);
  }

  /** Subjects of the oldest entries that hold at this time. */
  List<Subject> subjects(ListKind list, Instant now, int limit) throws SQLException {
    return sql
        .rows(
            "SELECT subject FROM entry WHERE list = ? AND (expires_ms IS NULL OR expires_ms > ?)"
                + " ORDER BY seq LIMIT ?",
            row -> StoredRow.value(Subject.parseEntry(Statements.text(row, 1))),
            StoredRow.column(list),
            now.toEpochMilli(),
            limit)
        .stream()
        .distinct()
        .toList();
  }

  /** Hashes of all subjects of a list, one for each entry. */
  long[] keys(ListKind list) throws SQLException {
    LongStream.Builder keys = LongStream.builder();
    sql.forEach(
        "SELECT key FROM entry WHERE list = ?",
        row -> keys.add(row.getLong(1)),
        StoredRow.column(list));
    return keys.build().toArray();
  }

  /** Returns what is to be known of a list besides its hashes; read from an index alone. */
  ListShape shape(ListKind list) throws SQLException {
    ListShape shape = new ListShape();
    sql.forEach(
        "SELECT kind, scope, max(ifnull(expires_ms, ?2))" + OF_SHAPE + " GROUP BY kind, scope",
        row ->
            shape.add(
                Statements.text(row, 1),
                StoredRow.checks(Statements.text(row, 2)),
                Instant.ofEpochMilli(row.getLong(3))),
        StoredRow.column(list),
        Long.MAX_VALUE);
    sql.forEach(
        "SELECT DISTINCT subject" + OF_SHAPE + " AND kind = ?2",
        row -> shape.add(StoredRow.value(Likeness.parse(Statements.text(row, 1)))),
        StoredRow.column(list),
        ListShape.LIKENESS);
    return shape;
  }

  /**
   * Adds a row within the running transaction.
   *
   * @param file number of the list file, 0 for none
   * @return its number
   */
  long insert(NewEntry entry, long key, String author, Instant created, long file, int line)
      throws SQLException {
    long seq =
        sql.number(
            "INSERT INTO entry (list, key, kind, subject, from_network, scope, reason, author,"
                + " created_ms, expires_ms, file, line) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
                + " RETURNING seq",
            StoredRow.column(entry.list()),
            key,
            ListShape.kind(entry.subject()),
            entry.subject().written(),
            from(entry),
            StoredRow.scope(entry.scope(), entry.anyScope()),
            entry.reason(),
            author,
            created.toEpochMilli(),
            millis(entry.expires()),
            file,
            line);
    if (entry.unused() != null) {
      unused(seq, entry.unused());
    }
    return seq;
  }

  private void unused(long seq, @Nullable Duration unused) throws SQLException {
    sql.change(
        "INSERT INTO usage (entry, unused_s) VALUES (?, ?) ON CONFLICT (entry) DO UPDATE SET"
            + " unused_s = excluded.unused_s",
        seq,
        unused == null ? null : unused.toSeconds());
  }

  /** Notes the last use of a row within the running transaction. */
  void used(long seq, Instant at) throws SQLException {
    sql.change(
        "INSERT INTO usage (entry, used_ms) VALUES (?, ?) ON CONFLICT (entry) DO UPDATE SET"
            + " used_ms = excluded.used_ms",
        seq,
        at.toEpochMilli());
  }

  /** Changes reason, expiry, author and time of a row within the running transaction. */
  void update(long seq, OperatorEntry entry) throws SQLException {
    sql.change(
        "UPDATE entry SET reason = ?, author = ?, created_ms = ?, expires_ms = ? WHERE seq = ?",
        entry.reason(),
        entry.author(),
        entry.created().toEpochMilli(),
        millis(entry.expires()),
        seq);
    unused(seq, entry.unused());
  }

  /** Says which line of its file a row is now, within the running transaction. */
  void move(long seq, int line) throws SQLException {
    sql.change("UPDATE entry SET line = ? WHERE seq = ?", line, seq);
  }

  /** Takes a row away within the running transaction. */
  void delete(long seq) throws SQLException {
    sql.change("DELETE FROM entry WHERE seq = ?", seq);
    sql.change("DELETE FROM usage WHERE entry = ?", seq);
  }

  private static @Nullable Long millis(@Nullable Instant time) {
    return time == null ? null : time.toEpochMilli();
  }
}
