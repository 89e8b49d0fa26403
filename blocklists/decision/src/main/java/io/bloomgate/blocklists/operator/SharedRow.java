package io.bloomgate.blocklists.operator;

import io.bloomgate.blocklists.database.Statements;
import io.bloomgate.config.name.Parsed;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The newest command about one thing that nodes of a fleet share, as a field of Redis and a row of
 * the table have it. Immutable; rows are written on the writer's connection, within its
 * transactions.
 *
 * @param subject what it is about, as {@link NewEntry#identity} or {@link SharedCommand.Act#about}
 * @param millis time of the command by the clock of Redis
 * @param text of the {@link SharedCommand}
 * @param waits Redis does not have it
 */
public record SharedRow(String subject, long millis, String text, boolean waits) {

  /** Orders commands about one thing: of equal times the text decides, on all nodes alike. */
  static final Comparator<SharedRow> OLDEST_FIRST =
      Comparator.comparingLong(SharedRow::millis).thenComparing(SharedRow::text);

  private static final String COLUMNS = "SELECT subject, ms, text, waits FROM fleet ";

  private static final Pattern VALUE = Pattern.compile("([0-9]{1,18}) (.*)", Pattern.DOTALL);

  /** Removals are forgotten after this time. */
  private static final Duration KEEP = Duration.ofDays(30);

  /** Reads a field of Redis; empty when it has no time of a command. */
  static Optional<SharedRow> parse(String subject, String value) {
    Matcher found = VALUE.matcher(value);
    return found.matches()
        ? Optional.of(new SharedRow(subject, Long.parseLong(found.group(1)), found.group(2), false))
        : Optional.empty();
  }

  /** The value of the field. */
  public String value() {
    return millis + " " + text;
  }

  /** Reads the text; the reason says what is wrong and holds nothing of the text. */
  public Parsed<SharedCommand> command() {
    return SharedCommand.parse(subject, text);
  }

  /** True for what is forgotten everywhere. */
  boolean isOld(long redisMillis) {
    return redisMillis - millis > KEEP.toMillis()
        && command().toOptional().filter(SharedCommand::removed).isPresent();
  }

  private static SharedRow read(ResultSet row) throws SQLException {
    return new SharedRow(
        Statements.text(row, 1), row.getLong(2), Statements.text(row, 3), row.getInt(4) == 1);
  }

  /** The row about a thing. */
  static Optional<SharedRow> about(Statements sql, String subject) throws SQLException {
    return sql.first(COLUMNS + "WHERE subject = ?", SharedRow::read, subject);
  }

  /** The next rows, in order of their subjects. */
  static List<SharedRow> page(Statements sql, String after, int rows) throws SQLException {
    return sql.rows(
        COLUMNS + "WHERE subject > ? ORDER BY subject LIMIT ?", SharedRow::read, after, rows);
  }

  /** The oldest ones that Redis does not have. */
  static List<SharedRow> toSend(Statements sql, int rows) throws SQLException {
    return sql.rows(
        COLUMNS + "WHERE waits = 1 ORDER BY ms, subject LIMIT ?", SharedRow::read, rows);
  }

  /** The oldest one that is to be done here. */
  static Optional<SharedRow> toDo(Statements sql) throws SQLException {
    return sql.first(COLUMNS + "WHERE todo = 1 ORDER BY ms, subject LIMIT 1", SharedRow::read);
  }

  /**
   * Keeps it in place of the row before.
   *
   * @param base its time stays later than this
   */
  void store(Statements sql, boolean toDo, long base) throws SQLException {
    sql.change(
        "INSERT OR REPLACE INTO fleet VALUES (?, ?, ?, ?, ?, ?)",
        subject,
        millis,
        base,
        waits ? 1 : 0,
        toDo ? 1 : 0,
        text);
  }

  /** Notes that Redis does not have the newest command about a thing. */
  static void sendAgain(Statements sql, String subject) throws SQLException {
    sql.change("UPDATE fleet SET waits = 1 WHERE subject = ?", subject);
  }
}
