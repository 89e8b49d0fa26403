package io.bloomgate.blocklists.operator;

import io.bloomgate.blocklists.operator.OperatorLists.Origin;
import io.bloomgate.blocklists.operator.SharedEntries.Applied;
import io.bloomgate.config.name.Parsed;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Applies commands of the fleet to the store of one node, within one transaction: the newest
 * command about a thing wins, and the audit has what other nodes changed here. Made by {@link
 * SharedEntries} for each transaction.
 *
 * @param node that this is
 * @param redisMillis the time of Redis
 * @param applied what came of all that was applied
 */
record CommandApplier(StoreWriter.Change change, String node, long redisMillis, Applied applied) {

  /** Applies the value of a field of Redis, if it is newer than what this node has. */
  void apply(String subject, String value) throws SQLException {
    SharedRow found = SharedRow.parse(subject, value).orElse(null);
    if (found == null) {
      applied.refused().add("a command of the fleet is skipped: no time of a command");
      return;
    }
    if (found.isOld(redisMillis)) {
      applied.old().add(subject);
    }
    SharedRow mine = SharedRow.about(change.sql(), subject).orElse(null);
    int order = mine == null ? 1 : SharedRow.OLDEST_FIRST.compare(found, mine);
    if (order < 0) {
      SharedRow.sendAgain(change.sql(), subject);
    } else if (order > 0) {
      switch (found.command()) {
        case Parsed.Bad<SharedCommand>(String reason) ->
            applied.refused().add("a command of the fleet is skipped: " + reason);
        case Parsed.Ok<SharedCommand>(SharedCommand command, var ignored) -> {
          if (mine != null && mine.waits()) {
            applied
                .overtaken()
                .add(
                    "%s: what was commanded on this node is overtaken by a later command of %s"
                        .formatted(subject, command.who()));
          }
          keep(found, command);
        }
      }
    }
  }

  private void keep(SharedRow found, SharedCommand command) throws SQLException {
    Optional<OperatorEntry> entry = command.entryOf(found.subject());
    Optional<RecipientEntry> recipient = command.recipientOf(found.subject());
    found.store(change.sql(), entry.isEmpty() && recipient.isEmpty(), found.millis());
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
