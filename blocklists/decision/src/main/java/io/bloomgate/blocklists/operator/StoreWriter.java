package io.bloomgate.blocklists.operator;

import io.bloomgate.blocklists.database.Statements;
import io.bloomgate.blocklists.entry.KeyHash;
import io.bloomgate.blocklists.operator.OperatorLists.Origin;
import io.bloomgate.blocklists.operator.SharedCommand.Thing;
import io.bloomgate.config.name.ListKind;
import io.bloomgate.config.name.Subject;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * All changes of stored entries: the transaction, and what is in memory before it. A hash is let
 * through by the filter before the commit that stores its row, and taken out after the commit that
 * removes it, so that the filter never denies what is stored. One change at a time, under the lock
 * of this object; called by {@link OperatorLists} and {@link FileSync}.
 */
final class StoreWriter {

  /** Patterns of both lists with a star that is compared: many may be at one domain. */
  static final int MAX_PATTERNS = 1_000;

  private final OperatorDatabase database;
  private final StoredView view;
  private final KeyHash keys;

  /** {@code null} where no fleet is set. */
  private volatile @Nullable SharedEntries shared;

  StoreWriter(OperatorDatabase database, StoredView view, KeyHash keys) {
    this.database = database;
    this.view = view;
    this.keys = keys;
  }

  /** Queues changes of commands from now on for the other nodes of a fleet. */
  synchronized void share(SharedEntries with) {
    shared = with;
  }

  /** There are {@link #MAX_PATTERNS}; the change is undone. */
  static final class LimitException extends SQLException {
    private static final long serialVersionUID = 1L;

    LimitException() {
      super("more than " + MAX_PATTERNS + " patterns with a star are not taken");
    }
  }

  /** Changes that are made together. */
  @FunctionalInterface
  interface Work<T> {
    T run(Change change) throws SQLException;
  }

  /**
   * Runs a change. When this returns, it is on the disk and every decision that begins sees it.
   *
   * @throws OperatorListsException when nothing was changed
   */
  synchronized <T> T change(Work<T> work) throws OperatorListsException {
    Change change = new Change();
    boolean done = false;
    try {
      T result =
          database.transaction(
              "write",
              _ -> {
                T made = work.run(change);
                change.beforeCommit();
                return made;
              });
      change.committed();
      done = true;
      if (change.isQueued && shared != null) {
        shared.committed();
      }
      return result;
    } finally {
      if (!done) {
        change.undo();
      }
    }
  }

  /**
   * Runs the change of a command, which fails at once where nothing can be stored now.
   *
   * @throws OperatorListsException when nothing was changed
   */
  <T> T command(Work<T> work) throws OperatorListsException {
    database.requireWritable();
    return change(work);
  }

  /** Reads, and writes what no decision depends on, as one transaction. */
  synchronized <T> T aside(Work<T> work) throws OperatorListsException {
    return database.transaction("read", _ -> work.run(new Change()));
  }

  /** Returns what decisions know of a list beside its hashes. */
  ListShape shape(ListKind list) {
    return view.front(list).shape();
  }

  /** Makes the filters that {@link ListFront} wants. */
  synchronized void makeFilters() throws OperatorListsException {
    for (ListKind list : ListKind.values()) {
      ListFront front = view.front(list);
      if (front.wantsFilter()) {
        front.build(database.transaction("read", sql -> StoredRow.keys(sql, list)));
      }
    }
  }

  /** A line for the log when changes are stored from now on, and were not until now. */
  synchronized Optional<String> tryWriting() {
    return database.tryWriting();
  }

  KeyHash keys() {
    return keys;
  }

  /** The changes of one list while they are made, and what they do in front of it. */
  private final class Part {
    private final ListKind list;
    private final ListFront front;
    private final List<Long> added = new ArrayList<>();
    private final List<Long> gone = new ArrayList<>();

    /** New entries that the shape has to know. */
    private final List<NewEntry> shaping = new ArrayList<>();

    /** An entry of the shape was changed or has gone, so that it is read again. */
    private boolean isNarrowed;

    private ListShape after;

    Part(ListKind list) {
      this.list = list;
      this.front = view.front(list);
      this.after = front.shape();
    }

    /** Widens the shape: until the commit both shapes count. */
    void beforeCommit() throws SQLException {
      ListShape wider = front.shape().with(shaping);
      after = isNarrowed ? StoredRow.shape(database.sql(), list) : wider;
      front.shape(wider);
    }

    void committed() {
      gone.forEach(front::remove);
      front.shape(after);
      front.count(added.size() - gone.size());
    }
  }

