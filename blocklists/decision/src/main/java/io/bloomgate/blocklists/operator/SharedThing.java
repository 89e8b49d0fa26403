package io.bloomgate.blocklists.operator;

import io.bloomgate.config.name.Likeness;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * An entry of any kind as nodes of a fleet share it. Made by {@link StoreWriter} of what a command
 * changed. Immutable.
 *
 * @param identity equal for what is one entry on all nodes; its first word is the kind
 * @param line as an export has it
 */
record SharedThing(String identity, String line, String author, Instant created) {

  /** Empty for a likeness: its value depends on the secret of one node. */
  static Optional<SharedThing> of(OperatorEntry entry) {
    return entry.subject() instanceof Likeness
        ? Optional.empty()
        : Optional.of(
            new SharedThing(
                NewEntry.of(entry).identity(),
                OperatorText.format(entry),
                entry.author(),
                entry.created()));
  }

  static List<SharedThing> of(List<OperatorEntry> entries) {
    return entries.stream().flatMap(entry -> of(entry).stream()).toList();
  }

  static SharedThing of(RecipientEntry entry) {
    return new SharedThing(
        entry.identity(), RecipientText.format(entry), entry.author(), entry.created());
  }
}
