package io.bloomgate.blocklists.database;

import io.bloomgate.blocklists.database.SqliteFile.Fault;
import io.bloomgate.blocklists.database.SqliteFile.UnusableException;
import io.bloomgate.blocklists.file.DamagedFileException;
import io.bloomgate.config.fault.Faults;
import io.bloomgate.config.json.Json;
import io.bloomgate.config.json.JsonRecords;
import io.bloomgate.config.json.JsonSyntaxException;
import io.bloomgate.config.json.JsonValue.JsonObject;
import io.bloomgate.config.name.Keyed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The state of all feeds, {@code STATE_DIR/feeds.db}: a row of each feed, a column of each {@link
 * Part}. All rows are in memory; each change is on the disk when it returns. A file that is damaged
 * is moved to {@code feeds.db.damaged} and replaced by one with the rows in memory. Which versions
 * are live is not in it: the manifest of the live generation says that. Thread-safe: the
 * feed-refresher and threads of commands call it; in the command line {@link #read} opens it for
 * reading.
 */
public final class FeedStates implements AutoCloseable {

  /** Name of the file in the state directory. */
  public static final String FILE_NAME = "feeds.db";

  /** "BlFd" in the header of the file. */
  private static final int APPLICATION_ID = 0x426c4664;

  private static final String TABLE =
      """
      CREATE TABLE feed (
        name TEXT NOT NULL PRIMARY KEY,
        record TEXT,
        breaker TEXT,
        action TEXT,
        promotion TEXT,
        fetched TEXT
      ) STRICT, WITHOUT ROWID
      """;

  private static final SqliteFile.Schema SCHEMA =
      new SqliteFile.Schema(APPLICATION_ID, 1, List.of(TABLE));

  private static final String FORGOTTEN =
      "disabled feeds are enabled, rollbacks and promotions are forgotten: `bloomgate feeds disable"
          + " NAME` disables a feed, `bloomgate feeds rollback NAME` rolls back, `bloomgate feeds"
          + " promote NAME --auto` asks for promotion";

  /** The rows of a hundred feeds are some hundred KiB. */
  private static final WriterSizes SIZES = new WriterSizes(1_024, 256);

  /** A part of the state of a feed: a record in JSON; the columns are in this order. */
  public enum Part implements Keyed {
    /** Tries, pause, rollback: the feed-refresher and commands. */
    RECORD,
    /** The counts of the breaker. */
    BREAKER,
    /** The action of the feed, and since when it has it. */
    ACTION,
    /** The order that {@code feeds promote} gave. */
    PROMOTION,
    /** Octets that were fetched, by day. */
    FETCHED;
  }

  private final Path file;
  private final boolean readOnly;
  private final Consumer<String> alarm;
  private final Map<String, Map<Part, String>> rows = new TreeMap<>();

  /** {@code null} while it could not be opened, and for readers. */
  private @Nullable SqliteFile database;

  /** The reason why the rows are not known, for the operator; empty when they are. */
  private volatile String unread = "";

  private boolean closed;

  private FeedStates(Path file, boolean readOnly, Consumer<String> alarm) {
    this.file = file;
    this.readOnly = readOnly;
    this.alarm = alarm;
  }

  /**
   * Opens for the gateway. Mail does not depend on it (promise P5): a damaged file is replaced, one
   * that cannot be written is read, and one that cannot be opened is tried again with each change.
   *
   * @param stateDir {@code STATE_DIR}
   * @param alarm receives sentences for the operator
   */
  public static FeedStates open(Path stateDir, Consumer<String> alarm) {
    FeedStates states = new FeedStates(stateDir.resolve(FILE_NAME), false, alarm);
    try {
      states.opened();
    } catch (IOException e) {
      states.read(e);
    }
    return states;
  }

  private void read(IOException unwritten) {
    if (Files.exists(file)) {
      try (SqliteFile database = SqliteFile.openReadOnly(file, SCHEMA, true)) {
        load(database);
      } catch (UnusableException e) {
        unread =
            e.fault() == Fault.EMPTY
                ? ""
                : "the state of feeds cannot be read or kept: "
                    + Faults.words(unwritten)
                    + "; until then no feed is disabled, rolled back or promoted";
      }
    }
    alarm.accept(
        unread.isEmpty()
            ? "the state of feeds cannot be kept now: " + Faults.words(unwritten)
            : unread);
  }

  /**
   * Reads what a gateway has stored, beside it or without one and without a change; no rows where
   * no file is. It need not be closed.
   *
   * @throws DamagedFileException when the file is damaged
   * @throws IOException when it cannot be read
   */
  public static FeedStates read(Path stateDir) throws IOException {
    FeedStates states = new FeedStates(stateDir.resolve(FILE_NAME), true, _ -> {});
    if (Files.exists(states.file)) {
      try (SqliteFile database = SqliteFile.openReadOnly(states.file, SCHEMA)) {
        states.load(database);
      } catch (UnusableException e) {
        if (e.fault() != Fault.EMPTY) {
          throw states.failure(e);
        }
      }
    }
    return states;
  }

  /** Makes a state without any row, for readers of a file that is damaged. */
  public static FeedStates none() {
    return new FeedStates(Path.of(FILE_NAME), true, _ -> {});
  }

  /** The alarm while the file cannot be read, so that nothing is known; empty without one. */
  public String problem() {
    return unread;
  }

  /**
   * The stored value; empty when there is none, or when nothing is known: {@link #problem} says
   * that once for all feeds.
   *
   * @throws DamagedFileException when the row is not what was written
   */
  public synchronized Optional<JsonObject> get(String feed, Part part) throws DamagedFileException {
    String value = rows.getOrDefault(feed, Map.of()).get(part);
    if (value == null) {
      return Optional.empty();
    }
    try {
      if (Json.parse(value) instanceof JsonObject object) {
        return Optional.of(object);
      }
    } catch (JsonSyntaxException e) {
      // The same answer as for another kind of value.
    }
    throw new DamagedFileException(file, "is damaged: the " + part.key() + " of feed " + feed);
  }

  /** The stored record; empty also when the row is none that such a record has written. */
  public <R extends Record> Optional<R> get(String feed, Part part, Class<R> type)
      throws DamagedFileException {
    return get(feed, part).flatMap(row -> JsonRecords.tryRead(type, row));
  }

  /** Feeds of which this is stored, those that have left the settings too. */
  public synchronized Set<String> names(Part part) {
    return rows.entrySet().stream()
        .filter(row -> row.getValue().containsKey(part))
        .map(Map.Entry::getKey)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** Stores a record, as {@link #put(String, Part, JsonObject)} does. */
  public void put(String feed, Part part, Record value) throws IOException {
    put(feed, part, JsonRecords.of(value));
  }

  /**
   * Stores a value in place of another; when this returns, it is on the disk.
   *
   * @throws IOException when it was not stored
   */
  public synchronized void put(String feed, Part part, JsonObject value) throws IOException {
    SqliteFile into = opened(); // with the rows of a file that could not be opened before
    Map<Part, String> row = new EnumMap<>(Part.class);
    row.putAll(rows.getOrDefault(feed, Map.of()));
    row.put(part, Json.write(value));
    try {
      write(into, Map.of(feed, row));
    } catch (UnusableException e) {
      if (e.fault() != Fault.DAMAGED) {
        throw failure(e);
      }
      replace(e);
      write(opened(), Map.of(feed, row));
    }
    rows.put(feed, row);
  }

  /** The open file; a damaged one is replaced first. */
  private SqliteFile opened() throws IOException {
    if (readOnly || closed) {
      throw new IOException(file + " is closed");
    }
    if (database == null) {
      try {
        database = openWhole();
      } catch (UnusableException e) {
        if (e.fault() != Fault.DAMAGED) {
          throw failure(e);
        }
        replace(e);
      }
    }
    return Objects.requireNonNull(database);
  }

  private SqliteFile openWhole() throws IOException {
    SqliteFile opened = SqliteFile.open(file, SCHEMA, SIZES);
    try {
      load(opened);
      unread = "";
      return opened;
    } catch (UnusableException e) {
      opened.close();
      throw e;
    }
  }

  /** Rows in memory are newer than those of a file that could not be opened before. */
  private void load(SqliteFile from) throws UnusableException {
    try {
      from.statements()
          .forEach(
              "SELECT * FROM feed",
              one -> {
                Map<Part, String> row = new EnumMap<>(Part.class);
                for (Part part : Part.values()) {
                  String value = one.getString(part.key());
                  if (value != null) {
                    row.put(part, value);
                  }
                }
                rows.putIfAbsent(one.getString("name"), row);
              });
      from.commit();
    } catch (SQLException e) {
      throw new UnusableException(e);
    }
  }

  private static void write(SqliteFile into, Map<String, Map<Part, String>> changed)
      throws UnusableException {
    try {
      for (Map.Entry<String, Map<Part, String>> row : changed.entrySet()) {
        List<@Nullable String> columns = new ArrayList<>(List.of(row.getKey()));
        for (Part part : Part.values()) {
          columns.add(row.getValue().get(part));
        }
        into.statements()
            .change("INSERT OR REPLACE INTO feed VALUES (?, ?, ?, ?, ?, ?)", columns.toArray());
      }
      into.commit();
    } catch (SQLException e) {
      into.rollBack(e);
      throw new UnusableException(e);
    }
  }

  /** Moves the damaged file and begins another with the rows in memory. */
  private void replace(UnusableException why) throws IOException {
    if (database != null) {
      try {
        database.close();
      } catch (UnusableException e) {
        why.addSuppressed(e);
      }
      database = null;
    }
    Path damaged = DatabaseFiles.setAside(file);
    boolean known = !rows.isEmpty();
    try {
      database = openWhole();
      write(database, rows);
    } catch (UnusableException e) {
      throw failure(e);
    }
    alarm.accept(
        known
            ? file + " was damaged and is written again; the damaged file is " + damaged
            : "%s with the state of all feeds was damaged and is now %s; %s"
                .formatted(file, damaged, FORGOTTEN));
  }

  private IOException failure(UnusableException e) {
    return switch (e.fault()) {
      case DAMAGED -> new DamagedFileException(file, "is damaged");
      case OTHER_PROGRAM, OTHER_RELEASE, EMPTY ->
          new IOException(e.getMessage() + "; move it to another directory and start again", e);
      case FULL_DISK -> new IOException("the disk of " + file + " is full", e);
      case NO_ACCESS ->
          new IOException(
              "cannot open " + file + "; check its owner and permissions and its directory's", e);
      case READ_ONLY ->
          new IOException(file + " cannot be written; check its owner and permissions", e);
      case BUSY -> new IOException(file + " is held by another process (a backup, sqlite3)", e);
      case OTHER -> new IOException("cannot use " + file + ": " + e.getMessage(), e);
    };
  }

  @Override
  public synchronized void close() throws IOException {
    closed = true;
    if (database != null) {
      database.close();
      database = null;
    }
  }
}
