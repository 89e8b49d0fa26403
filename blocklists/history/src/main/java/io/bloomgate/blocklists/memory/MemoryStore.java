package io.bloomgate.blocklists.memory;

import io.bloomgate.blocklists.database.DatabaseFiles;
import io.bloomgate.blocklists.database.SqliteFile;
import io.bloomgate.blocklists.database.SqliteFile.Fault;
import io.bloomgate.blocklists.database.SqliteFile.UnusableException;
import io.bloomgate.blocklists.database.Statements;
import io.bloomgate.blocklists.database.WriterSizes;
import io.bloomgate.blocklists.memory.Remembered.Seen;
import io.bloomgate.blocklists.memory.Sighting.Origin;
import io.bloomgate.config.settings.MemorySettings;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The sightings and their keys, {@code STATE_DIR/memory.db}: a row of each sighting, and of each
 * key that it saw. What is committed outlives the process. A file that is damaged is moved to
 * {@code memory.db.damaged}, and nothing is remembered. Used by {@link OwnMemory}; thread-safe.
 */
final class MemoryStore implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(MemoryStore.class);

  /** Name of the file in the state directory. */
  static final String FILE_NAME = "memory.db";

  /** Keys that are remembered; of more, those that were seen once are forgotten first. */
  static final int MOST_KEYS = 100_000;

  /** The time for which a key is out that somebody reported as good. */
  static final Duration GOOD = Duration.ofDays(90);

  /** A gateway that was off for longer does not know what good mail carried meanwhile. */
  private static final Duration LONGEST_GAP = Duration.ofDays(3);

  /** "BlMm" in the header of the file. */
  private static final int APPLICATION_ID = 0x426c4d6d;

  private static final SqliteFile.Schema SCHEMA =
      new SqliteFile.Schema(
          APPLICATION_ID,
          1,
          List.of(
              // at: seconds since 1970.
              "CREATE TABLE sighting (number INTEGER PRIMARY KEY, at INTEGER NOT NULL,"
                  + " origin TEXT NOT NULL, who TEXT NOT NULL, id TEXT NOT NULL,"
                  + " network TEXT NOT NULL, domain TEXT NOT NULL) STRICT",
              "CREATE TABLE seen (key BLOB NOT NULL, number INTEGER NOT NULL,"
                  + " PRIMARY KEY (key, number)) STRICT, WITHOUT ROWID",
              "CREATE TABLE good (key BLOB NOT NULL PRIMARY KEY, until INTEGER NOT NULL) STRICT,"
                  + " WITHOUT ROWID",
              // since when accepted mail is known, and until when.
              "CREATE TABLE known (one INTEGER PRIMARY KEY CHECK (one = 1),"
                  + " begun INTEGER NOT NULL, beat INTEGER NOT NULL) STRICT"));

  private static final String COUNT_KEYS = "SELECT count(DISTINCT key) FROM seen";

  private static final WriterSizes SIZES = new WriterSizes(2_048, 1_024, false);

  private final Path path;
  private final int mostKeys;
  private final ReentrantLock lock = new ReentrantLock();
  private @Nullable SqliteFile file;
  private long keys;

  /**
   * Opened when it is used first.
   *
   * @param mostKeys {@link #MOST_KEYS}
   */
  MemoryStore(Path path, int mostKeys) {
    this.path = path;
    this.mostKeys = mostKeys;
  }

  /** Work with the tables, all of it or none. */
  private interface Work<T> {
    T on(Statements tables) throws SQLException;
  }

  private <T> T change(Work<T> work) throws IOException {
    lock.lock();
    try {
      SqliteFile open = opened();
      try {
        T result = work.on(open.statements());
        open.commit();
        return result;
      } catch (SQLException e) {
        open.rollBack(e);
        close();
        throw new UnusableException(e);
      }
    } finally {
      lock.unlock();
    }
  }

  private SqliteFile opened() throws IOException {
    SqliteFile open = file;
    if (open == null) {
      try {
        open = SqliteFile.open(path, SCHEMA, SIZES);
      } catch (UnusableException e) {
        if (e.fault() != Fault.DAMAGED) {
          throw e;
        }
        Path aside = DatabaseFiles.setAside(path);
        LOG.error("{} is damaged and was moved to {}: nothing is remembered of spam", path, aside);
        open = SqliteFile.open(path, SCHEMA, SIZES);
      }
      file = open;
      try {
        keys = open.statements().number(COUNT_KEYS);
      } catch (SQLException e) {
        throw new UnusableException(e);
      }
    }
    return open;
  }

  /** Remembers keys of a mail, but those that are kept out; returns how many. */
  int add(Seen mail, List<RememberedKey> carried) throws IOException {
    return change(tables -> {
      long number = tables.number("SELECT max(number) FROM sighting") + 1;
      int added = 0;
      for (RememberedKey key : carried) {
        byte[] octets = key.octets();
        if (tables.number("SELECT count(*) FROM good WHERE key = ?", octets) == 0) {
          keys += 1 - known(tables, octets);
          // It takes the place of one from the same network and domain, else of the oldest.
          tables.change(
              "DELETE FROM seen WHERE key = ? AND EXISTS (SELECT 1 FROM sighting WHERE"
                  + " sighting.number = seen.number AND network = ? AND domain = ?)",
              octets,
              mail.network(),
              mail.domain());
          tables.change("INSERT INTO seen VALUES (?, ?)", octets, number);
          tables.change(
              "DELETE FROM seen WHERE key = ? AND number <= (SELECT number FROM seen WHERE key = ?"
                  + " ORDER BY number DESC LIMIT 1 OFFSET ?)",
              octets,
              octets,
              MemorySettings.MOST_SIGHTINGS);
          added++;
        }
      }
      if (added > 0) {
        tables.change(
            "INSERT INTO sighting VALUES (?, ?, ?, ?, ?, ?, ?)",
            number,
            mail.at().getEpochSecond(),
            mail.origin().key(),
            mail.who(),
            mail.id(),
            mail.network(),
            mail.domain());
      }
      if (keys > mostKeys) {
        long left = mostKeys - mostKeys / 20L;
        tables.change(
            "DELETE FROM seen WHERE key IN (SELECT key FROM seen GROUP BY key"
                + " ORDER BY count(*) > 1, max(number) LIMIT ?)",
            keys - left);
        keys = left;
      }
      return added;
    });
  }

  /** 1 for a key that is remembered, else 0. */
  private static long known(Statements tables, byte[] key) throws SQLException {
    return tables.number("SELECT EXISTS (SELECT 1 FROM seen WHERE key = ?)", key);
  }

  /** True when this sighting was added, and has keys still. */
  boolean has(Seen mail) throws IOException {
    return change(tables ->
        tables.number(
            "SELECT count(*) FROM sighting WHERE at = ? AND who = ? AND id = ? AND network = ?"
                + " AND domain = ?",
            mail.at().getEpochSecond(),
            mail.who(),
            mail.id(),
            mail.network(),
            mail.domain()))
        > 0;
  }

  /** Forgets keys and keeps them out; returns how many there were. */
  int keepOut(List<RememberedKey> good, Instant now) throws IOException {
    return change(tables -> {
      long before = keys;
      for (RememberedKey key : good) {
        tables.change(
            "INSERT OR REPLACE INTO good VALUES (?, ?)",
            key.octets(),
            now.plus(GOOD).getEpochSecond());
        keys -= known(tables, key.octets());
        tables.change("DELETE FROM seen WHERE key = ?", key.octets());
      }
      return (int) (before - keys);
    });
  }

  /** All keys, as they were committed; sightings that come meanwhile do not wait. */
  List<Remembered> all() throws IOException {
    try (Statements tables = reader()) {
      Map<Integer, Seen> sightings = new HashMap<>();
      tables.forEach(
          "SELECT number, at, origin, who, id, network, domain FROM sighting",
          row ->
              sightings.put(
                  row.getInt(1),
                  new Seen(
                      Instant.ofEpochSecond(row.getLong(2)),
                      row.getString(3).equals(Origin.TRAP.key()) ? Origin.TRAP : Origin.REPORT,
                      row.getString(4),
                      row.getString(5),
                      row.getString(6),
                      row.getString(7))));
      Map<RememberedKey, List<Seen>> seen = new HashMap<>();
      tables.forEach(
          "SELECT key, number FROM seen ORDER BY number",
          row -> {
            Seen one = sightings.get(row.getInt(2));
            if (one != null) {
              RememberedKey.of(row.getBytes(1))
                  .ifPresent(key -> seen.computeIfAbsent(key, _ -> new ArrayList<>()).add(one));
            }
          });
      return seen.entrySet().stream()
          .map(key -> new Remembered(key.getKey(), key.getValue()))
          .toList();
    } catch (SQLException e) {
      throw new UnusableException(e);
    }
  }

  private Statements reader() throws IOException, SQLException {
    lock.lock();
    try {
      return opened().reader();
    } finally {
      lock.unlock();
    }
  }

  /** The sessions of all sightings: their mail is not good, though it was accepted. */
  Set<String> sessions() throws IOException {
    try (Statements tables = reader()) {
      return new HashSet<>(
          tables.rows("SELECT id FROM sighting WHERE id <> ''", row -> row.getString(1)));
    } catch (SQLException e) {
      throw new UnusableException(e);
    }
  }

  /**
   * Forgets keys that were not seen since, sightings without a key, and what was good long ago. A
   * report stays as long as its mail is asked for as accepted, though newer sightings took its
   * place; mail for traps is never asked for so.
   */
  void forget(Instant oldest, Instant now) throws IOException {
    change(tables -> {
      tables.change("DELETE FROM good WHERE until < ?", now.getEpochSecond());
      tables.change(
          "DELETE FROM seen WHERE key IN (SELECT key FROM seen GROUP BY key"
              + " HAVING max(number) IN (SELECT number FROM sighting WHERE at < ?))",
          oldest.getEpochSecond());
      tables.change(
          "DELETE FROM sighting WHERE (id = '' OR origin <> ? OR at < ?)"
              + " AND number NOT IN (SELECT number FROM seen)",
          Origin.REPORT.key(),
          now.minus(MemorySettings.ACCEPTED).getEpochSecond());
      keys = tables.number(COUNT_KEYS);
      return keys;
    });
  }

  /** Notes that accepted mail is known now; returns since when it is known without a gap. */
  Instant knownSince(Instant now) throws IOException {
    return change(tables -> {
      long begun =
          tables.number(
              "SELECT begun FROM known WHERE beat >= ?", now.minus(LONGEST_GAP).getEpochSecond());
      long since = begun == 0 ? now.getEpochSecond() : begun;
      tables.change("INSERT OR REPLACE INTO known VALUES (1, ?, ?)", since, now.getEpochSecond());
      return Instant.ofEpochSecond(since);
    });
  }

  /** Closes the file; the next use opens it again. */
  @Override
  public void close() throws IOException {
    lock.lock();
    try {
      SqliteFile open = file;
      file = null;
      if (open != null) {
        open.close();
      }
    } finally {
      lock.unlock();
    }
  }
}
