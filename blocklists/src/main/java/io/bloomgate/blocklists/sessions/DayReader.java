package io.bloomgate.blocklists.sessions;

import io.bloomgate.blocklists.campaign.Bulk;
import io.bloomgate.blocklists.database.SqliteFile;
import io.bloomgate.blocklists.database.SqliteFile.Fault;
import io.bloomgate.blocklists.database.SqliteFile.UnusableException;
import io.bloomgate.blocklists.impact.AcceptedSource;
import io.bloomgate.blocklists.impact.CountedSession;
import io.bloomgate.blocklists.impact.PastTaker;
import io.bloomgate.blocklists.sessions.SessionDays.Day;
import io.bloomgate.blocklists.sessions.SessionQuery.Condition;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.name.Likeness;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/**
 * Reads one day, as it was committed when the first question was asked. Beside a gateway that
 * writes, or without one; nothing is changed. Used by one thread.
 */
final class DayReader implements AutoCloseable {

  private static final String COLUMNS =
      DaySchema.SESSION_COLUMNS + ", " + DaySchema.DECISION_COLUMNS;

  /** Rows that are read at a time, so that a {@link ReadingBound} is asked now and then. */
  private static final long SLICE = 20_000;

  private final SqliteFile file;
  private final TextBlocks texts;
  private final DayRows rows;
  private final long began;

  private DayReader(SqliteFile file) throws SQLException {
    this.file = file;
    this.texts = new TextBlocks(file.statements());
    try (ResultSet day = file.statements().of("SELECT began FROM day").executeQuery()) {
      this.began = day.next() ? day.getLong(1) : 0;
    }
    this.rows = new DayRows(began, texts);
  }

  /**
   * Opens a day; empty for one that has no session yet.
   *
   * @throws UnusableException when it is damaged, not ours, or of a later release
   */
  static Optional<DayReader> open(Day day) throws UnusableException {
    SqliteFile file;
    try {
      file = SqliteFile.openReadOnly(day.file(), DaySchema.SCHEMA);
    } catch (UnusableException e) {
      if (e.fault() == Fault.EMPTY) {
        return Optional.empty();
      }
      throw e;
    }
    try {
      return Optional.of(new DayReader(file));
    } catch (SQLException e) {
      file.close();
      throw new UnusableException(e);
    }
  }

  /** The sessions with these ids, each with the answer that had the id. */
  List<KeptSession> find(Collection<Long> ids) throws UnusableException {
    String numbers = ids.stream().map(String::valueOf).collect(Collectors.joining(", "));
    List<KeptSession> found = new ArrayList<>();
    try (ResultSet row = ask(COLUMNS, "session", DaySchema.rowsOfIds(numbers))) {
      while (row.next()) {
        found.add(rows.session(row));
      }
      findFurther(numbers, found);
      return found;
    } catch (SQLException e) {
      throw new UnusableException(e);
    }
  }

  /** Sessions of the day that were not kept. */
  long leftOut() throws UnusableException {
    try (ResultSet table = file.statements().of(DaySchema.HAS_LEFT_OUT).executeQuery()) {
      if (!table.next()) {
        return 0;
      }
      try (ResultSet row = file.statements().of(DaySchema.LEFT_OUT).executeQuery()) {
        return row.next() ? row.getLong(1) : 0;
      }
    } catch (SQLException e) {
      throw new UnusableException(e);
    }
  }

  /**
   * The minima of the text of the session that has an id, or whose further answer has it.
   *
   * @return empty when there is no such session, or its text had no minima
   */
  Optional<Likeness> likeness(long id) throws UnusableException {
    try (ResultSet table = file.statements().of(DaySchema.HAS_LIKENESS).executeQuery()) {
      if (!table.next()) {
        return Optional.empty();
      }
      try (ResultSet row = ask("minima", "likeness", sessionOf(id))) {
        if (!row.next()) {
          return Optional.empty();
        }
        byte[] minima = row.getBytes(1);
        if (minima == null || minima.length != 2 * Likeness.MINIMA) {
          throw SqliteFile.damaged("the minima of a text");
        }
        return Optional.of(Likeness.of(minima));
      }
    } catch (SQLException e) {
      throw new UnusableException(e);
    }
  }

  /** Counts the accepted mails that no list was against with a text like that, newest first. */
  void alike(AlikeMails to) throws UnusableException {
    try (ResultSet table = file.statements().of(DaySchema.HAS_LIKENESS).executeQuery()) {
      if (!table.next()) {
        return;
      }
      String sql =
          "SELECT minima, from_domain FROM likeness JOIN session ON number = session WHERE "
              + PastRows.NOT_REFUSED
              + " ORDER BY session DESC LIMIT ?";
      try (ResultSet row = select(sql, new Condition(sql, List.of(to.left())))) {
        while (row.next()) {
          byte[] minima = row.getBytes(1);
          boolean whole = minima != null && minima.length == 2 * Likeness.MINIMA;
          if (whole && to.isAlike(Likeness.of(minima))) {
            to.add(texts.of(row, 2));
          }
        }
      }
    } catch (SQLException e) {
      throw new UnusableException(e);
    }
  }

  private static String sessionOf(long id) {
    return "session IN (SELECT number FROM session WHERE "
        + DaySchema.rowsOfIds(String.valueOf(id))
        + " UNION ALL SELECT session FROM further WHERE id = "
        + id
        + ")";
  }

