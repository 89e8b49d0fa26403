package io.bloomgate.blocklists.operator;

import static io.bloomgate.blocklists.database.Statements.text;

import io.bloomgate.blocklists.database.SqliteFile;
import io.bloomgate.blocklists.database.Statements;
import io.bloomgate.blocklists.operator.OperatorLists.Page;
import io.bloomgate.config.name.Check;
import io.bloomgate.config.name.IpPrefix;
import io.bloomgate.config.name.Likeness;
import io.bloomgate.config.name.ListKind;
import io.bloomgate.config.name.Parsed;
import io.bloomgate.config.name.Subject;
import java.nio.file.Path;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * One row of the table of entries, and the queries for them on one connection: point queries by the
 * hash of a subject, pages in order of creation, and changes within the running transaction.
 * Immutable; used by the writer and by sessions' readers, on the thread that owns the connection.
 *
 * @param seq its number, growing with the time of its making, never given twice
 * @param file number of the list file that it comes from, 0 for one of a command
 * @param line in that file
 */
record StoredRow(long seq, long file, int line, OperatorEntry entry) {

  /** Selects the columns that {@link #read} wants; conditions follow. */
  static final String SELECT =
      "SELECT e.seq, e.list, e.subject, e.from_network, e.scope, e.reason, e.author, e.created_ms,"
          + " e.expires_ms, e.file, e.line, f.path, e.unused_s, e.used_ms FROM entry e LEFT JOIN"
          + " file f ON f.id = e.file ";

  /** The row that a result is at. */
  static StoredRow read(ResultSet row) throws SQLException {
    long seq = row.getLong(1);
    ListKind list = list(row.getInt(2));
    String scope = text(row, 5);
    NewEntry entry =
        new NewEntry(
            list,
            value(Subject.parseEntry(text(row, 3))),
            text(row, 4).isEmpty() ? null : value(IpPrefix.parse(text(row, 4))),
            checks(scope),
            scope.equals(OperatorText.ANY_SCOPE),
            text(row, 6),
            instant(row, 9),
            row.getObject(13) == null ? null : Duration.ofSeconds(row.getLong(13)));
    long file = row.getLong(10);
    int line = row.getInt(11);
    Path path = file == 0 ? null : Path.of(text(row, 12));
    String id = path == null ? id(list, seq) : path.getFileName() + ":" + line;
    String author = path == null ? text(row, 7) : "file:" + path + ":" + line;
    Instant created = Instant.ofEpochMilli(row.getLong(8));
    return new StoredRow(
        seq, file, line, new OperatorEntry(id, entry, author, created, instant(row, 14)));
  }

  static @Nullable Instant instant(ResultSet row, int column) throws SQLException {
    return row.getObject(column) == null ? null : Instant.ofEpochMilli(row.getLong(column));
  }

  static ListKind list(int column) {
    return column == 0 ? ListKind.ALLOW : ListKind.BLOCK;
  }

  static int column(ListKind list) {
    return list == ListKind.ALLOW ? 0 : 1;
  }

  /** The id that people see: {@code a} or {@code b} and the row's number, never given twice. */
  static String id(ListKind list, long seq) {
    return list.key().charAt(0) + Long.toString(seq);
  }

  /** The row's number of an id that {@link #id} made. */
  static long seq(String id) {
    return Long.parseLong(id, 1, id.length(), 10);
  }

  /** The scope column. */
  static String scope(Set<Check> scope, boolean anyScope) {
    return anyScope ? OperatorText.ANY_SCOPE : OperatorText.scopeWord(scope);
  }

  /** The value that a column was written from. */
  static <T> T value(Parsed<T> column) throws SQLException {
    return column.toOptional().orElseThrow(() -> SqliteFile.damaged("a column"));
  }

  /** The checks of a scope column; none where it names none, or all. */
  static Set<Check> checks(String scope) throws SQLException {
    return scope.isEmpty() || scope.equals(OperatorText.ANY_SCOPE)
        ? Set.of()
        : OperatorText.scope(scope).orElseThrow(() -> SqliteFile.damaged("a scope"));
  }

  /** The rows that {@link ListShape} has to know, in the words of their index. */
  private static final String OF_SHAPE = " FROM entry WHERE list = ?1 AND " + OperatorSchema.SHAPED;

  /**
   * The time since which a row is of no use: its making at the latest, and not before uses were
   * noted at all.
   */
  private static final String LAST_USE =
      "max(ifnull(e.used_ms, 0), e.created_ms, ifnull((SELECT CAST(value AS INTEGER) FROM meta"
          + " WHERE name = '"
          + OperatorSchema.USAGE_SINCE
          + "'), "
          + Long.MAX_VALUE
          + "))";

  /** Rows whose subject has that hash, oldest first; the caller compares the subjects. */
  static List<StoredRow> byKey(Statements sql, ListKind list, long key) throws SQLException {
    return sql.rows(
        SELECT + "WHERE e.key = ? AND e.list = ? ORDER BY e.seq",
        StoredRow::read,
        key,
        column(list));
  }

  /** The row of a number. */
  static Optional<StoredRow> bySeq(Statements sql, long seq) throws SQLException {
    return sql.first(SELECT + "WHERE e.seq = ?", StoredRow::read, seq);
  }

