package io.bloomgate.blocklists.operator;

import io.bloomgate.blocklists.operator.OperatorEntry.ListKind;
import io.bloomgate.blocklists.operator.SharedEntries.Position;
import io.bloomgate.blocklists.operator.SharedTable.Version;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What a node of a fleet has and a new stream has not: entries first, removals last, a part at a
 * time. Called by {@link SharedEntries} within its transactions.
 */
final class OwnState {

  private static final List<ListKind> LISTS = List.of(ListKind.values());

  private OwnState() {}

  /**
   * A part.
   *
   * @param versions one of each change
   * @param last where the next part begins
   */
  record Found(List<SharedChange> changes, List<StreamId> versions, Position last, boolean end) {}

  /** The next part of what is not in this stream. */
  static Found part(StoreWriter.Change change, SharedTable table, Position from, String stream)
      throws SQLException {
    return from.list() < LISTS.size()
        ? entries(change, table, from, stream)
        : removals(table, from, stream);
  }

  private static Found entries(
      StoreWriter.Change change, SharedTable table, Position from, String stream)
      throws SQLException {
    List<SharedChange> changes = new ArrayList<>();
    List<StreamId> versions = new ArrayList<>();
    List<StoredRow> rows =
        change.entries().page(LISTS.get(from.list()), "", from.seq(), SharedRecord.MOST_CHANGES);
    for (StoredRow row : rows) {
      SharedChange shared = SharedChange.of(row.entry());
      if (row.file() == 0 && shared.isShared()) {
        Version version = table.current(shared.identity());
        if (version.pending() == 0 && !version.stream().equals(stream)) {
          changes.add(shared);
          versions.add(version.id());
        }
      }
    }
    Position last =
        rows.isEmpty()
            ? new Position(from.list() + 1, 0, "")
            : new Position(from.list(), rows.getLast().seq(), "");
    return new Found(changes, versions, last, false);
  }

  private static Found removals(SharedTable table, Position from, String stream)
      throws SQLException {
    List<SharedChange> changes = new ArrayList<>();
    List<StreamId> versions = new ArrayList<>();
    List<String> gone = table.removed(stream, from.removed(), SharedRecord.MOST_CHANGES);
    for (String identity : gone) {
      Optional<SharedChange> shared = removed(identity);
      if (shared.isPresent()) {
        changes.add(shared.get());
        versions.add(table.current(shared.get().identity()).id());
      }
    }
    return gone.isEmpty()
        ? new Found(changes, versions, from, true)
        : new Found(changes, versions, new Position(from.list(), 0, gone.getLast()), false);
  }

  private static Optional<SharedChange> removed(String identity) {
    int space = identity.indexOf(' ');
    ListKind list = identity.startsWith("allow ") ? ListKind.ALLOW : ListKind.BLOCK;
    return OperatorText.parse(list, identity.substring(space + 1))
        .toOptional()
        .flatMap(line -> line)
        .map(line -> new SharedChange(line.entry(), "", Instant.EPOCH, true));
  }
}
