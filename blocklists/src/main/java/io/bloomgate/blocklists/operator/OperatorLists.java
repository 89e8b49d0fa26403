package io.bloomgate.blocklists.operator;

import io.bloomgate.blocklists.key.Parsed;
import io.bloomgate.blocklists.operator.NewEntry.Identity;
import io.bloomgate.blocklists.operator.OperatorEntry.ListKind;
import io.bloomgate.blocklists.operator.OperatorEntry.Subject;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The operator's allow and block lists: durable in SQLite, joined with the list files of the
 * settings, and published as one immutable {@link OperatorView} after each change.
 *
 * <p>Commands call {@link #add} and {@link #remove} on the threads of control connections, the
 * gateway's housekeeping calls {@link #poll} each second, sessions call {@link #view} at every
 * decision. Changes take a lock; the view is one volatile reference.
 */
public final class OperatorLists implements AutoCloseable {

  /** Name of the database in the state directory. */
  public static final String FILE_NAME = "operator.db";

  private final OperatorDatabase database;
  private final boolean readOnly;
  private final Path file;
  private final InstantSource clock;
  private final Map<Identity, OperatorEntry> stored = new LinkedHashMap<>();
  private ListFiles files;
  private volatile OperatorView view = OperatorView.EMPTY;

  /** Entries came since the last look: perhaps a long import, which one index has to wait for. */
  private boolean growing;

  private OperatorLists(
      Path file, OperatorDatabase database, boolean readOnly, ListFiles files, InstantSource clock)
      throws OperatorListsException {
    this.file = file;
    this.database = database;
    this.readOnly = readOnly;
    this.clock = clock;
    this.files = files;
    for (OperatorEntry entry : database.entries()) {
      stored.put(Identity.of(entry), entry);
    }
    files.poll();
    publish();
  }

  /**
   * Opens the lists for the gateway and reads the list files once.
   *
   * @throws OperatorListsException when the database is damaged, of a newer version, or cannot be
   *     opened; it says what to do
   */
  public static OperatorLists open(Path file, ListFiles files, InstantSource clock)
      throws OperatorListsException {
    return with(file, OperatorDatabase.open(file), false, files, clock);
  }

  /**
   * Opens the lists to look at them, beside a running gateway or without one: for the command line.
   * Changes fail.
   */
  public static OperatorLists openReadOnly(Path file, ListFiles files, InstantSource clock)
      throws OperatorListsException {
    return with(file, OperatorDatabase.openReadOnly(file), true, files, clock);
  }

  /** What the list files alone say, where no gateway has made a database yet. */
  public static OperatorView ofFilesAlone(ListFiles files) {
    var _ = files.poll();
    return OperatorView.of(files.entries());
  }

  private static OperatorLists with(
      Path file, OperatorDatabase database, boolean readOnly, ListFiles files, InstantSource clock)
      throws OperatorListsException {
    try {
      return new OperatorLists(file, database, readOnly, files, clock);
    } catch (OperatorListsException e) {
      database.close();
      throw e;
    }
  }

  /** What holds now. */
  public OperatorView view() {
    return view;
  }

  /** Who gives a command: the Unix user behind the socket, and the words of the command. */
  public record Origin(String author, String command) {}

  /** What became of one entry of {@link #add}. */
  public record Stored(OperatorEntry entry, Change change) {}

  /** How an entry came to be as it is. */
  public enum Change {
    ADDED,
    /** It was there with another reason or expiry. */
    CHANGED,
    /** It was there already, the same. */
    UNCHANGED
  }

  /**
   * Stores entries as one transaction; when this returns they are on the disk and in the view. The
   * rules ({@link OperatorRules}) are for the caller to ask first.
   *
   * @throws OperatorListsException when nothing was stored
   */
  public synchronized List<Stored> add(List<NewEntry> entries, Origin origin)
      throws OperatorListsException {
    requireWritable();
    Instant now = clock.instant();
    Map<Identity, OperatorEntry> changed = new LinkedHashMap<>();
    List<Stored> results =
        database.transaction(
            "write",
            () -> {
              List<Stored> done = new ArrayList<>(entries.size());
              for (NewEntry entry : entries) {
                done.add(store(entry, origin, now, changed));
              }
              return done;
            });
    stored.putAll(changed);
    if (!changed.isEmpty()) {
      Set<String> replaced = new HashSet<>();
      results.stream()
          .filter(one -> one.change() == Change.CHANGED)
          .forEach(one -> replaced.add(one.entry().id()));
      view = view.with(changed.values(), replaced);
      growing = true;
    }
    return results;
  }

  private Stored store(
      NewEntry wish, Origin origin, Instant now, Map<Identity, OperatorEntry> changed)
      throws SQLException {
    Identity identity = wish.identity();
    OperatorEntry old = changed.getOrDefault(identity, stored.get(identity));
    if (old == null) {
      OperatorEntry entry = database.insert(wish, origin.author(), now);
      changed.put(identity, entry);
      database.audit(record(entry, origin, now));
      return new Stored(entry, Change.ADDED);
    }
    OperatorEntry entry = wish.entry(old.id(), origin.author(), now);
    if (OperatorText.format(entry).equals(OperatorText.format(old))) {
      return new Stored(old, Change.UNCHANGED);
    }
    database.update(entry);
    changed.put(identity, entry);
    database.audit(record(entry, origin, now));
    return new Stored(entry, Change.CHANGED);
  }

  /**
   * What {@link #remove} did.
   *
   * @param unknown texts that name no entry of this list
   * @param inFiles entries that stand in a file and have to be taken out there
   */
  public record Removed(
      List<OperatorEntry> entries, List<String> unknown, List<OperatorEntry> inFiles) {
    public Removed {
      entries = List.copyOf(entries);
      unknown = List.copyOf(unknown);
      inFiles = List.copyOf(inFiles);
    }
  }

  /**
   * Takes entries away as one transaction, durable when this returns.
   *
   * @param wanted ids, or subjects as a person types them; a subject takes all its entries
   * @throws OperatorListsException when nothing was removed
   */
  public synchronized Removed remove(ListKind list, Collection<String> wanted, Origin origin)
      throws OperatorListsException {
    requireWritable();
    Map<Identity, OperatorEntry> going = new LinkedHashMap<>();
    List<String> unknown = new ArrayList<>();
    List<OperatorEntry> inFiles = new ArrayList<>();
    for (String text : wanted) {
      List<OperatorEntry> here = named(stored.values(), list, text);
      here.forEach(entry -> going.put(Identity.of(entry), entry));
      List<OperatorEntry> there = named(files.entries(), list, text);
      inFiles.addAll(there);
      if (here.isEmpty() && there.isEmpty()) {
        unknown.add(text);
      }
    }
    Instant now = clock.instant();
    database.transaction(
        "write",
        () -> {
          for (OperatorEntry entry : going.values()) {
            database.delete(entry);
            database.audit(record(entry, origin, now));
          }
          return going.size();
        });
    stored.keySet().removeAll(going.keySet());
    publish();
    return new Removed(List.copyOf(going.values()), unknown, inFiles);
  }

  private static List<OperatorEntry> named(
      Collection<OperatorEntry> entries, ListKind list, String text) {
    Subject subject =
        SubjectText.parse(text) instanceof Parsed.Ok<Subject>(Subject parsed, var ignored)
            ? parsed
            : null;
    return entries.stream()
        .filter(entry -> entry.list() == list)
        .filter(entry -> entry.id().equals(text) || entry.subject().equals(subject))
        .toList();
  }

  /**
   * Notes an act of the operator that changes no list, such as which version of a feed is live.
   *
   * @param subject what it was about
   * @throws OperatorListsException when it was not written
   */
  public synchronized void note(Origin origin, String subject) throws OperatorListsException {
    requireWritable();
    AuditRecord record =
        new AuditRecord(clock.instant(), origin.author(), origin.command(), subject);
    database.transaction(
        "write",
        () -> {
          database.audit(record);
          return record;
        });
  }

  /** The newest audit records, newest first. */
  public synchronized List<AuditRecord> audit(int limit) throws OperatorListsException {
    return database.audit(limit);
  }

  /**
   * Looks at the list files and publishes what changed in them. Call each second.
   *
   * @return news for the log, one line each; empty when nothing happened
   */
  public synchronized List<String> poll() {
    ListFiles.News news = files.poll();
    if (news.changed() || (!growing && !view.isOneIndex())) {
      publish();
    }
    growing = false;
    return news.lines();
  }

  /** Takes the list files of new settings; what cannot be read now keeps its last good content. */
  public synchronized List<String> useFiles(ListFiles newFiles) {
    newFiles.inherit(files);
    files = newFiles;
    List<String> news = files.poll().lines();
    publish();
    return news;
  }

  /** What is wrong with list files now, one line each: for {@code status}. */
  public synchronized List<String> alarms() {
    return files.alarms();
  }

  private void publish() {
    List<OperatorEntry> all = new ArrayList<>(stored.values());
    all.addAll(files.entries());
    view = OperatorView.of(all);
  }

  private static AuditRecord record(OperatorEntry entry, Origin origin, Instant now) {
    return new AuditRecord(now, origin.author(), origin.command(), OperatorText.format(entry));
  }

  private void requireWritable() throws OperatorListsException {
    if (readOnly) {
      throw new OperatorListsException(
          file + " is open for reading only", "start the gateway and repeat the command");
    }
  }

  @Override
  public synchronized void close() throws OperatorListsException {
    database.close();
  }
}