  /** Rows of one line of the list files of that name. */
  static List<StoredRow> byLine(Statements sql, ListKind list, String fileName, int line)
      throws SQLException {
    return sql.rows(
        SELECT
            + "WHERE e.file IN (SELECT id FROM file WHERE list = ? AND (path = ?2 OR"
            + " substr(path, -length(?2) - 1) = '/' || ?2)) AND e.line = ?3",
        StoredRow::read,
        column(list),
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
  static Page<StoredRow> page(
      Statements sql, ListKind list, String match, @Nullable Instant unusedSince, long after)
      throws SQLException {
    return OperatorDatabase.page(
        sql,
        after,
        StoredRow::read,
        SELECT
            + "WHERE e.seq > ? AND e.list = ? AND (e.subject LIKE ?3 ESCAPE '\\' OR e.reason LIKE"
            + " ?3 ESCAPE '\\') AND (?4 IS NULL OR "
            + LAST_USE
            + " < ?4) ORDER BY e.seq",
        after,
        column(list),
        pattern(match),
        millis(unusedSince));
  }

  /** Returns the pattern in the form that LIKE wants. */
  private static String pattern(String match) {
    String plain = match.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_");
    return match.indexOf('*') < 0 ? "%" + plain + "%" : plain.replace('*', '%');
  }

  /** Gives all rows of a list file. */
  static void ofFile(Statements sql, long file, Consumer<StoredRow> taker) throws SQLException {
    sql.forEach(SELECT + "WHERE e.file = ? AND e.file > 0", row -> taker.accept(read(row)), file);
  }

  /** Entries of a list. */
  static long count(Statements sql, ListKind list) throws SQLException {
    return sql.number("SELECT count(*) FROM entry WHERE list = ?", column(list));
  }

  /** Patterns of both lists that compare more than a name. */
  static long patterns(Statements sql) throws SQLException {
    return sql.number(
        "SELECT count(*) FROM entry WHERE list IN (0, 1) AND kind = ?1 AND "
            + OperatorSchema.SHAPED,
        ListShape.PATTERN);
  }

  /** Subjects of the oldest entries that hold at this time. */
  static List<Subject> subjects(Statements sql, ListKind list, Instant now, int limit)
      throws SQLException {
    return sql
        .rows(
            "SELECT subject FROM entry WHERE list = ? AND (expires_ms IS NULL OR expires_ms > ?)"
                + " ORDER BY seq LIMIT ?",
            row -> value(Subject.parseEntry(Statements.text(row, 1))),
            column(list),
            now.toEpochMilli(),
            limit)
        .stream()
        .distinct()
        .toList();
  }

  /** Hashes of all subjects of a list, one for each entry. */
  static long[] keys(Statements sql, ListKind list) throws SQLException {
    LongStream.Builder keys = LongStream.builder();
    sql.forEach(
        "SELECT key FROM entry WHERE list = ?", row -> keys.add(row.getLong(1)), column(list));
    return keys.build().toArray();
  }

  /** Returns what is to be known of a list besides its hashes; read from an index alone. */
  static ListShape shape(Statements sql, ListKind list) throws SQLException {
    ListShape shape = new ListShape();
    sql.forEach(
        "SELECT kind, scope, max(ifnull(expires_ms, ?2))" + OF_SHAPE + " GROUP BY kind, scope",
        row ->
            shape.add(
                Statements.text(row, 1),
                checks(Statements.text(row, 2)),
                Instant.ofEpochMilli(row.getLong(3))),
        column(list),
        Long.MAX_VALUE);
    sql.forEach(
        "SELECT DISTINCT subject" + OF_SHAPE + " AND kind = ?2",
        row -> shape.add(value(Likeness.parse(Statements.text(row, 1)))),
        column(list),
        ListShape.LIKENESS);
    return shape;
  }

  /**
   * Adds a row within the running transaction.
   *
   * @param file number of the list file, 0 for none
   * @return its number
   */
  static long insert(
      Statements sql, NewEntry entry, long key, String author, Instant created, long file, int line)
      throws SQLException {
    return sql.number(
        "INSERT INTO entry (list, key, kind, subject, from_network, scope, reason, author,"
            + " created_ms, expires_ms, unused_s, file, line) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?,"
            + " ?, ?, ?) RETURNING seq",
        column(entry.list()),
        key,
        ListShape.kind(entry.subject()),
        entry.subject().written(),
        entry.from() == null ? "" : entry.from().toString(),
        scope(entry.scope(), entry.anyScope()),
        entry.reason(),
        author,
        created.toEpochMilli(),
        millis(entry.expires()),
        seconds(entry.unused()),
        file,
        line);
  }

  /** Notes the last use of a row within the running transaction. */
  static void used(Statements sql, long seq, Instant at) throws SQLException {
    sql.change("UPDATE entry SET used_ms = ? WHERE seq = ?", at.toEpochMilli(), seq);
  }

  /** Changes reason, expiry, author and time of a row within the running transaction. */
  static void update(Statements sql, long seq, OperatorEntry entry) throws SQLException {
    sql.change(
        "UPDATE entry SET reason = ?, author = ?, created_ms = ?, expires_ms = ?, unused_s = ?"
            + " WHERE seq = ?",
        entry.reason(),
        entry.author(),
        entry.created().toEpochMilli(),
        millis(entry.expires()),
        seconds(entry.unused()),
        seq);
  }

  /** Says which line of its file a row is now, within the running transaction. */
  static void move(Statements sql, long seq, int line) throws SQLException {
    sql.change("UPDATE entry SET line = ? WHERE seq = ?", line, seq);
  }

  /** Takes a row away within the running transaction. */
  static void delete(Statements sql, long seq) throws SQLException {
    sql.change("DELETE FROM entry WHERE seq = ?", seq);
  }

  private static @Nullable Long millis(@Nullable Instant time) {
    return time == null ? null : time.toEpochMilli();
  }

  private static @Nullable Long seconds(@Nullable Duration time) {
    return time == null ? null : time.toSeconds();
  }
}
