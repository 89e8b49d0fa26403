package io.bloomgate.blocklists.sessions;

import io.bloomgate.blocklists.database.SqliteFile;
import io.bloomgate.blocklists.database.SqliteFile.UnusableException;
import io.bloomgate.blocklists.database.Statements;
import io.bloomgate.blocklists.database.WriterSizes;
import io.bloomgate.config.name.Likeness;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.LocalDate;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Writes the sessions of one day. Rows outlive the process after {@link #commit}; a power cut may
 * take the last ones, as no reply waits for them. Used by one thread; after a failure it is closed,
 * and the file opened again.
 */
public final class DayWriter implements AutoCloseable {

  /** Pages of a day of a million sessions; the log has at most 16 MiB. */
  private static final WriterSizes SIZES = new WriterSizes(16_384, 4_096, false);

  /**
   * Time that another process may hold the file before {@link #lock} fails; the caller tries again,
   * or ends.
   */
  private static final int BUSY_TIMEOUT_MS = 1_000;

  /** Changes no row; SQLite gives the right to write to each statement that could change one. */
  private static final String LOCK = "UPDATE left_out SET sessions = sessions WHERE 0";

  /** Rows whose ids are indexed together. */
  private static final int INDEXED_TOGETHER = 65_536;

  private static final String INSERT =
      "INSERT INTO session ("
          + DayRow.COLUMNS
          + ", %s) VALUES ("
          + "?, ".repeat(DayRow.WIDTH)
          + "?)";

  private static final String ADD = INSERT.formatted("minima");
  private static final String ADD_FURTHER = INSERT.formatted("part_of");

  private static final String REPLACE =
      "UPDATE session SET "
          + DayRow.COLUMNS.replace(",", " = ?,")
          + " = ?, minima = ? WHERE number = ?";

  private final SqliteFile file;
  private final Statements rows;
  private final LocalDate day;
  private long last;
  private long indexed;

  private DayWriter(SqliteFile file, LocalDate day) throws SQLException {
    this.file = file;
    this.rows = file.statements();
    this.day = day;
    this.last = rows.number("SELECT max(number) FROM session");
    this.indexed = rows.number("SELECT number FROM indexed");
  }

  /**
   * Opens the file of a day, or makes it.
   *
   * @throws UnusableException when it is damaged, or not ours
   * @throws IOException when it cannot be made
   */
  public static DayWriter open(Path path, LocalDate day) throws IOException {
    SqliteFile file = SqliteFile.open(path, DaySchema.SCHEMA, SIZES);
    try {
      file.statements().change(DaySchema.MAKE_CARRIED);
      DayWriter writer = new DayWriter(file, day);
      file.commit();
      file.statements().of("PRAGMA busy_timeout = " + BUSY_TIMEOUT_MS).execute();
      return writer;
    } catch (SQLException e) {
      file.close();
      throw new UnusableException(e);
    }
  }

  /** Octets of the file when its log is folded in. */
  public long octets() throws UnusableException {
    try {
      return rows.number("PRAGMA page_count") * rows.number("PRAGMA page_size");
    } catch (SQLException e) {
      throw new UnusableException(e);
    }
  }

  /** The day whose sessions it takes. */
  public LocalDate day() {
    return day;
  }

  /**
   * Begins to write: no other process writes before the next {@link #commit}, so that nothing until
   * then fails for another process. Without effect when it has begun already.
   *
   * @throws UnusableException with {@link SqliteFile.Fault#BUSY} when another process writes;
   *     nothing is changed then, and this writer can be used further
   */
  public void lock() throws UnusableException {
    try {
      rows.change(LOCK);
    } catch (SQLException e) {
      try {
        // What was read before may be old: the next try reads again.
        rows.connection().rollback();
      } catch (SQLException more) {
        e.addSuppressed(more);
      }
      throw new UnusableException(e);
    }
  }

  /**
   * Adds a session.
   *
   * @param text of its last mail, for {@code block add --like}; {@code null} when it has none
   * @return its number in the file
   */
  public long add(Evidence session, @Nullable Likeness text) throws UnusableException {
    write(ADD, session, octets(text));
    return ++last;
  }

  /**
   * Adds another answer of a session.
   *
   * @param number of the session in the file
   */
  public void addFurther(long number, Evidence session, Evidence answer) throws UnusableException {
    write(ADD_FURTHER, DayRow.answered(session, answer), number);
    last++;
  }

  /** Puts a session in the place of what was known of it before. */
  public void replace(long number, Evidence session, @Nullable Likeness text)
      throws UnusableException {
    write(REPLACE, session, octets(text), number);
  }

  private static byte @Nullable [] octets(@Nullable Likeness text) {
    return text == null ? null : text.octets();
  }

  /** Writes the columns of a session, and these values behind them. */
  private void write(String sql, Evidence session, @Nullable Object... behind)
      throws UnusableException {
    try {
      PreparedStatement row = rows.of(sql);
      DayRow.put(row, session);
      for (int i = 0; i < behind.length; i++) {
        row.setObject(DayRow.WIDTH + 1 + i, behind[i]);
      }
      row.executeUpdate();
    } catch (SQLException e) {
      throw new UnusableException(e);
    }
  }

  private void change(String sql, Object... values) throws UnusableException {
    try {
      rows.change(sql, values);
    } catch (SQLException e) {
      throw new UnusableException(e);
    }
  }

  /**
   * Adds what the mail of a session carried.
   *
   * @param number of the session in the file
   */
  public void addCarried(long number, List<Integer> keys) throws UnusableException {
    if (!keys.isEmpty()) {
      ByteBuffer octets = ByteBuffer.allocate(keys.size() * Integer.BYTES);
      keys.forEach(octets::putInt);
      change(DaySchema.ADD_CARRIED, number, octets.array());
    }
  }

  /** Notes how many more sessions of the day were not added: who asks must know of the hole. */
  public void leaveOut(long sessions) throws UnusableException {
    change(DaySchema.ADD_LEFT_OUT, sessions);
  }

  /** Keeps what was added, whatever happens to this process. */
  public void commit() throws UnusableException {
    try {
      if (last - indexed >= INDEXED_TOGETHER) {
        index();
      }
      file.commit();
    } catch (SQLException e) {
      throw new UnusableException(e);
    }
  }

  private void index() throws SQLException {
    rows.change(DaySchema.INDEX_IDS);
    rows.change(DaySchema.INDEXED);
    indexed = last;
  }

  /** Closes the file; what was not committed is dropped. */
  @Override
  public void close() throws UnusableException {
    try {
      rows.connection().rollback();
      index();
      file.commit();
    } catch (SQLException e) {
      throw new UnusableException(e);
    } finally {
      file.close();
    }
  }
}
