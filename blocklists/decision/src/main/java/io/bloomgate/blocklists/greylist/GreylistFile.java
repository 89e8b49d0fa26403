package io.bloomgate.blocklists.greylist;

import io.bloomgate.blocklists.database.SqliteFile;
import io.bloomgate.blocklists.database.SqliteFile.UnusableException;
import io.bloomgate.blocklists.database.Statements;
import io.bloomgate.blocklists.database.WriterSizes;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The file of {@link Greylist}, {@code STATE_DIR/greylist.db}: keys that have to come again, a row
 * for each slice of the ring with its filter once it is full, and the keys of the newest slice.
 * Keys are hashes with a random seed, so the file has no addresses. Used by {@link Greylist} on the
 * thread that saves.
 */
final class GreylistFile implements AutoCloseable {

  /** "BlGr" in the header of the file. */
  private static final int APPLICATION_ID = 0x426c4772;

  private static final SqliteFile.Schema SCHEMA =
      new SqliteFile.Schema(
          APPLICATION_ID,
          1,
          List.of(
              "CREATE TABLE seed (high INTEGER NOT NULL, low INTEGER NOT NULL) STRICT",
              """
              CREATE TABLE pending (
                key INTEGER PRIMARY KEY,
                since INTEGER NOT NULL,
                place INTEGER NOT NULL
              ) STRICT
              """,
              """
              CREATE TABLE slice (
                id INTEGER PRIMARY KEY,
                day INTEGER NOT NULL,
                capacity INTEGER NOT NULL,
                count INTEGER NOT NULL,
                filter BLOB
              ) STRICT
              """,
              "CREATE TABLE passed (key INTEGER PRIMARY KEY) STRICT"),
          List.of());

  private static final WriterSizes SIZES = new WriterSizes(2_048, 1_024);

  private final SqliteFile database;

  private GreylistFile(SqliteFile database) {
    this.database = database;
  }

  /** One change since the last save, in the order in which they happened. */
  sealed interface Change {
    /** All that is stored goes, and another seed counts. */
    record Replaced(Seed seed) implements Change {}

    /** The key has to come again. */
    record Waits(long key, long sinceSeconds, int group) implements Change {}

    /** The key does not have to come again any more. */
    record Gone(long key) implements Change {}

    /** Keys that came before that time need not come again. */
    record GoneBefore(long seconds) implements Change {}

    /** The slice takes no more keys. */
    record Sealed(PassedRing.Slice slice) implements Change {}

    /** A slice was begun. */
    record Begun(PassedRing.Slice slice) implements Change {}

    /** The newest slice took the key. */
    record Passed(long key) implements Change {}

    /** The slice is too old. */
    record Dropped(int id) implements Change {}
  }

  /** 128 bits that keys are hashed with. */
  record Seed(long high, long low) {}

  /** Receives what is stored. */
  interface Content {
    void pending(long key, long sinceSeconds, int group);

    void slice(int id, int day, int capacity, int count, long[] words);

    void passed(long key);
  }

  /**
   * Opens the file, or makes one.
   *
   * @throws UnusableException when it is damaged or cannot be used
   */
  static GreylistFile open(Path path) throws IOException {
    return new GreylistFile(SqliteFile.open(path, SCHEMA, SIZES));
  }

  /** Reads a file that cannot be written now; {@code null} when it cannot be read either. */
  static @Nullable Seed readAlone(Path path, Content content) {
    try (GreylistFile alone = new GreylistFile(SqliteFile.openReadOnly(path, SCHEMA, true))) {
      return alone.read(content);
    } catch (IOException _) {
      return null; // why it cannot be written is known
    }
  }

  /**
   * Reads all that is stored.
   *
   * @return the seed; {@code null} when nothing was ever stored
   * @throws UnusableException when it is damaged
   */
  @Nullable Seed read(Content content) throws UnusableException {
    try (ResultSet row = database.statements().of("SELECT high, low FROM seed").executeQuery()) {
      Seed seed = row.next() ? new Seed(row.getLong(1), row.getLong(2)) : null;
      readRest(content);
      database.commit();
      return seed;
    } catch (SQLException e) {
      database.rollBack(e);
      throw new UnusableException(e);
    }
  }

