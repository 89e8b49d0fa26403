package io.bloomgate.blocklists.operator;

import io.bloomgate.blocklists.operator.OperatorLists.Change;
import io.bloomgate.blocklists.operator.OperatorLists.Changed;
import io.bloomgate.blocklists.operator.OperatorLists.Origin;
import io.bloomgate.blocklists.operator.OperatorLists.Stored;
import io.bloomgate.blocklists.operator.SharedCommand.Thing;
import io.bloomgate.config.name.ListKind;
import io.bloomgate.config.name.Parsed;
import io.bloomgate.config.name.Subject;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The changes that commands make to the stored entries: each call is one transaction of {@link
 * StoreWriter}, which also writes the audit record. Called by {@link OperatorLists}, which
 * describes the calls, on the threads of control connections; one change at a time.
 */
record EntryChanges(StoreWriter writer, InstantSource clock) {

  /** The id of an entry that is not stored. */
  private static final String NO_ID = "";

  /**
   * Stores entries.
   *
   * @param forEver an entry without an end has none, whatever it had
   * @param piece names a piece of an import, which has one record in the audit for all; empty for a
   *     record of each
   */
  List<Stored> add(List<NewEntry> entries, boolean forEver, Origin origin, String piece)
      throws OperatorListsException {
    Instant now = clock.instant();
    return writer.command(change -> {
      List<Stored> done = new ArrayList<>(entries.size());
      for (NewEntry entry : entries) {
        done.add(store(change, begun(entry, now), forEver, origin, now));
      }
      List<Stored> news = done.stream().filter(one -> one.change() != Change.UNCHANGED).toList();
      change.share(Thing.of(news.stream().map(Stored::entry).toList()), false, origin);
      if (piece.isEmpty()) {
        for (Stored one : news) {
          change.audit(now, origin, OperatorText.format(one.entry()));
        }
      } else if (!news.isEmpty()) {
        long added = news.stream().filter(one -> one.change() == Change.ADDED).count();
        String subject = piece + ": " + added + " added, " + (news.size() - added) + " changed";
        change.audit(now, origin, subject);
      }
      return done;
    });
  }

  /** Returns what {@link #add} of a piece would do now. */
  List<Stored> tryPiece(List<NewEntry> entries) throws OperatorListsException {
    Instant now = clock.instant();
    return writer.aside(change -> {
      List<Stored> outcomes = new ArrayList<>(entries.size());
      for (NewEntry entry : entries) {
        StoredRow old = change.same(entry);
        NewEntry wish = keeping(old, begun(entry, now), false, now);
        outcomes.add(outcome(old, wish, NO_ID, "", now));
      }
      return outcomes;
    });
  }

  /**
   * The new entry; where it has no reason or expiry, it keeps those of the entry that still holds.
   */
  private static NewEntry keeping(
      @Nullable StoredRow old, NewEntry wish, boolean forEver, Instant now) {
    if (old == null || old.entry().expiredAt(now)) {
      return wish;
    }
    NewEntry before = old.entry().content();
    NewEntry ending = wish.expires() == null && !forEver ? before : wish;
    return ending.with(
        wish.reason().isEmpty() ? before.reason() : TypedSubject.newReason(before, wish.reason()),
        ending.expires());
  }

  /** An end that each use puts off begins now, where no other was named. */
  private static NewEntry begun(NewEntry wish, Instant now) {
    Duration unused = wish.unused();
    return unused != null && wish.expires() == null ? wish.endingUnused(unused, now) : wish;
  }

  /**
   * Notes that entries were of use, and puts off the end of those that end when they are not: on
   * all nodes of a fleet, without a record in the audit.
   *
   * @param ids those that are gone meanwhile are left out
   */
  void used(Collection<String> ids) throws OperatorListsException {
    Instant now = clock.instant();
    writer.change(change -> {
      for (String id : ids) {
        for (ListKind list : ListKind.values()) {
          for (StoredRow row : NamedRows.ofId(change, list, id)) {
            StoredRow.used(change.sql(), row.seq(), now);
            putOff(change, row, now);
          }
        }
      }
      return ids;
    });
  }

  private static void putOff(StoreWriter.Change change, StoredRow row, Instant now)
      throws SQLException {
    OperatorEntry entry = row.entry();
    Duration unused = entry.unused();
    if (unused != null && !entry.expiredAt(now)) {
      OperatorEntry later =
          entry
              .content()
              .endingUnused(unused, now)
              .entry(entry.id(), entry.author(), entry.created());
      change.update(row.seq(), later);
      change.share(Thing.of(List.of(later)), false, new Origin(entry.author(), SharedCommand.USED));
    }
  }

  private static Stored store(
      StoreWriter.Change change, NewEntry entry, boolean forEver, Origin origin, Instant now)
      throws SQLException {
    StoredRow old = change.same(entry);
    NewEntry wish = keeping(old, entry, forEver, now);
    String id =
        old == null
            ? StoredRow.id(wish.list(), change.insert(wish, origin.author(), now, 0, 0))
            : old.entry().id();
    Stored outcome = outcome(old, wish, id, origin.author(), now);
    if (old != null && outcome.change() == Change.CHANGED) {
      change.update(old.seq(), outcome.entry());
    }
    return outcome;
  }