  /** A change while it is made; used by its work, within the transaction. */
  final class Change {
    private final Map<ListKind, Part> parts = new EnumMap<>(ListKind.class);
    private @Nullable Map<String, RecipientEntry> ofRecipients;
    private boolean isQueued;

    private Part part(ListKind list) {
      return parts.computeIfAbsent(list, Part::new);
    }

    /** Queues what a command did for the other nodes, where there are any. */
    void share(List<Thing> things, boolean removed, Origin origin) throws SQLException {
      SharedEntries fleet = shared;
      if (things.isEmpty()) {
        return;
      }
      if (fleet == null) {
        database.forget(SharedEntries.COMPLETE); // a node of a fleet has to tell them later
      } else {
        fleet.queue(things, removed, origin);
        isQueued = true;
      }
    }

    /** The entries about recipients, as this change leaves them so far. */
    Map<String, RecipientEntry> recipients() {
      return ofRecipients == null ? view.recipients() : ofRecipients;
    }

    private Map<String, RecipientEntry> changedRecipients() {
      Map<String, RecipientEntry> changed =
          ofRecipients == null ? new HashMap<>(view.recipients()) : ofRecipients;
      ofRecipients = changed;
      return changed;
    }

    /** Keeps an entry in place of that of its recipient; answers with the one that has its id. */
    RecipientEntry put(RecipientEntry entry) throws SQLException {
      RecipientEntry stored = entry.store(database.sql());
      changedRecipients().put(stored.subject(), stored);
      return stored;
    }

    void remove(RecipientEntry entry) throws SQLException {
      sql().change("DELETE FROM recipient WHERE subject = ?", entry.subject());
      changedRecipients().remove(entry.subject());
    }

    Statements sql() {
      return database.sql();
    }

    /** Stores a record that {@link AuditRecord} reads. */
    void audit(Instant at, Origin origin, String subject) throws SQLException {
      sql()
          .change(
              "INSERT INTO audit (time_ms, author, command, subject) VALUES (?, ?, ?, ?)",
              at.toEpochMilli(),
              origin.author(),
              origin.command(),
              subject);
    }

    /** Rows of this very subject, oldest first. */
    List<StoredRow> of(ListKind list, Subject subject) throws SQLException {
      long key = keys.subject(subject);
      if (!view.front(list).mayHold(key)) {
        return List.of();
      }
      return StoredRow.byKey(sql(), list, key).stream()
          .filter(row -> row.entry().subject().equals(subject))
          .toList();
    }

    /** The row of the same entry, of a command; {@code null} when there is none. */
    @Nullable StoredRow same(NewEntry wish) throws SQLException {
      String identity = wish.identity();
      for (StoredRow row : of(wish.list(), wish.subject())) {
        if (row.file() == 0 && row.entry().content().identity().equals(identity)) {
          return row;
        }
      }
      return null;
    }

    /** False for one more pattern than there may be. */
    boolean hasRoom(NewEntry entry) throws SQLException {
      return !ListShape.kind(entry.subject()).equals(ListShape.PATTERN)
          || StoredRow.patterns(sql()) < MAX_PATTERNS;
    }

    /** Adds a row; answers with its number. */
    long insert(NewEntry entry, String author, Instant created, long file, int line)
        throws SQLException {
      if (!hasRoom(entry)) {
        throw new LimitException();
      }
      long key = keys.subject(entry.subject());
      long seq = StoredRow.insert(sql(), entry, key, author, created, file, line);
      Part part = part(entry.list());
      part.front.add(key);
      part.added.add(key);
      if (ListShape.knows(entry.subject(), entry.scope())) {
        part.shaping.add(entry);
      }
      return seq;
    }

    void update(long seq, OperatorEntry entry) throws SQLException {
      StoredRow.update(sql(), seq, entry);
      narrow(entry);
    }

    void delete(StoredRow row) throws SQLException {
      StoredRow.delete(sql(), row.seq());
      part(row.entry().list()).gone.add(keys.subject(row.entry().subject()));
      narrow(row.entry());
    }

    private void narrow(OperatorEntry entry) {
      part(entry.list()).isNarrowed |= ListShape.isNarrowedBy(entry.subject(), entry.scope());
    }

    private void beforeCommit() throws SQLException {
      for (Part part : parts.values()) {
        part.beforeCommit();
      }
    }

    private void committed() {
      parts.values().forEach(Part::committed);
      if (ofRecipients != null) {
        view.recipients(Collections.unmodifiableMap(ofRecipients));
      }
      view.changed();
    }

    /**
     * New entries stay in the shape until it is read again: asking for something that is not stored
     * does no harm.
     */
    private void undo() {
      parts.values().forEach(part -> part.added.forEach(part.front::remove));
      view.changed();
    }
  }
}