  /** Of how many mails that of this session was a copy; empty for mail that was no campaign. */
  Optional<Bulk> bulk(long id) throws UnusableException {
    try (ResultSet table = file.statements().of(DaySchema.HAS_BULK).executeQuery()) {
      if (!table.next()) {
        return Optional.empty();
      }
      try (ResultSet row = ask("campaign, copies, networks", "bulk", sessionOf(id))) {
        String campaign = row.next() ? row.getString(1) : null;
        return campaign == null
            ? Optional.empty()
            : Optional.of(new Bulk(campaign, row.getInt(2), row.getInt(3)));
      }
    } catch (SQLException e) {
      throw new UnusableException(e);
    }
  }

  private void findFurther(String numbers, List<KeptSession> found) throws SQLException {
    String columns = "session, " + DaySchema.DECISION_COLUMNS;
    try (ResultSet further = ask(columns, "further", "id IN (" + numbers + ")")) {
      while (further.next()) {
        try (ResultSet row = ask(COLUMNS, "session", "number = " + further.getLong(1))) {
          if (row.next()) {
            found.add(rows.answered(further, 2, rows.session(row)));
          }
        }
      }
    }
  }

  private ResultSet ask(String columns, String table, String condition) throws SQLException {
    return file.statements()
        .of("SELECT " + columns + " FROM " + table + " WHERE " + condition)
        .executeQuery();
  }

  /**
   * Hands over the sessions that are asked for, the newest first.
   *
   * @param taker returns false when it wants no more
   * @return false when the taker wanted no more
   */
  boolean forEach(SessionQuery query, Predicate<KeptSession> taker) throws UnusableException {
    Condition condition = query.condition(began);
    String sql =
        "SELECT " + COLUMNS + " FROM session WHERE " + condition.sql() + " ORDER BY number DESC";
    try (ResultSet found = select(sql, condition)) {
      while (found.next()) {
        if (!taker.test(rows.session(found))) {
          return false;
        }
      }
      return true;
    } catch (SQLException e) {
      throw new UnusableException(e);
    }
  }

  /** Takes one row of an answer, column by column. */
  interface Row {
    void take(ResultSet row) throws SQLException;
  }

  /**
   * Asks about the sessions of a question in another way.
   *
   * @param sql makes the statement of the condition for rows of {@code session}
   */
  void rows(SessionQuery query, UnaryOperator<String> sql, Row taker) throws UnusableException {
    Condition condition = query.condition(began);
    try (ResultSet found = select(sql.apply(condition.sql()), condition)) {
      while (found.next()) {
        taker.take(found);
      }
    } catch (SQLException e) {
      throw new UnusableException(e);
    }
  }

  /** Hands over the sessions that are asked for as the impact of a change needs them. */
  void past(SessionQuery query, PastTaker taker) throws UnusableException {
    PastRows past = pastRows();
    rows(
        query,
        PastRows::sql,
        row -> {
          past.read(row, PastRows.client(row));
          CountedSession counted = taker.decidesAll() ? null : past.counted(row, taker);
          if (counted == null) {
            taker.take(past.session(row));
          } else {
            taker.count(counted);
          }
        });
  }

  private PastRows pastRows() throws UnusableException {
    try {
      return new PastRows(began, file.statements());
    } catch (SQLException e) {
      throw new UnusableException(e);
    }
  }

  /**
   * The same for those with accepted mail that no list was against, newest first.
   *
   * @return false when the taker wants no more
   */
  boolean accepted(SessionQuery query, ReadingBound bound, AcceptedSource.Taker taker)
      throws UnusableException {
    PastRows past = pastRows();
    Condition condition = query.condition(began);
    String sql =
        PastRows.sql(
            PastRows.ACCEPTED
                + " AND "
                + condition.sql()
                + " AND number > ? AND number <= ? ORDER BY number DESC");
    long rows;
    for (long last = rows(); last > 0; last -= rows) {
      rows = bound.grant(Math.min(last, SLICE));
      if (rows == 0) {
        break;
      }
      List<Object> parameters = new ArrayList<>(condition.parameters());
      parameters.add(last - rows);
      parameters.add(last);
      try (ResultSet found = select(sql, new Condition(sql, parameters))) {
        while (found.next()) {
          IpAddress client = PastRows.client(found);
          if (taker.wants(client)) {
            past.read(found, client);
            if (!taker.take(past.session(found))) {
              return false;
            }
          }
        }
      } catch (SQLException e) {
        throw new UnusableException(e);
      }
    }
    return true;
  }

  /** How many rows the day has. */
  long rows() throws UnusableException {
    try (ResultSet last = file.statements().of("SELECT max(number) FROM session").executeQuery()) {
      return last.next() ? last.getLong(1) : 0;
    } catch (SQLException e) {
      throw new UnusableException(e);
    }
  }

  private ResultSet select(String sql, Condition condition) throws SQLException {
    PreparedStatement select = file.statements().of(sql);
    for (int i = 0; i < condition.parameters().size(); i++) {
      select.setObject(i + 1, condition.parameters().get(i));
    }
    return select.executeQuery();
  }

  /** When the day begins, in milliseconds since 1970. */
  long began() {
    return began;
  }

  @Override
  public void close() throws UnusableException {
    file.close();
  }
}
