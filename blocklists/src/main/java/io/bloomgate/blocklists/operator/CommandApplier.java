package io.bloomgate.blocklists.operator;

import io.bloomgate.blocklists.operator.OperatorRules.Refusal;
import io.bloomgate.blocklists.operator.SharedEntries.Applied;
import io.bloomgate.blocklists.operator.SharedEntries.Clocks;
import io.bloomgate.blocklists.operator.SharedEntries.Found;
import io.bloomgate.blocklists.operator.SharedTable.Row;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Applies commands of the fleet to the store of one node, within one transaction: the newest
 * command about a thing wins, and the audit has what other nodes changed here. Made by {@link
 * SharedEntries} for each transaction.
 */
final class CommandApplier {

  /** A part of an act ends by itself after this time: nobody does it later. */
  private static final Duration PART_ENDS = Duration.ofDays(7);

  private final StoreWriter.Change change;
  private final SharedTable table;
  private final WidthRules widths;
  private final String node;
  private final Clocks clocks;
  private final Applied applied =
      new Applied(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
  private long more;

  /**
   * Begins for one transaction.
   *
   * @param node that this is
   */
  CommandApplier(
      StoreWriter.Change change, SharedTable table, WidthRules widths, String node, Clocks clocks) {
    this.change = change;
    this.table = table;
    this.widths = widths;
    this.node = node;
    this.clocks = clocks;
  }

  /** Returns sentences for the operator. */
  Applied applied() {
    return applied;
  }

  /** Returns how many more commands wait for Redis than before. */
  long moreToSend() {
    return more;
  }

  /** Applies a command, if it is newer than what this node has. */
  void apply(Found found) throws SQLException {
    Optional<Row> mine = table.row(found.subject());
    if (mine.isPresent() && !isNewer(found, mine.get())) {
      return;
    }
    if (mine.isPresent() && mine.get().send() != SharedTable.SENT) {
      more--;
    }
    if (mine.isPresent() && mine.get().send() == SharedTable.WAITS) {
      applied
          .overtaken()
          .add(
              "%s: what was commanded on this node is overtaken by a later command of %s"
                  .formatted(found.subject(), found.command().by()));
    }
    SharedChange shared = found.command().change();
    boolean toDo = shared == null && isToDo(found);
    table.put(new Row(found.subject(), found.version(), 0, SharedTable.SENT, found.text()), toDo);
    if (shared != null) {
      store(found, shared);
    }
  }

  private boolean isNewer(Found found, Row mine) throws SQLException {
    boolean isSame = found.text().equals(mine.text());
    int order = found.version().compareTo(clocks.version(mine));
    order = order == 0 ? found.text().compareTo(mine.text()) : order;
    if (isSame && (order >= 0 || mine.send() == SharedTable.WAITS)) {
      // It is in Redis, but nobody says that the other nodes were woken: what waits is sent again.
      if (order != 0) {
        int send = mine.send() == SharedTable.SENT ? SharedTable.SENT : SharedTable.AGAIN;
        table.sent(mine.subject(), found.version(), send);
      }
      return false;
    }
    if (order < 0 && mine.send() == SharedTable.SENT) {
      table.send(mine.subject(), SharedTable.AGAIN);
      more++;
    }
    return order > 0;
  }

  /** A part of an act is not done when the whole is newer, or when it has ended. */
  private boolean isToDo(Found found) throws SQLException {
    if (!SharedCommand.Act.isPart(found.subject())) {
      return true;
    }
    Optional<Row> whole = table.row(SharedCommand.Act.whole(found.subject()));
    return clocks.redisMillis() - found.version().millis() < PART_ENDS.toMillis()
        && whole.filter(row -> clocks.version(row).compareTo(found.version()) > 0).isEmpty();
  }

  private void store(Found found, SharedChange shared) throws SQLException {
    SharedCommand command = found.command();
    String entry = OperatorText.format(shared.entry());
    Optional<Refusal> refusal =
        shared.removed()
            ? Optional.empty()
            : OperatorRules.checkAlone(shared.entry(), widths, false);
    if (refusal.isPresent() && !refusal.get().forceable()) {
      applied.refused().add("a command of " + command.by() + " is refused: " + refusal.get().log());
      return;
    }
    boolean isChanged = store(shared, change.same(shared.entry()));
    if (command.node().equals(node)) {
      return;
    }
    if (isChanged && refusal.isPresent()) {
      applied
          .wide()
          .add(
              "%s %s of %s is in force here: %s"
                  .formatted(
                      shared.entry().list().key(), entry, command.by(), refusal.get().message()));
    }
    change.audit(new AuditRecord(command.at(), command.by(), command.command(), entry));
  }

  /** True when it was not so before. */
  private boolean store(SharedChange shared, @Nullable StoredRow row) throws SQLException {
    NewEntry entry = shared.entry();
    if (shared.removed()) {
      if (row != null) {
        change.delete(row);
      }
      return row != null;
    }
    if (row == null) {
      change.insert(entry, shared.author(), shared.created(), 0, 0);
      return true;
    }
    boolean other = !NewEntry.of(row.entry()).equals(entry);
    change.update(row.seq(), entry.entry(row.entry().id(), shared.author(), shared.created()));
    return other;
  }
}
