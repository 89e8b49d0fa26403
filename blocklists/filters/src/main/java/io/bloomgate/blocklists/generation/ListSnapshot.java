package io.bloomgate.blocklists.generation;

import io.bloomgate.blocklists.entry.ListEntry;
import io.bloomgate.blocklists.index.AsnAnswer;
import io.bloomgate.blocklists.index.EntryVisitor;
import io.bloomgate.blocklists.index.RangeTally;
import io.bloomgate.config.name.IpPrefix;
import io.bloomgate.config.name.ListKey;
import java.util.List;
import java.util.OptionalInt;
import java.util.function.Consumer;

/** One immutable generation of all feeds. Asked by sessions on any thread. */
public interface ListSnapshot {

  /** A snapshot for the time before there is any generation: number 0, lists nothing. */
  ListSnapshot EMPTY =
      new ListSnapshot() {
        @Override
        public long generation() {
          return 0;
        }

        @Override
        public ListAnswer ask(ListKey key) {
          return ListAnswer.NotListed.INSTANCE;
        }
      };

  /** Number of the generation, growing; 0 when there is none yet. */
  long generation();

  /**
   * Asks the lists about a key. Allocates nothing when the key is not listed. A domain is asked
   * with every parent of two or more labels.
   *
   * @throws RuntimeException or {@link InternalError} when a mapped page cannot be read; the
   *     decision treats it as {@code policy.on_error}
   */
  ListAnswer ask(ListKey key);

  /**
   * Asks the filters for all keys of a message at once, which costs little more than asking for
   * one. Allocates nothing.
   *
   * @return a bit for each key, by its number in the batch; one whose bit is 0 is certainly not
   *     listed, for the others {@link #ask} answers
   */
  default long mayList(KeyBatch batch) {
    return batch.everyKey();
  }

  /**
   * Says whose network all of this is, by each table that knows. Takes a search in each table.
   *
   * @throws RuntimeException or {@link InternalError} as {@link #ask}
   */
  default List<AsnAnswer> asn(IpPrefix network) {
    return List.of();
  }

  /**
   * Counts what feeds list inside a network and around it, by the exact index. Takes time by what
   * is inside; for commands, not for sessions.
   *
   * @throws RuntimeException or {@link InternalError} as {@link #ask}
   */
  default RangeTally within(IpPrefix range) {
    return RangeTally.NONE;
  }

  /** Gives the listed networks that are inside a network, exceptions too. */
  default void forEachWithin(IpPrefix range, Consumer<IpPrefix> networks) {}

  /** Hands over every entry of the exact index, feeds by their number in the manifest. */
  default void forEachEntry(EntryVisitor visitor) {}

  /**
   * The line of an entry of a feed, if the exact index has that very entry.
   *
   * @param feed its number in the manifest
   */
  default OptionalInt line(int feed, ListEntry entry) {
    return OptionalInt.empty();
  }

  /** The contents of the build: feeds with their versions and counts, filters with their rates. */
  default SnapshotManifest manifest() {
    return SnapshotManifest.EMPTY;
  }
}
