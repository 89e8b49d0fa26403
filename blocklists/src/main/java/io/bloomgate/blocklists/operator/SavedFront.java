package io.bloomgate.blocklists.operator;

import io.bloomgate.blocklists.database.Statements;
import io.bloomgate.blocklists.filter.CountingFilter;
import io.bloomgate.blocklists.filter.FilterFile;
import io.bloomgate.blocklists.filter.HashSource;
import io.bloomgate.blocklists.operator.ListFront.Compared;
import io.bloomgate.blocklists.operator.OperatorEntry.ListKind;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The filter in front of a list between two runs: a file beside the database, and in the database a
 * mark that names the file's digest. The mark is written at a clean stop and taken away at the
 * start, before anything can change. So after a kill, with the file of another day, or with a
 * damaged one, the filter is made from the store again. Called by {@link OperatorLists} while it
 * opens and closes.
 */
final class SavedFront {

  private final OperatorDatabase database;
  private final Path directory;
  private final SubjectKeys keys;

  SavedFront(OperatorDatabase database, Path file, SubjectKeys keys) {
    this.database = database;
    Path parent = file.toAbsolutePath().getParent();
    this.directory = parent == null ? file.toAbsolutePath() : parent;
    this.keys = keys;
  }

  /** The fronts of all lists; without filters where the store is only read. */
  Map<ListKind, ListFront> openAll(boolean readOnly) throws OperatorListsException {
    Map<ListKind, ListFront> fronts = new EnumMap<>(ListKind.class);
    for (ListKind list : ListKind.values()) {
      fronts.put(list, readOnly ? unfiltered(list) : open(list));
    }
    return fronts;
  }

  /** The front of a list: the saved one if it is of this very store, else one made from it. */
  private ListFront open(ListKind list) throws OperatorListsException {
    Optional<String> mark =
        database.transaction(
            "read",
            () -> {
              Optional<String> found = database.remembered(name(list));
              if (found.isPresent() && database.unwritable().isEmpty()) {
                database.forget(name(list));
              }
              return found;
            });
    return database.transaction(
        "read",
        () -> {
          EntryTable entries = database.entries();
          Compared compared = compared(entries, list);
          CountingFilter saved = mark.isPresent() ? read(list, mark.get()) : null;
          if (saved != null && mark.isPresent()) {
            long count = Long.parseLong(mark.get().substring(mark.get().indexOf(' ') + 1));
            return ListFront.of(saved, compared, count);
          }
          return ListFront.built(keys(entries, list), compared, entries.count(list));
        });
  }

  /** The front of a list whose store is only read: without a filter, everything is asked. */
  private ListFront unfiltered(ListKind list) throws OperatorListsException {
    return database.transaction(
        "read",
        () -> {
          EntryTable entries = database.entries();
          return ListFront.unfiltered(compared(entries, list), entries.count(list));
        });
  }

  private static Compared compared(EntryTable entries, ListKind list) throws SQLException {
    return new Compared(entries.networks(list), entries.likenesses(list));
  }

  /** All hashes of a list; what cannot be read ends the building with an unchecked exception. */
  static HashSource keys(EntryTable entries, ListKind list) {
    return hashes -> {
      try {
        entries.forEachKey(list, hashes);
      } catch (SQLException e) {
        throw new UnreadableKeysException(e);
      }
    };
  }

  /** Carries a failure of the store out of the building of a filter. */
  static final class UnreadableKeysException extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private final SQLException failure;

    UnreadableKeysException(SQLException failure) {
      super(failure);
      this.failure = failure;
    }

    SQLException failure() {
      return failure;
    }
  }

  private @Nullable CountingFilter read(ListKind list, String mark) {
    try {
      FilterFile file = FilterFile.read(path(list));
      boolean same = mark.startsWith(file.digest() + " ") && file.keying().equals(keys.keying());
      return same && file.filter() instanceof CountingFilter filter ? filter : null;
    } catch (IOException e) {
      return null;
    }
  }

  /**
   * Saves the fronts of all lists at a clean stop; nothing may change afterwards.
   *
   * @throws IOException when a file cannot be written; the next start makes the filter again
   */
  void saveAll(StoredView view) throws OperatorListsException, IOException {
    for (ListKind list : ListKind.values()) {
      save(list, view.front(list));
    }
  }

  private void save(ListKind list, ListFront front) throws OperatorListsException, IOException {
    CountingFilter filter = front.filter();
    if (filter == null) {
      return;
    }
    String digest = FilterFile.write(path(list), filter, keys.keying());
    database.transaction(
        "write",
        () -> {
          database.remember(name(list), digest + " " + front.entries());
          return digest;
        });
  }

  /** Takes the marks away where that was not possible at the start. */
  static void forgetAll(Statements statements) throws SQLException {
    PreparedStatement forget = statements.of("DELETE FROM meta WHERE name = ?");
    for (ListKind list : ListKind.values()) {
      forget.setString(1, name(list));
      forget.executeUpdate();
    }
  }

  private Path path(ListKind list) {
    return directory.resolve("operator-" + list.key() + ".filter");
  }

  private static String name(ListKind list) {
    return "filter." + list.key();
  }
}
