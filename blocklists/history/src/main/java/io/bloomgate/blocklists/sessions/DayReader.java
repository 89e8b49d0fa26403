package io.bloomgate.blocklists.sessions;

import io.bloomgate.blocklists.database.SqliteFile;
import io.bloomgate.blocklists.database.SqliteFile.Fault;
import io.bloomgate.blocklists.database.SqliteFile.UnusableException;
import io.bloomgate.blocklists.sessions.SessionDays.Day;
import io.bloomgate.blocklists.sessions.SessionQuery.Condition;
import io.bloomgate.config.name.Likeness;
import io.bloomgate.config.settings.MemorySettings;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.IntBuffer;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.UnaryOperator;

/**
 * Reads one day, as it was committed when the first question was asked. Beside a gateway that
 * writes, or without one; nothing is changed. Used by one thread.
 */
final class DayReader implements AutoCloseable {

  private static final String SELECT =
      "SELECT " + DayRow.COLUMNS + ", number, part_of FROM session WHERE ";

  /** Answers of one transaction that are named beside the one that was looked for. */
  private static final int MAX_OTHERS = 100;

  /**
   * The condition for a session with accepted mail that no list was against, or with mail of which
   * it is not known whether the mail server took it.
   */
  static final String NOT_REFUSED =
      "outcome IN ('delivered', 'unknown') AND verdict NOT IN ('reject', 'tempfail', 'greylist')"
          + " AND NOT "
          + DaySchema.FOR_TRAP;

  private final SqliteFile file;
  private final LocalDate date;

  private DayReader(SqliteFile file, LocalDate date) {
    this.file = file;
    this.date = date;
  }

  /**
   * Opens a day; empty for one that has no session yet.
   *
   * @throws UnusableException when it is damaged, not ours, or of another release
   */
  static Optional<DayReader> open(Day day) throws UnusableException {
    try {
      return Optional.of(
          new DayReader(SqliteFile.openReadOnly(day.file(), DaySchema.SCHEMA), day.date()));
    } catch (UnusableException e) {
      if (e.fault() == Fault.EMPTY) {
        return Optional.empty();
      }
      throw e;
    }
  }

  /** The day. */
  LocalDate date() {
    return date;
  }

  /** Takes one row of an answer, column by column; false when it wants no more. */
  interface Row {
    boolean take(ResultSet row) throws SQLException, IOException;
  }

  private long number(String sql) throws IOException {
    try {
      return file.statements().number(sql);
    } catch (SQLException e) {
      throw new UnusableException(e);
    }
  }

  /** False when the taker wanted no more. */
  private boolean each(String sql, List<?> parameters, Row taker) throws IOException {
    try {
      PreparedStatement select = file.statements().of(sql);
      for (int i = 0; i < parameters.size(); i++) {
        select.setObject(i + 1, parameters.get(i));
      }
      try (ResultSet found = select.executeQuery()) {
        while (found.next()) {
          if (!taker.take(found)) {
            return false;
          }
        }
        return true;
      }
    } catch (SQLException e) {
      throw new UnusableException(e);
    }
  }

  /** The sessions with these ids, each with the answer that had the id. */
  List<Evidence> find(Collection<String> ids) throws IOException {
    List<Evidence> found = new ArrayList<>();
    List<String> twice = new ArrayList<>(ids);
    twice.addAll(ids);
    each(
        SELECT + "number IN " + DaySchema.rowsOf(ids.size()), twice, row -> found.add(answer(row)));
    return found;
  }

  /** Returns what is known of the session by now, with the answer of this row, and the others. */
  private Evidence answer(ResultSet row) throws SQLException, IOException {
    Evidence answer = DayRow.session(row);
    long number = row.getLong(DayRow.WIDTH + 1);
    long part = row.getLong(DayRow.WIDTH + 2);
    long whole = part == 0 ? number : part;
    Evidence session =
        part == 0
            ? answer
            : file.statements()
                .first(SELECT + "number = ?", DayRow::session, whole)
                .map(known -> DayRow.answered(known, answer))
                .orElse(answer);
    List<RareFacts.Answer> others = new ArrayList<>();
    each(
        SELECT
            + "(number = ? OR part_of = ?) AND number <> ? AND id IS NOT ? ORDER BY number LIMIT "
            + MAX_OTHERS,
        List.of(whole, whole, number, answer.decision().id()),
        other -> others.add(RareFacts.Answer.of(DayRow.session(other).decision())));
    return others.isEmpty()
        ? session
        : session.with(session.decision(), session.more().beside(others));
  }

