package io.bloomgate.blocklists.operator;

import io.bloomgate.blocklists.database.Statements;
import io.bloomgate.config.name.Parsed;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The tables of a node of a fleet, on the writer's connection, within its transactions: records
 * that wait for Redis, acts of other nodes that wait to be done here, and which version of each
 * entry this node has. Made where {@code fleet} is set.
 */
final class SharedTable {

  private static final Logger LOG = LoggerFactory.getLogger(SharedTable.class);

  private final Statements statements;

  SharedTable(Statements statements) {
    this.statements = statements;
  }

  void create() throws SQLException {
    try (Statement statement = statements.connection().createStatement()) {
      statement.execute(
          "CREATE TABLE IF NOT EXISTS fleet_out (seq INTEGER PRIMARY KEY, record TEXT NOT NULL)"
              + " STRICT");
      statement.execute(
          "CREATE TABLE IF NOT EXISTS fleet_act (id INTEGER PRIMARY KEY, record TEXT NOT NULL)"
              + " STRICT");
      statement.execute(
          "CREATE TABLE IF NOT EXISTS fleet_version (identity TEXT PRIMARY KEY, ms INTEGER NOT"
              + " NULL, number INTEGER NOT NULL, removed INTEGER NOT NULL, pending INTEGER NOT"
              + " NULL, stream TEXT NOT NULL) STRICT, WITHOUT ROWID");
    }
  }

  /**
   * What is known of an entry.
   *
   * @param pending number of the newest own record that is not in the stream yet; 0 for none
   * @param stream in which this version was seen
   */
  record Version(StreamId id, boolean removed, long pending, String stream) {}

  Optional<Version> version(String identity) throws SQLException {
    PreparedStatement statement =
        statements.of(
            "SELECT ms, number, removed, pending, stream FROM fleet_version WHERE identity = ?");
    statement.setString(1, identity);
    try (ResultSet row = statement.executeQuery()) {
      return row.next()
          ? Optional.of(
              new Version(
                  new StreamId(row.getLong(1), row.getLong(2)),
                  row.getInt(3) == 1,
                  row.getLong(4),
                  String.valueOf(row.getString(5))))
          : Optional.empty();
    }
  }

  /** The same; an entry from before the fleet is older than every record. */
  Version current(String identity) throws SQLException {
    return version(identity).orElseGet(() -> new Version(StreamId.START, false, 0, ""));
  }

  void put(String identity, Version version) throws SQLException {
    PreparedStatement statement =
        statements.of("INSERT OR REPLACE INTO fleet_version VALUES (?, ?, ?, ?, ?, ?)");
    statement.setString(1, identity);
    statement.setLong(2, version.id().millis());
    statement.setLong(3, version.id().number());
    statement.setInt(4, version.removed() ? 1 : 0);
    statement.setLong(5, version.pending());
    statement.setString(6, version.stream());
    statement.executeUpdate();
  }

  /** Removed entries whose removal is not in this stream, in order of their text. */
  List<String> removed(String stream, String after, int rows) throws SQLException {
    PreparedStatement statement =
        statements.of(
            "SELECT identity FROM fleet_version WHERE removed = 1 AND pending = 0 AND stream <> ?"
                + " AND identity > ? ORDER BY identity LIMIT ?");
    statement.setString(1, stream);
    statement.setString(2, after);
    statement.setInt(3, rows);
    List<String> found = new ArrayList<>();
    try (ResultSet row = statement.executeQuery()) {
      while (row.next()) {
        found.add(String.valueOf(row.getString(1)));
      }
    }
    return found;
  }

  /** Forgets removals before that time. */
  void forgetRemoved(long beforeMillis) throws SQLException {
    PreparedStatement statement =
        statements.of("DELETE FROM fleet_version WHERE removed = 1 AND pending = 0 AND ms < ?");
    statement.setLong(1, beforeMillis);
    statement.executeUpdate();
  }

  /**
   * Makes versions after this time older than every later change, in the same order on all nodes:
   * Redis gave them while its clock was wrong, or somebody forged them.
   */
  void age(long latestMillis) throws SQLException {
    PreparedStatement statement =
        statements.of("UPDATE fleet_version SET number = ms, ms = 1 WHERE ms > ?");
    statement.setLong(1, latestMillis);
    statement.executeUpdate();
  }

