package io.bloomgate.blocklists.filter;

import java.util.List;
import java.util.function.LongConsumer;

/**
 * The hashes that a filter is built from. A build may ask for them several times: each time it
 * gives the same hashes, in any order, on the calling thread.
 */
@FunctionalInterface
public interface HashSource {

  /** No hashes. */
  HashSource NONE = hashes -> {};

  /** Gives every hash; one that is given twice counts as two entries in a kind that counts. */
  void forEach(LongConsumer hashes);

  /**
   * The same hashes in parts that several threads may walk at once. Where there are several, each
   * has higher hashes (unsigned) than the one before, in ascending order.
   */
  default List<HashSource> parts() {
    return List.of(this);
  }

  /** Counts the hashes; walks over all of them. */
  default long count() {
    long[] count = {0};
    forEach(_ -> count[0]++);
    return count[0];
  }
}
