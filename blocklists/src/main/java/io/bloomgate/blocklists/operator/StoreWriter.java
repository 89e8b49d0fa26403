package io.bloomgate.blocklists.operator;

import io.bloomgate.blocklists.operator.OperatorEntry.ListKind;
import io.bloomgate.blocklists.operator.OperatorLists.Origin;
import io.bloomgate.config.name.IpPrefix;
import io.bloomgate.config.name.Likeness;
import io.bloomgate.config.name.Subject;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * All changes of stored entries: the transaction, and what is in memory before it. A hash is let
 * through by the filter before the commit that stores its row, and taken out after the commit that
 * removes it, so that the filter never denies what is stored. One change at a time, under the lock
 * of this object; called by {@link OperatorLists} and {@link FileSync}.
 */
final class StoreWriter {

  private final OperatorDatabase database;
  private final EntryTable entries;
  private final StoredView view;
  private final SubjectKeys keys;

  /** {@code null} where no fleet is set. */
  private volatile @Nullable SharedEntries shared;

  StoreWriter(OperatorDatabase database, StoredView view, SubjectKeys keys) {
    this.database = database;
    this.entries = database.entries();
    this.view = view;
    this.keys = keys;
  }

  /** Queues changes of commands from now on for the other nodes of a fleet. */
  synchronized void share(SharedEntries with) {
    shared = with;
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
              () -> {
                T made = work.run(change);
                change.beforeCommit();
                return made;
              });
      change.committed();
      done = true;
      if (change.isQueued && shared != null) {
        shared.committed(change.queued);
      }
      return result;
    } finally {
      if (!done) {
        change.undo();
      }
    }
  }

  /** Reads, and writes what no decision depends on, as one transaction. */
  synchronized <T> T aside(Work<T> work) throws OperatorListsException {
    return database.transaction("read", () -> work.run(new Change()));
  }

  /** True when the list can have these likenesses as well. */
  boolean hasRoom(ListKind list, List<Likeness> wanted) {
    return view.front(list).hasRoom(wanted);
  }

  /** Makes filters larger that are nearly full, before a command has to wait for it. */
  synchronized void growInTime() throws OperatorListsException {
    for (ListKind list : ListKind.values()) {
      database.transaction(
          "read",
          () -> {
            view.front(list).growInTime(SavedFront.keys(entries, list));
            return list;
          });
    }
  }

  /** A line for the log when changes are stored from now on, and were not until now. */
  synchronized Optional<String> tryWriting() {
    return database.tryWriting();
  }

  SubjectKeys keys() {
    return keys;
  }

  /** A change while it is made; used by its work, within the transaction. */
  final class Change {
    private record Added(ListKind list, long key) {}

    private final List<Added> added = new ArrayList<>();
    private final List<StoredRow> deleted = new ArrayList<>();
    private final Map<ListKind, Set<Subject>> newCompared = byList();
    private final Map<ListKind, Set<Subject>> goneCompared = byList();
    private final Map<ListKind, Long> counts = new EnumMap<>(ListKind.class);
    private boolean isQueued;
    private long queued;

    private Map<ListKind, Set<Subject>> byList() {
      Map<ListKind, Set<Subject>> sets = new EnumMap<>(ListKind.class);
      for (ListKind list : ListKind.values()) {
        sets.put(list, new HashSet<>());
      }
      return sets;
    }

    /** Queues what a command did for the other nodes, where there are any. */
    void share(List<SharedChange> changes, Origin origin) throws SQLException {
      SharedEntries fleet = shared;
      if (changes.isEmpty()) {
        return;
      }
      if (fleet == null) {
        database.forget(SharedEntries.COMPLETE); // a node of a fleet has to tell them later
      } else {
        queued += fleet.queue(changes, origin);
        isQueued = true;
      }
    }

    EntryTable entries() {
      return entries;
    }

    FileTable files() {
      return database.files();
    }

    void audit(AuditRecord record) throws SQLException {
      database.audit().add(record);
    }

    /** Rows of this very subject, oldest first. */
    List<StoredRow> of(ListKind list, Subject subject) throws SQLException {
      long key = keys.of(subject);
      if (!SubjectKeys.isCompared(subject) && !view.front(list).mayHold(key)) {
        return List.of();
      }
      return entries.byKey(list, key).stream()
          .filter(row -> row.entry().subject().equals(subject))
          .toList();
    }

    /** Adds a row; answers with its number. */
    long insert(NewEntry entry, String author, Instant created, long file, int line)
        throws SQLException {
      Subject subject = entry.subject();
      long key = keys.of(subject);
      long seq = entries.insert(entry, key, author, created, file, line);
      if (SubjectKeys.isCompared(subject)) {
        set(newCompared, entry.list()).add(subject);
      } else {
        view.front(entry.list()).add(key, SavedFront.keys(entries, entry.list()));
        added.add(new Added(entry.list(), key));
      }
      counts.merge(entry.list(), 1L, Long::sum);
      return seq;
    }

    void update(long seq, OperatorEntry entry) throws SQLException {
      entries.update(seq, entry);
    }

    void delete(StoredRow row) throws SQLException {
      entries.delete(row.seq());
      deleted.add(row);
      counts.merge(row.entry().list(), -1L, Long::sum);
    }

    private void beforeCommit() throws SQLException {
      for (ListKind list : ListKind.values()) {
        view.front(list).addNetworks(networks(set(newCompared, list)));
        view.front(list).addLikenesses(likenesses(set(newCompared, list)));
      }
      for (StoredRow row : deleted) {
        Subject subject = row.entry().subject();
        if (SubjectKeys.isCompared(subject)
            && !entries.holds(row.entry().list(), keys.of(subject))) {
          set(goneCompared, row.entry().list()).add(subject);
        }
      }
    }

    private void committed() {
      for (StoredRow row : deleted) {
        Subject subject = row.entry().subject();
        if (!SubjectKeys.isCompared(subject)) {
          view.front(row.entry().list()).remove(keys.of(subject));
        }
      }
      for (ListKind list : ListKind.values()) {
        view.front(list).removeNetworks(networks(set(goneCompared, list)));
        view.front(list).removeLikenesses(likenesses(set(goneCompared, list)));
        view.front(list).count(counts.getOrDefault(list, 0L));
      }
      view.changed();
    }

    /**
     * Networks and likenesses that came stay in memory: asking for one that is not stored does no
     * harm.
     */
    private void undo() {
      added.forEach(one -> view.front(one.list()).remove(one.key()));
      view.changed();
    }

    private static List<IpPrefix> networks(Set<Subject> subjects) {
      return subjects.stream()
          .filter(IpPrefix.class::isInstance)
          .map(IpPrefix.class::cast)
          .toList();
    }

    private static List<Likeness> likenesses(Set<Subject> subjects) {
      return subjects.stream()
          .filter(Likeness.class::isInstance)
          .map(Likeness.class::cast)
          .toList();
    }

    private static Set<Subject> set(Map<ListKind, Set<Subject>> sets, ListKind list) {
      return Objects.requireNonNull(sets.get(list));
    }
  }
}
