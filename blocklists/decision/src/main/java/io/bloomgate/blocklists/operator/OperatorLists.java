package io.bloomgate.blocklists.operator;

import io.bloomgate.blocklists.entry.KeyHash;
import io.bloomgate.config.name.Keyed;
import io.bloomgate.config.name.ListKind;
import io.bloomgate.config.name.Subject;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The operator's allow and block lists of any length: durable in SQLite, together with the entries
 * of the list files, and asked through one {@link OperatorView} that reads the store behind a
 * filter in memory.
 *
 * <p>Commands call {@link #add}, {@link #edit} and {@link #remove} on the threads of control
 * connections, the gateway's housekeeping calls {@link #poll} each second, sessions ask {@link
 * #view} at every decision. Changes take the lock of {@link StoreWriter}, looks at the list files
 * take another one; decisions take none.
 */
public final class OperatorLists implements AutoCloseable {

  /** Name of the database in the state directory. */
  public static final String FILE_NAME = "operator.db";

  private final OperatorDatabase database;
  private volatile long likenessSeed;
  private final InstantSource clock;
  private final StoredView stored;
  private final StoreWriter writer;
  private final EntryChanges changes;
  private final FileSync sync;
  private final EntryUses uses;
  private final OperatorView view;
  private final Object filesLock = new Object();
  private volatile ListFiles files;
  private volatile List<String> fileAlarms = List.of();
  private volatile @Nullable String damage;
  private boolean checked;

  private OperatorLists(
      OperatorDatabase database, boolean readOnly, ListFiles files, InstantSource clock)
      throws OperatorListsException {
    this.database = database;
    this.clock = clock;
    this.files = files;
    KeyHash keys = database.keys();
    this.likenessSeed = database.likenessSeed();
    this.stored = new StoredView(database, keys, !readOnly);
    this.writer = new StoreWriter(database, stored, keys);
    this.changes = new EntryChanges(writer, clock);
    this.sync = new FileSync(writer, database);
    this.uses = new EntryUses(database, changes, clock);
    if (readOnly) {
      this.view = OperatorView.both(stored, files);
    } else {
      this.view = stored;
      files.adopt(sync.stored());
      lookAtFiles();
    }
  }

  /**
   * Opens the lists for the gateway and reads those list files that have changed.
   *
   * @throws OperatorListsException when the database is damaged, of a newer version, or cannot be
   *     opened; it says what to do
   */
  public static OperatorLists open(Path file, ListFiles files, InstantSource clock)
      throws OperatorListsException {
    return with(OperatorDatabase.open(file, clock), false, files, clock);
  }

  /**
   * Opens the lists to look at them, beside a running gateway or without one: for the command line.
   * Changes fail; entries of list files are read from the files as they are now. The view can be
   * asked until the lists are closed.
   */
  public static OperatorLists openReadOnly(Path file, ListFiles files, InstantSource clock)
      throws OperatorListsException {
    return with(OperatorDatabase.openReadOnly(file), true, files, clock);
  }

  /** Reads {@link #likenessSeed} of a store that may be closed; empty when it cannot be read. */
  public static OptionalLong readLikenessSeed(Path file) {
    if (!Files.isReadable(file)) {
      return OptionalLong.empty();
    }
    try (OperatorDatabase database = OperatorDatabase.openReadOnly(file)) {
      return OptionalLong.of(database.likenessSeed());
    } catch (OperatorListsException e) {
      return OptionalLong.empty();
    }
  }

  private static OperatorLists with(
      OperatorDatabase database, boolean readOnly, ListFiles files, InstantSource clock)
      throws OperatorListsException {
    try {
      return new OperatorLists(database, readOnly, files, clock);
    } catch (OperatorListsException e) {
      database.close();
      throw e;
    }
  }

  /**
   * The seed of the likeness of texts: secret, and the same as long as there is this store, because
   * entries hold such likenesses.
   */
  public long likenessSeed() {
    return likenessSeed;
  }

  /** Takes the seed of a fleet; false when entries hold likenesses of another one, which stays. */
  public boolean shareLikenessSeed(long seed) throws OperatorListsException {
    if (likenessSeed == seed) {
      return true;
    }
    likenessSeed =
        writer.aside(change -> {
          for (ListKind list : ListKind.values()) {
            if (!writer.shape(list).likenesses().isEmpty()) {
              return likenessSeed;
            }
          }
          database.takeLikenessSeed(seed);
          return seed;
        });
    return likenessSeed == seed;
  }

  /** Returns what holds now: always the same object, which reads again at each question. */
  public OperatorView view() {
    return view;
  }

  /** The commands about entries that give recipients a profile. */
  public RecipientLists recipients() {
    return new RecipientLists(writer, clock);
  }

  /** Returns the number of entries of a list, expired ones too. */
  public long count(ListKind list) {
    return stored.front(list).entries();
  }

  /** Octets that the filters in front of the store take in memory. */
  public long filterOctets() {
    return stored.front(ListKind.ALLOW).filterOctets()
        + stored.front(ListKind.BLOCK).filterOctets();
  }

  /** The sender of a command: the Unix user behind the socket, and the words of the command. */
  public record Origin(String author, String command) {}

  /** The outcome for one entry of {@link #add}; {@code before}: as the same entry was until now. */
  public record Stored(OperatorEntry entry, Change change, Optional<OperatorEntry> before) {}

  /** The outcome of adding an entry. */
  public enum Change implements Keyed {
    ADDED,
    /** It was there with another reason or expiry. */
    CHANGED,
    /** It was there already, the same. */
    UNCHANGED
  }

  /**
   * Stores entries as one transaction; when this returns they are on the disk and in the view. The
   * rules ({@link OperatorRules}) are for the caller to ask first. Each entry has its own record in
   * the audit. An entry without a reason or an end keeps those of the same entry that still holds.
   *
   * @throws OperatorListsException when nothing was stored
   */
  public List<Stored> add(List<NewEntry> entries, Origin origin) throws OperatorListsException {
    return changes.add(entries, false, origin, "");
  }

  /** The same for entries without an end, whatever end the same entry had. */
  public List<Stored> addForEver(List<NewEntry> entries, Origin origin)
      throws OperatorListsException {
    return changes.add(entries, true, origin, "");
  }

  /**
   * The same for a piece of an import, which has one record in the audit for all.
   *
   * @param what names the piece in the audit, as {@code lines 1 to 1000}
   */
  public List<Stored> addPiece(List<NewEntry> entries, Origin origin, String what)
      throws OperatorListsException {
    return changes.add(entries, false, origin, what);
  }

  /** Returns what {@link #addPiece} would do now; the lists may be open for reading only. */
  public List<Stored> tryPiece(List<NewEntry> entries) throws OperatorListsException {
    return changes.tryPiece(entries);
  }

  /**
   * The outcome of {@link #remove} or {@link #edit}.
   *
   * @param entries those that went, or as they are now
   * @param unknown texts that name no entry of this list
   * @param inFiles entries that are in a file and have to be changed there
   */
  public record Changed(
      List<OperatorEntry> entries, List<String> unknown, List<OperatorEntry> inFiles) {}

  /**
   * Takes entries away as one transaction.
   *
   * @param wanted ids, or subjects as a person types them; a subject takes all its entries
   * @throws OperatorListsException when nothing was removed
   */
  public Changed remove(ListKind list, Collection<String> wanted, Origin origin)
      throws OperatorListsException {
    return changes.remove(list, wanted, origin);
  }

  /**
   * Changes entries as one transaction.
   *
   * @param wanted as for {@link #remove}
   * @param edit gives the new entry; it may change reason and expiry
   * @throws OperatorListsException when nothing was changed
   */
  public Changed edit(
      ListKind list, Collection<String> wanted, Function<NewEntry, NewEntry> edit, Origin origin)
      throws OperatorListsException {
    return changes.edit(list, wanted, edit, origin);
  }

  /**
   * A part of a list in order of creation, or of the audit.
   *
   * @param last give it to the next call
   * @param end nothing follows
   */
  public record Page<T>(List<T> items, long last, boolean end) {
    <R> Page<R> map(Function<T, R> to) {
      return new Page<>(items.stream().map(to).toList(), last, end);
    }
  }

  /**
   * The next entries of a list, expired ones too; a list of any length is read page by page.
   *
   * @param match as {@link StoredRow#page} takes it; empty for all
   * @param after {@link Page#last} of the page before, 0 at first
   * @throws OperatorListsException when the store cannot be read
   */
  public Page<OperatorEntry> page(ListKind list, String match, long after)
      throws OperatorListsException {
    return uses.page(list, match, null, after);
  }

  /**
   * Subjects of entries that hold now.
   *
   * @param limit of how many entries, the oldest first
   * @throws OperatorListsException when the store cannot be read
   */
  public List<Subject> subjects(ListKind list, int limit) throws OperatorListsException {
    return database.read(sql -> StoredRow.subjects(sql, list, clock.instant(), limit));
  }

  /**
   * Notes an act of the operator that changes no list, such as which version of a feed is live.
   *
   * @param subject what it was about
   * @throws OperatorListsException when it was not written
   */
  public void note(Origin origin, String subject) throws OperatorListsException {
    changes.note(origin, subject);
  }

  /**
   * The next records of the audit, newest first.
   *
   * @param since none that is older
   * @param before {@link Page#last} of the page before, {@link Long#MAX_VALUE} at first
   * @throws OperatorListsException when the store cannot be read
   */
  public Page<AuditRecord> audit(Instant since, long before) throws OperatorListsException {
    return database.read(sql -> AuditRecord.page(sql, since, before));
  }

  /**
   * Looks at the list files and stores what changed in them; makes the filters that are missing or
   * nearly full. Call each second; takes seconds when a long file has changed.
   *
   * @return news for the log, one line each; empty when nothing happened
   */
  public List<String> poll() {
    List<String> news = new ArrayList<>();
    writer.tryWriting().ifPresent(news::add);
    news.addAll(lookAtFiles());
    try {
      writer.makeFilters();
      uses.write();
      if (!checked) {
        checked = true;
        database.checkLater();
      }
    } catch (OperatorListsException e) {
      damage = e.userMessage() + "; " + e.hint();
      news.add(e.userMessage() + "; " + e.hint());
    }
    return news;
  }

  private List<String> lookAtFiles() {
    synchronized (filesLock) {
      List<String> news = files.poll(sync);
      fileAlarms = files.alarms();
      return news;
    }
  }

  /** Takes the list files of new settings; what cannot be read now keeps its last good content. */
  public List<String> useFiles(ListFiles newFiles) {
    synchronized (filesLock) {
      newFiles.inherit(files);
      files = newFiles;
      return lookAtFiles();
    }
  }

  /** The notes of which entries were of use. */
  public EntryUses uses() {
    return uses;
  }

  /** Queues what commands change from now on for the other nodes of a fleet. */
  public SharedEntries share(String node) throws OperatorListsException {
    return new SharedEntries(writer, database, node, clock);
  }

  /** Returns what is wrong with list files and the store now, one line each: for {@code status}. */
  public List<String> alarms() {
    List<String> alarms = new ArrayList<>(fileAlarms);
    unwritable().ifPresent(alarms::add);
    Optional.ofNullable(damage).ifPresent(alarms::add);
    stored.alarms(alarms::add);
    return alarms;
  }

  /** A sentence while what is stored is only read; empty when changes are stored. */
  public Optional<String> unwritable() {
    return database.alarm();
  }

  @Override
  public void close() throws OperatorListsException {
    database.closeReaders();
    synchronized (writer) {
      database.close();
    }
  }
}
