package io.bloomgate.blocklists.operator;

import io.bloomgate.blocklists.operator.OperatorLists.Origin;
import io.bloomgate.blocklists.operator.SharedEntries.Applied;
import io.bloomgate.blocklists.operator.SharedEntries.Clocks;
import io.bloomgate.blocklists.operator.SharedRow.Send;
import io.bloomgate.config.name.Parsed;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Applies commands of the fleet to the store of one node, within one transaction: the newest
 * command about a thing wins, and the audit has what other nodes changed here. Made by {@link
 * SharedEntries} for each transaction.
 */
final class CommandApplier {

  private final StoreWriter.Change change;
  private final String node;
  private final Clocks clocks;
  private final Applied applied = new Applied();

  /**
   * Begins for one transaction.
   *
   * @param node that this is
   */
  CommandApplier(StoreWriter.Change change, String node, Clocks clocks) {
    this.change = change;
    this.node = node;
    this.clocks = clocks;
  }

  /** Returns what came of all that was applied. */
  Applied applied() {
    return applied;
  }

  /** Applies the value of a field of Redis, if it is newer than what this node has. */
  void apply(String subject, String value) throws SQLException {
    Optional<SharedRow> found = SharedRow.parse(subject, value);
    if (found.isEmpty()) {
      applied.refused().add("a command of the fleet is skipped: no time of a command");
      return;
    }
    if (found.get().isOld(clocks.redisMillis())) {
      applied.old().add(subject);
    }
    Optional<SharedRow> mine = SharedRow.about(change.sql(), subject);
    if (mine.isEmpty() || isNewer(found.get(), mine.get())) {
      switch (found.get().command()) {
        case Parsed.Bad<SharedCommand>(String reason) ->
            applied.refused().add("a command of the fleet is skipped: " + reason);
        case Parsed.Ok<SharedCommand>(SharedCommand command, var ignored) -> {
          if (mine.filter(row -> row.send() == Send.WAITS).isPresent()) {
            applied
                .overtaken()
                .add(
                    "%s: what was commanded on this node is overtaken by a later command of %s"
                        .formatted(subject, command.who()));
          }
          keep(found.get(), command);
        }
      }
    }
  }

  private boolean isNewer(SharedRow found, SharedRow mine) throws SQLException {
    boolean isSame = found.text().equals(mine.text());
    int order = found.version().compareTo(clocks.version(mine));
    order = order == 0 ? found.text().compareTo(mine.text()) : order;
    if (isSame && (order >= 0 || mine.send() == Send.WAITS)) {
      // It is in Redis, but nobody says that the other nodes were woken: what waits is sent again.
      if (order != 0) {
        Send send = mine.send() == Send.SENT ? Send.SENT : Send.AGAIN;
        mine.mark(change.sql(), found.version(), send);
      }
      return false;
    }
    if (order < 0 && mine.send() == Send.SENT) {
      mine.mark(change.sql(), mine.version(), Send.AGAIN);
    }
    return order > 0;
  }

  private void keep(SharedRow found, SharedCommand command) throws SQLException {
    Optional<OperatorEntry> entry = command.entryOf(found.subject());
    Optional<RecipientEntry> recipient = command.recipientOf(found.subject());
    found.store(change.sql(), entry.isEmpty() && recipient.isEmpty());
    if (entry.isPresent()) {
      store(entry.get(), command);
    } else if (recipient.isPresent()) {
      store(recipient.get(), command);
    }
  }

  private void store(RecipientEntry shared, SharedCommand command) throws SQLException {
    boolean isNew = !change.recipients().containsKey(shared.subject());
    if (isNew && !command.removed() && change.recipients().size() >= RecipientLists.MAX_ENTRIES) {
      refuse(command, "too many recipients");
      return;
    }
    if (command.removed()) {
      change.remove(shared);
    } else {
      change.put(shared);
    }
    audit(command, shared.text());
  }

  private void refuse(SharedCommand command, @Nullable String why) {
    applied.refused().add("a command of " + command.who() + " is refused: " + why);
  }

  /** Keeps who changed it here, where that was another node; a use is nobody's change. */
  private void audit(SharedCommand command, String text) throws SQLException {
    if (!command.node().equals(node) && !command.command().equals(SharedCommand.USED)) {
      Instant at = Instant.ofEpochMilli(command.at());
      change.audit(at, new Origin(command.who(), command.command()), text);
    }
  }

  private void store(OperatorEntry shared, SharedCommand command) throws SQLException {
    NewEntry entry = shared.content();
    @Nullable StoredRow same = change.same(entry);
    if (!command.removed() && same == null && !change.hasRoom(entry)) {
      refuse(command, new StoreWriter.LimitException().getMessage());
      return;
    }
    if (command.removed() && same != null) {
      change.delete(same);
    } else if (!command.removed() && same == null) {
      change.insert(entry, shared.author(), shared.created(), 0, 0);
    } else if (same != null) {
      change.update(same.seq(), shared);
    }
    audit(command, OperatorText.format(shared));
  }
}
