package io.bloomgate.blocklists.generation;

import io.bloomgate.blocklists.filter.MembershipFilter;

/**
 * Hashes that wait to be looked for in one filter, and the key of the batch that each belongs to.
 * Part of a {@link KeyBatch}.
 */
final class ProbeQueue {

  /**
   * Reads that a core keeps under way at once are fewer than this; a name with more parents is
   * asked in several rounds.
   */
  private static final int CAPACITY = 16;

  private final long[] hashes = new long[CAPACITY];
  private final byte[] keys = new byte[CAPACITY];
  private int count;

  /** Forgets what waits. */
  void clear() {
    count = 0;
  }

  /**
   * Appends a hash; when there is no room, what waits is asked first.
   *
   * @param key number of the key in its batch
   * @return bits of keys that were found on the way
   */
  long add(MembershipFilter filter, long hash, int key) {
    long hits = count == CAPACITY ? run(filter) : 0;
    hashes[count] = hash;
    keys[count++] = (byte) key;
    return hits;
  }

  /**
   * Asks for everything that waits, and forgets it. All hashes are known before the first read, so
   * that no read waits for another.
   *
   * @return a bit for each key that one of its hashes was found of
   */
  long run(MembershipFilter filter) {
    long found = filter.probeAll(hashes, count);
    long hits = 0;
    for (int i = 0; i < count; i++) {
      hits |= (found >>> i & 1) << keys[i];
    }
    count = 0;
    return hits;
  }
}
