package io.bloomgate.blocklists.operator;

import io.bloomgate.blocklists.database.Statements;
import io.bloomgate.config.name.Parsed;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The newest command about one thing that nodes of a fleet share, as a field of Redis and a row of
 * the table have it, which also says whether Redis has it and whether it is to be done here.
 * Immutable; rows are written on the writer's connection, within its transactions.
 *
 * @param subject what it is about, as {@link NewEntry#identity} or {@link SharedCommand.Act#about}
 * @param version time of the command by the clock of Redis, and a number for ties; while it waits
 *     the time is that of this node
 * @param base the time of the command that it replaced: it is later, whatever clocks say
 * @param text of the {@link SharedCommand}
 */
public record SharedRow(String subject, StreamId version, long base, Send send, String text) {

  /** Says whether Redis has a command. */
  public enum Send {
    SENT,
    /** A command of this node; its version is made when it is sent. */
    WAITS,
    /** Redis has lost it, or has an older one; its version stays. */
    AGAIN
  }

  private static final String COLUMNS = "SELECT subject, ms, number, base, send, text FROM fleet ";

  /** Removals are forgotten after this time. */
  private static final Duration KEEP = Duration.ofDays(30);

  /** The latest time that is believed: later commands still have room behind it. */
  private static final long MAX_MILLIS = 1L << 60;

  /** Reads a field of Redis; empty when it has no time of a command. */
  static Optional<SharedRow> parse(String subject, String value) {
    int space = value.indexOf(' ');
    return StreamId.parse(value.substring(0, Math.max(0, space)))
        .filter(version -> version.millis() <= MAX_MILLIS)
        .map(version -> new SharedRow(subject, version, 0, Send.SENT, value.substring(space + 1)));
  }

  /** The value of the field. */
  public String value() {
    return version + " " + text;
  }

  /** The same with another version. */
  public SharedRow with(StreamId other) {
    return new SharedRow(subject, other, base, send, text);
  }

  /** Reads the text; the reason says what is wrong and holds nothing of the text. */
  public Parsed<SharedCommand> command() {
    return SharedCommand.parse(subject, text);
  }

  /** True for what is forgotten everywhere. */
  boolean isOld(long redisMillis) {
    return redisMillis - version.millis() > KEEP.toMillis()
        && command().toOptional().filter(SharedCommand::removed).isPresent();
  }

  private static SharedRow read(ResultSet row) throws SQLException {
    return new SharedRow(
        Statements.text(row, 1),
        new StreamId(row.getLong(2), row.getLong(3)),
        row.getLong(4),
        Send.valueOf(Statements.text(row, 5)),
        Statements.text(row, 6));
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

  /** The oldest ones that Redis has not. */
  static List<SharedRow> toSend(Statements sql, int rows) throws SQLException {
    return sql.rows(
        COLUMNS + "WHERE send <> 'SENT' ORDER BY ms, subject LIMIT ?", SharedRow::read, rows);
  }

  /** The oldest one that is to be done here. */
  static Optional<SharedRow> toDo(Statements sql) throws SQLException {
    return sql.first(COLUMNS + "WHERE todo = 1 ORDER BY ms, number LIMIT 1", SharedRow::read);
  }

  /** Keeps it in place of the row before. */
  void store(Statements sql, boolean toDo) throws SQLException {
    sql.change(
        "INSERT OR REPLACE INTO fleet VALUES (?, ?, ?, ?, ?, ?, ?)",
        subject,
        version.millis(),
        version.number(),
        base,
        send.name(),
        toDo ? 1 : 0,
        text);
  }

  /** Notes its version in Redis, and whether it is to be sent. */
  void mark(Statements sql, StreamId inRedis, Send now) throws SQLException {
    sql.change(
        "UPDATE fleet SET send = ?, ms = ?, number = ? WHERE subject = ?",
        now.name(),
        inRedis.millis(),
        inRedis.number(),
        subject);
  }
}