  /**
   * Hands over the sessions of a question, the newest first: each with the answer that was asked
   * for, where a further one of it was.
   */
  boolean sessions(SessionQuery query, SessionSearch.Taker taker) throws IOException {
    return rows(
        query,
        which -> SELECT + which + " ORDER BY number DESC",
        row -> {
          List<Evidence> found = new ArrayList<>();
          Condition asked = query.answer(row.getLong(DayRow.WIDTH + 1)).orElse(null);
          if (asked != null) {
            each(
                SELECT + asked.sql() + " ORDER BY number LIMIT 1",
                asked.parameters(),
                one -> one.getLong(DayRow.WIDTH + 2) == 0 || found.add(answer(one)));
          }
          return taker.take(found.isEmpty() ? DayRow.session(row) : found.getFirst());
        });
  }

  /** Sessions of the day that were not kept. */
  long leftOut() throws IOException {
    return number(DaySchema.LEFT_OUT);
  }

  /**
   * The minima of the text of the session that has an id, or whose further answer has it.
   *
   * @return empty when there is no such session, or its text had no minima
   */
  Optional<Likeness> likeness(String id) throws IOException {
    List<Likeness> found = new ArrayList<>();
    each(
        "SELECT minima FROM session WHERE minima IS NOT NULL AND number IN"
            + " (SELECT coalesce(part_of, number) FROM session WHERE number IN "
            + DaySchema.rowsOf(1)
            + ")",
        List.of(id, id),
        row -> {
          found.add(minima(row));
          return false;
        });
    return found.stream().findFirst();
  }

  private static Likeness minima(ResultSet row) throws SQLException {
    byte[] minima = row.getBytes(1);
    if (minima == null || minima.length != 2 * Likeness.MINIMA) {
      throw SqliteFile.damaged("the minima of a text");
    }
    return Likeness.of(minima);
  }

  /**
   * Hands over accepted mails that no list of the own memory was against, or whose sender was
   * known.
   */
  boolean carried(Instant since, SessionSearch.CarriedTaker taker) throws IOException {
    boolean has = number(DaySchema.HAS_CARRIED) > 0;
    return each(
        "SELECT id, client, from_domain, "
            + (has ? "keys FROM session LEFT JOIN carried USING (number)" : "NULL FROM session")
            + " WHERE at >= ? AND "
            + NOT_REFUSED
            + " AND (instr(lists, ' "
            + MemorySettings.STRONG
            + "') = 0 OR instr(coalesce(more, ''), '\"known\":true') > 0)",
        List.of(since.toEpochMilli()),
        row -> {
          String id = row.getString(1);
          byte[] keys = row.getBytes(4);
          List<Integer> hashes = new ArrayList<>();
          if (keys != null) {
            IntBuffer all = ByteBuffer.wrap(keys).asIntBuffer();
            while (all.hasRemaining()) {
              hashes.add(all.get());
            }
          }
          taker.take(id == null ? "" : id, DayRow.client(row), row.getString(3), hashes);
          return true;
        });
  }

  /** Hands over text and sender domain of accepted mails that no list was against, newest first. */
  void texts(long most, BiConsumer<Likeness, String> taker) throws IOException {
    each(
        "SELECT minima, from_domain FROM session WHERE minima IS NOT NULL AND "
            + NOT_REFUSED
            + " ORDER BY number DESC LIMIT ?",
        List.of(most),
        row -> {
          taker.accept(minima(row), row.getString(2));
          return true;
        });
  }

  /**
   * Asks about the sessions of a question.
   *
   * @param sql makes the statement of the condition for rows of {@code session}
   * @return false when the taker wanted no more
   */
  boolean rows(SessionQuery query, UnaryOperator<String> sql, Row taker) throws IOException {
    Condition condition = query.condition();
    return each(sql.apply(condition.sql()), condition.parameters(), taker);
  }

  @Override
  public void close() throws UnusableException {
    file.close();
  }
}
