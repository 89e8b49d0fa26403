package io.bloomgate.blocklists.filter;

import java.util.function.LongConsumer;

/**
 * The hashes that a filter is built from. A build may ask for them several times: each time the
 * same hashes are told, in any order, on the calling thread.
 */
@FunctionalInterface
public interface HashSource {

  /** No hashes. */
  HashSource NONE = hashes -> {};

  /** Tells every hash; one told twice counts as two entries where a kind counts. */
  void forEach(LongConsumer hashes);

  /** How many hashes there are; walks over all of them. */
  default long count() {
    long[] count = {0};
    forEach(_ -> count[0]++);
    return count[0];
  }
}
