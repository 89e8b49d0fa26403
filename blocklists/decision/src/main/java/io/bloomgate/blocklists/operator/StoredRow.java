package io.bloomgate.blocklists.operator;

import io.bloomgate.blocklists.database.SqliteFile;
import io.bloomgate.config.name.Check;
import io.bloomgate.config.name.IpPrefix;
import io.bloomgate.config.name.ListKind;
import io.bloomgate.config.name.Parsed;
import io.bloomgate.config.name.Subject;
import java.nio.file.Path;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One row of the table of entries. Immutable; read by the writer and by sessions' readers.
 *
 * @param seq its number, growing with the time of its making, never given twice
 * @param file number of the list file that it comes from, 0 for one of a command
 * @param line in that file
 */
record StoredRow(long seq, long file, int line, OperatorEntry entry) {

  /** Selects the columns that {@link #read} wants; conditions follow. */
  static final String SELECT =
      "SELECT e.seq, e.list, e.subject, e.from_network, e.scope, e.reason, e.author, e.created_ms,"
          + " e.expires_ms, e.file, e.line, f.path, u.unused_s, u.used_ms FROM entry e LEFT JOIN"
          + " file f ON f.id = e.file LEFT JOIN usage u ON u.entry = e.seq ";

  /** The row that a result is at. */
  static StoredRow read(ResultSet row) throws SQLException {
    long seq = row.getLong(1);
    ListKind list = list(row.getInt(2));
    long expires = row.getLong(9);
    boolean forEver = row.wasNull();
    String scope = text(row, 5);
    NewEntry entry =
        new NewEntry(
            list,
            value(Subject.parseEntry(text(row, 3))),
            text(row, 4).isEmpty() ? null : value(IpPrefix.parse(text(row, 4))),
            checks(scope),
            scope.equals(OperatorText.ANY_SCOPE),
            text(row, 6),
            forEver ? null : Instant.ofEpochMilli(expires),
            row.getObject(13) == null ? null : Duration.ofSeconds(row.getLong(13)));
    Instant used = row.getObject(14) == null ? null : Instant.ofEpochMilli(row.getLong(14));
    Instant created = Instant.ofEpochMilli(row.getLong(8));
    long file = row.getLong(10);
    int line = row.getInt(11);
    if (file == 0) {
      return new StoredRow(
          seq, 0, 0, entry.entry(id(list, seq), text(row, 7), created).lastUsed(used));
    }
    Path path = Path.of(text(row, 12));
    return new StoredRow(
        seq,
        file,
        line,
        entry
            .entry(path.getFileName() + ":" + line, "file:" + path + ":" + line, created)
            .lastUsed(used));
  }

  static ListKind list(int column) {
    return column == 0 ? ListKind.ALLOW : ListKind.BLOCK;
  }

  static int column(ListKind list) {
    return switch (list) {
      case ALLOW -> 0;
      case BLOCK -> 1;
    };
  }

  private static String text(ResultSet row, int column) throws SQLException {
    @Nullable String text = row.getString(column);
    if (text == null) {
      throw SqliteFile.damaged("a column");
    }
    return text;
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
}
