package io.bloomgate.blocklists.operator;

import io.bloomgate.blocklists.operator.OperatorEntry.ListKind;
import java.sql.SQLException;
import java.util.Optional;

/**
 * The seed of the likeness of texts: that of the store, or that of the fleet which the store took
 * before it had an entry with a likeness. Used by {@link OperatorLists} at its start.
 */
final class LikenessSeed {

  private static final String NAME = "likeness_seed";

  private LikenessSeed() {}

  /** The seed of the likenesses that entries hold. */
  static long of(OperatorDatabase database) throws OperatorListsException {
    Optional<String> taken = database.transaction("read", () -> database.remembered(NAME));
    return taken.isPresent() ? Long.parseLong(taken.get(), 16) : database.keys().likenessSeed();
  }

  /**
   * Takes a seed, unless entries hold likenesses of another one.
   *
   * @return the seed that counts now
   */
  static long take(long seed, StoreWriter writer, OperatorDatabase database)
      throws OperatorListsException {
    long before = of(database);
    return before == seed
        ? seed
        : writer.aside(change -> {
          if (hasLikenesses(database)) {
            return before;
          }
          database.remember(NAME, Long.toString(seed, 16));
          return seed;
        });
  }

  private static boolean hasLikenesses(OperatorDatabase database) throws SQLException {
    EntryTable entries = database.entries();
    for (ListKind list : ListKind.values()) {
      if (!entries.likenesses(list).isEmpty()) {
        return true;
      }
    }
    return false;
  }
}
