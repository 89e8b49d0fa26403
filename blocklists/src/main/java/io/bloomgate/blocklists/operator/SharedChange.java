package io.bloomgate.blocklists.operator;

import io.bloomgate.config.name.Likeness;
import java.time.Instant;

/**
 * One change of an operator list as the nodes of a fleet tell each other: the entry as it is now,
 * or that it is gone. Immutable.
 *
 * @param entry of a removed one only the subject and its conditions count
 * @param author of the entry
 */
public record SharedChange(NewEntry entry, String author, Instant created, boolean removed) {

  /** An entry as it is stored. */
  static SharedChange of(OperatorEntry entry) {
    return new SharedChange(NewEntry.of(entry), entry.author(), entry.created(), false);
  }

  /** An entry that was taken away. */
  static SharedChange gone(OperatorEntry entry) {
    return new SharedChange(NewEntry.of(entry), entry.author(), entry.created(), true);
  }

  /** False for a likeness: its value depends on the secret of one node. */
  boolean isShared() {
    return !(entry.subject() instanceof Likeness);
  }

  /** A text that is equal for what is one entry on all nodes. */
  String identity() {
    return entry.list().key() + " " + OperatorText.format(entry.with("", null));
  }
}
