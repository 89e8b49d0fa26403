package io.bloomgate.blocklists.operator;

import io.bloomgate.config.name.ListKind;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Notes which entries were of use: sessions queue them, and the housekeeping of {@link
 * OperatorLists} writes the queue, each entry once a day. Thread-safe.
 */
public final class EntryUses {

  /** Time in which the use of an entry is written once. */
  private static final Duration EVERY = Duration.ofDays(1);

  /** Used entries that wait to be written; further ones are noted at their next use. */
  private static final int MAX_WAITING = 10_000;

  private final OperatorDatabase database;
  private final EntryChanges changes;
  private final InstantSource clock;
  private final Set<String> waiting = ConcurrentHashMap.newKeySet();

  EntryUses(OperatorDatabase database, EntryChanges changes, InstantSource clock) {
    this.database = database;
    this.changes = changes;
    this.clock = clock;
  }

  /** Queues an entry that lifted or refused something; called at each such mail. */
  public void note(OperatorEntry entry) {
    Instant before = entry.used();
    boolean due = before == null || !clock.instant().isBefore(before.plus(pause(entry)));
    if (due && waiting.size() < MAX_WAITING) {
      waiting.add(entry.id());
    }
  }

  /** An entry that ends soon without a use is noted more often. */
  private static Duration pause(OperatorEntry entry) {
    Duration unused = entry.unused();
    Duration part = unused == null ? EVERY : unused.dividedBy(4);
    return part.compareTo(EVERY) < 0 ? part : EVERY;
  }

  /** The time since which uses are noted; empty while nothing can be stored. */
  public Optional<Instant> since() throws OperatorListsException {
    return database.read(sql ->
        OperatorDatabase.remembered(sql, OperatorSchema.USAGE_SINCE)
            .map(Long::parseLong)
            .map(Instant::ofEpochMilli));
  }

  /**
   * The next entries of a list, as {@link OperatorLists#page}.
   *
   * @param unusedSince only those that are older and were of no use since, as far as uses were
   *     noted; {@code null} for all
   */
  public OperatorLists.Page<OperatorEntry> page(
      ListKind list, String match, @Nullable Instant unusedSince, long after)
      throws OperatorListsException {
    return database
        .read(sql -> StoredRow.page(sql, list, match, unusedSince, after))
        .map(StoredRow::entry);
  }

  /** Writes what waits. */
  void write() throws OperatorListsException {
    if (database.unwritable().isPresent()) {
      return;
    }
    List<String> ids = List.copyOf(waiting);
    if (!ids.isEmpty()) {
      changes.used(ids);
      ids.forEach(waiting::remove);
    }
  }
}