  StreamId highest() throws SQLException {
    PreparedStatement statement =
        statements.of("SELECT ms, number FROM fleet_version ORDER BY ms DESC, number DESC LIMIT 1");
    try (ResultSet row = statement.executeQuery()) {
      return row.next() ? new StreamId(row.getLong(1), row.getLong(2)) : StreamId.START;
    }
  }

  /** A record that waits. */
  record Waiting(long seq, String record) {}

  /** The oldest ones. */
  List<Waiting> waiting(int rows) throws SQLException {
    PreparedStatement statement =
        statements.of("SELECT seq, record FROM fleet_out ORDER BY seq LIMIT ?");
    statement.setInt(1, rows);
    List<Waiting> found = new ArrayList<>();
    try (ResultSet row = statement.executeQuery()) {
      while (row.next()) {
        found.add(new Waiting(row.getLong(1), String.valueOf(row.getString(2))));
      }
    }
    return found;
  }

  /** The record of this number, while it waits. */
  Optional<String> waiting(long seq) throws SQLException {
    PreparedStatement statement = statements.of("SELECT record FROM fleet_out WHERE seq = ?");
    statement.setLong(1, seq);
    try (ResultSet row = statement.executeQuery()) {
      return row.next() ? Optional.ofNullable(row.getString(1)) : Optional.empty();
    }
  }

  long countWaiting() throws SQLException {
    PreparedStatement statement = statements.of("SELECT count(*) FROM fleet_out");
    try (ResultSet row = statement.executeQuery()) {
      return row.next() ? row.getLong(1) : 0;
    }
  }

  void enqueue(long seq, String record) throws SQLException {
    PreparedStatement statement = statements.of("INSERT INTO fleet_out VALUES (?, ?)");
    statement.setLong(1, seq);
    statement.setString(2, record);
    statement.executeUpdate();
  }

  void dequeue(long seq) throws SQLException {
    PreparedStatement statement = statements.of("DELETE FROM fleet_out WHERE seq = ?");
    statement.setLong(1, seq);
    statement.executeUpdate();
  }

  void putAct(String record) throws SQLException {
    PreparedStatement statement = statements.of("INSERT INTO fleet_act (record) VALUES (?)");
    statement.setString(1, record);
    statement.executeUpdate();
  }

  /**
   * The oldest one. A record that this release cannot read is dropped, and so is a mode where a
   * newer one waits: a node that joins sets the last mode only.
   */
  Optional<SharedEntries.ToDo> firstAct() throws SQLException {
    Optional<SharedEntries.ToDo> first = oldestAct();
    while (first.isPresent() && isOldMode(first.get())) {
      LOG.info(
          "fleet: mode {} of {}@{} is not set here, because a newer one follows",
          Objects.requireNonNull(first.get().record().act()).value(),
          first.get().record().author(),
          first.get().record().node());
      removeAct(first.get().id());
      first = oldestAct();
    }
    return first;
  }

  private boolean isOldMode(SharedEntries.ToDo one) throws SQLException {
    SharedRecord.Act act = one.record().act();
    if (act == null || !act.kind().equals("mode")) {
      return false;
    }
    PreparedStatement statement =
        statements.of(
            "SELECT 1 FROM fleet_act WHERE id > ? AND instr(record, '\"act\":{\"kind\":\"mode\"') >"
                + " 0 LIMIT 1");
    statement.setLong(1, one.id());
    try (ResultSet row = statement.executeQuery()) {
      return row.next();
    }
  }

  private Optional<SharedEntries.ToDo> oldestAct() throws SQLException {
    PreparedStatement statement =
        statements.of("SELECT id, record FROM fleet_act ORDER BY id LIMIT 1");
    try (ResultSet row = statement.executeQuery()) {
      if (!row.next()) {
        return Optional.empty();
      }
      long id = row.getLong(1);
      if (SharedRecord.parse(row.getString(2)) instanceof Parsed.Ok<SharedRecord> ok) {
        return Optional.of(new SharedEntries.ToDo(id, ok.value()));
      }
      removeAct(id);
      return Optional.empty();
    }
  }

  void removeAct(long id) throws SQLException {
    PreparedStatement statement = statements.of("DELETE FROM fleet_act WHERE id = ?");
    statement.setLong(1, id);
    statement.executeUpdate();
  }

  long countActs() throws SQLException {
    PreparedStatement statement = statements.of("SELECT count(*) FROM fleet_act");
    try (ResultSet row = statement.executeQuery()) {
      return row.next() ? row.getLong(1) : 0;
    }
  }
}
