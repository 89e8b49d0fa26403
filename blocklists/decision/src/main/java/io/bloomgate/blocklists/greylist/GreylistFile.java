package io.bloomgate.blocklists.greylist;

import io.bloomgate.blocklists.database.SqliteFile;
import io.bloomgate.blocklists.database.SqliteFile.UnusableException;
import io.bloomgate.blocklists.database.Statements;
import io.bloomgate.blocklists.database.WriterSizes;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The file of {@link Greylist}, {@code STATE_DIR/greylist.db}: a row for each sender that waits or
 * came again. Keys are hashes with a random seed, so the file has no addresses. Used by {@link
 * Greylist} on the thread that saves.
 */
record GreylistFile(SqliteFile database) implements AutoCloseable {

  /** "BlGr" in the header of the file. */
  private static final int APPLICATION_ID = 0x426c4772;

  private static final SqliteFile.Schema SCHEMA =
      new SqliteFile.Schema(
          APPLICATION_ID,
          1,
          List.of(
              "CREATE TABLE seed (high INTEGER NOT NULL, low INTEGER NOT NULL) STRICT",
              """
              CREATE TABLE sender (
                key INTEGER PRIMARY KEY,
                time INTEGER NOT NULL,
                place INTEGER NOT NULL,
                passed INTEGER NOT NULL
              ) STRICT
              """));

  private static final WriterSizes SIZES = new WriterSizes(2_048, 1_024);

  /** One change since the last save, in the order in which they happened. */
  sealed interface Change {
    /** All that is stored goes, and another seed counts. */
    record Replaced(Seed seed) implements Change {}

    /** The key has to come again, or passed at that time. */
    record Put(long key, long seconds, int group, boolean passed) implements Change {}

    /** The key does not have to come again any more. */
    record Gone(long key) implements Change {}

    /** Keys that came, or passed, before that time are forgotten. */
    record GoneBefore(long seconds, boolean passed) implements Change {}
  }

  /** 128 bits that keys are hashed with. */
  record Seed(long high, long low) {}

  /**
   * Opens the file, or makes one.
   *
   * @throws UnusableException when it is damaged or cannot be used
   */
  static GreylistFile open(Path path) throws IOException {
    return new GreylistFile(SqliteFile.open(path, SCHEMA, SIZES));
  }

  /** Reads a file that cannot be written now; {@code null} when it cannot be read either. */
  static @Nullable Seed readAlone(Path path, Visits into) {
    try (GreylistFile alone = new GreylistFile(SqliteFile.openReadOnly(path, SCHEMA, true))) {
      return alone.read(into);
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
  @Nullable Seed read(Visits into) throws UnusableException {
    Statements sql = database.statements();
    try {
      Seed seed =
          sql.first("SELECT high, low FROM seed", row -> new Seed(row.getLong(1), row.getLong(2)))
              .orElse(null);
      sql.forEach(
          "SELECT key, time, place, passed FROM sender",
          row -> {
            if (!into.restore(row.getLong(1), row.getLong(2), row.getInt(3), row.getInt(4) != 0)) {
              throw SqliteFile.damaged("a sender");
            }
          });
      database.commit();
      return seed;
    } catch (SQLException e) {
      database.rollBack(e);
      throw new UnusableException(e);
    }
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
    Statements sql = database.statements();
    switch (change) {
      case Change.Replaced(Seed seed) -> {
        sql.change("DELETE FROM seed");
        sql.change("DELETE FROM sender");
        sql.change("INSERT INTO seed VALUES (?, ?)", seed.high, seed.low);
      }
      case Change.Put(long key, long time, int group, boolean passed) ->
          sql.change(
              "INSERT OR REPLACE INTO sender VALUES (?, ?, ?, ?)",
              key,
              time,
              group,
              passed ? 1 : 0);
      case Change.Gone(long key) ->
          sql.change("DELETE FROM sender WHERE key = ? AND passed = 0", key);
      case Change.GoneBefore(long seconds, boolean passed) ->
          sql.change("DELETE FROM sender WHERE time < ? AND passed = ?", seconds, passed ? 1 : 0);
    }
  }

  @Override
  public void close() throws IOException {
    database.close();
  }
}