  /** Returns the outcome of storing the wish where the table has that row. */
  private static Stored outcome(
      @Nullable StoredRow old, NewEntry wish, String id, String author, Instant now) {
    if (old == null) {
      return new Stored(wish.entry(id, author, now), Change.ADDED, Optional.empty());
    }
    Optional<OperatorEntry> before = Optional.of(old.entry());
    return old.entry().content().equals(wish)
        ? new Stored(old.entry(), Change.UNCHANGED, before)
        : new Stored(wish.entry(old.entry().id(), author, now), Change.CHANGED, before);
  }

  Changed remove(ListKind list, Collection<String> wanted, Origin origin)
      throws OperatorListsException {
    Instant now = clock.instant();
    return writer.command(change -> {
      NamedRows named = NamedRows.of(change, list, wanted);
      List<OperatorEntry> gone = new ArrayList<>();
      for (StoredRow row : named.stored()) {
        change.delete(row);
        change.audit(now, origin, OperatorText.format(row.entry()));
        gone.add(row.entry());
      }
      change.share(Thing.of(gone), true, origin);
      return new Changed(gone, named.unknown(), named.inFiles());
    });
  }

  Changed edit(
      ListKind list, Collection<String> wanted, Function<NewEntry, NewEntry> edit, Origin origin)
      throws OperatorListsException {
    Instant now = clock.instant();
    return writer.command(change -> {
      NamedRows named = NamedRows.of(change, list, wanted);
      List<OperatorEntry> edited = new ArrayList<>();
      for (StoredRow row : named.stored()) {
        NewEntry before = row.entry().content();
        NewEntry after = edit.apply(before);
        if (!after.identity().equals(before.identity())) {
          throw new IllegalArgumentException("an edit changes reason and expiry only");
        }
        if (after.equals(before)) {
          edited.add(row.entry());
          continue;
        }
        OperatorEntry entry = after.entry(row.entry().id(), origin.author(), row.entry().created());
        change.update(row.seq(), entry);
        change.audit(now, origin, OperatorText.format(entry));
        edited.add(entry);
        change.share(Thing.of(List.of(entry)), false, origin);
      }
      return new Changed(edited, named.unknown(), named.inFiles());
    });
  }

  void note(Origin origin, String subject) throws OperatorListsException {
    Instant now = clock.instant();
    writer.command(change -> {
      change.audit(now, origin, subject);
      return now;
    });
  }

  /**
   * The rows of a list that the arguments of a command name: ids, lines of list files, or subjects.
   * Immutable; made by {@link EntryChanges} within its transaction.
   *
   * @param stored those that a command can change, once each, in the order named
   * @param unknown texts that name no entry of this list
   * @param inFiles entries that are in a file and have to be changed there
   */
  private record NamedRows(
      List<StoredRow> stored, List<String> unknown, List<OperatorEntry> inFiles) {

    /**
     * Looks them up.
     *
     * @param wanted ids, or subjects as a person types them; a subject names all its entries
     */
    static NamedRows of(StoreWriter.Change change, ListKind list, Collection<String> wanted)
        throws SQLException {
      Map<Long, StoredRow> stored = new LinkedHashMap<>();
      List<String> unknown = new ArrayList<>();
      List<OperatorEntry> inFiles = new ArrayList<>();
      for (String text : wanted) {
        List<StoredRow> rows = new ArrayList<>(ofId(change, list, text));
        if (Subject.parseEntry(text) instanceof Parsed.Ok<Subject>(Subject subject, var ignored)) {
          rows.addAll(change.of(list, subject));
        }
        for (StoredRow row : rows) {
          if (row.file() == 0) {
            stored.put(row.seq(), row);
          } else {
            inFiles.add(row.entry());
          }
        }
        if (rows.isEmpty()) {
          unknown.add(text);
        }
      }
      return new NamedRows(List.copyOf(stored.values()), unknown, inFiles);
    }

    /** {@code a12}, or {@code partners.list:7} for a line of a list file. */
    private static List<StoredRow> ofId(StoreWriter.Change change, ListKind list, String text)
        throws SQLException {
      int colon = text.lastIndexOf(':');
      if (colon > 0 && text.substring(colon + 1).matches("[1-9][0-9]{0,8}")) {
        int line = Integer.parseInt(text.substring(colon + 1));
        return StoredRow.byLine(change.sql(), list, text.substring(0, colon), line);
      }
      if (text.matches("[ab][1-9][0-9]{0,17}")) {
        return StoredRow.bySeq(change.sql(), StoredRow.seq(text)).stream()
            .filter(row -> row.entry().list() == list && row.entry().id().equals(text))
            .toList();
      }
      return List.of();
    }
  }
}