  private void readRest(Content content) throws SQLException {
    Statements sql = database.statements();
    try (ResultSet rows = sql.of("SELECT key, since, place FROM pending").executeQuery()) {
      while (rows.next()) {
        content.pending(rows.getLong(1), rows.getLong(2), rows.getInt(3));
      }
    }
    try (ResultSet rows =
        sql.of("SELECT id, day, capacity, count, filter FROM slice ORDER BY id").executeQuery()) {
      while (rows.next()) {
        int capacity = rows.getInt(3);
        content.slice(
            rows.getInt(1), rows.getInt(2), capacity, rows.getInt(4), words(capacity, rows));
      }
    }
    try (ResultSet rows = sql.of("SELECT key FROM passed").executeQuery()) {
      while (rows.next()) {
        content.passed(rows.getLong(1));
      }
    }
  }

  /**
   * The filter of a row; an empty one for the newest slice, whose keys are stored by themselves.
   */
  private static long[] words(int capacity, ResultSet row) throws SQLException {
    if (capacity <= 0 || capacity > PassedRing.MOST_A_DAY) {
      throw SqliteFile.damaged("a slice's capacity");
    }
    long[] words = new long[PassedRing.words(capacity)];
    byte[] octets = row.getBytes(5);
    if (octets != null) {
      if (octets.length != words.length * Long.BYTES) {
        throw SqliteFile.damaged("a slice's filter");
      }
      ByteBuffer.wrap(octets).order(ByteOrder.LITTLE_ENDIAN).asLongBuffer().get(words);
    }
    return words;
  }

  /**
   * Stores the changes; they are on the disk when this returns.
   *
   * @throws UnusableException when nothing of them was stored
   */
  void store(List<Change> changes) throws UnusableException {
    try {
      for (Change change : changes) {
        store(change);
      }
      database.commit();
    } catch (SQLException e) {
      database.rollBack(e);
      throw new UnusableException(e);
    }
  }

  private void store(Change change) throws SQLException {
    switch (change) {
      case Change.Replaced(Seed seed) -> {
        for (String table : List.of("seed", "pending", "slice", "passed")) {
          run("DELETE FROM " + table);
        }
        run("INSERT INTO seed VALUES (?, ?)", seed.high, seed.low);
      }
      case Change.Waits(long key, long since, int group) ->
          run("INSERT OR REPLACE INTO pending VALUES (?, ?, ?)", key, since, group);
      case Change.Gone(long key) -> run("DELETE FROM pending WHERE key = ?", key);
      case Change.GoneBefore(long seconds) -> run("DELETE FROM pending WHERE since < ?", seconds);
      case Change.Sealed(PassedRing.Slice slice) -> seal(slice);
      case Change.Begun(PassedRing.Slice slice) ->
          run(
              "INSERT OR REPLACE INTO slice VALUES (?, ?, ?, 0, NULL)",
              slice.id(),
              slice.day(),
              slice.capacity());
      case Change.Passed(long key) -> run("INSERT OR IGNORE INTO passed VALUES (?)", key);
      case Change.Dropped(int id) -> run("DELETE FROM slice WHERE id = ?", id);
    }
  }

  /** Writes the filter of a slice, which has its keys from now on. */
  private void seal(PassedRing.Slice slice) throws SQLException {
    long[] words = slice.words();
    ByteBuffer octets =
        ByteBuffer.allocate(words.length * Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    octets.asLongBuffer().put(words);
    PreparedStatement insert =
        database.statements().of("INSERT OR REPLACE INTO slice VALUES (?, ?, ?, ?, ?)");
    insert.setInt(1, slice.id());
    insert.setInt(2, slice.day());
    insert.setInt(3, slice.capacity());
    insert.setInt(4, slice.count());
    insert.setBytes(5, octets.array());
    insert.executeUpdate();
    run("DELETE FROM passed");
  }

  private void run(String sql, long... values) throws SQLException {
    PreparedStatement statement = database.statements().of(sql);
    for (int i = 0; i < values.length; i++) {
      statement.setLong(i + 1, values[i]);
    }
    statement.executeUpdate();
  }

  @Override
  public void close() throws IOException {
    database.close();
  }
}
