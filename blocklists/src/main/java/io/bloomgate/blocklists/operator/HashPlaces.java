package io.bloomgate.blocklists.operator;

/**
 * Where each of many hashes is first in an array: an open table of 8 to 16 octets a hash. Used by
 * {@link FileSync} for one comparison; one thread.
 */
final class HashPlaces {

  private static final int FREE = 0;

  private final long[] hashes;

  /** Place plus one; at most half of them are used. */
  private final int[] slots;

  /** Of the places {@code from} to {@code to} (exclusive). */
  HashPlaces(long[] hashes, int from, int to) {
    this.hashes = hashes;
    this.slots = new int[Integer.highestOneBit(Math.max(1, to - from)) * 4];
    for (int place = from; place < to; place++) {
      int slot = slot(hashes[place]);
      if (slots[slot] == FREE) {
        slots[slot] = place + 1;
      }
    }
  }

  /** The first place of a hash, -1 when it is nowhere. */
  int first(long hash) {
    return slots[slot(hash)] - 1;
  }

  /** Where the hash is, or the free slot where it would be. */
  private int slot(long hash) {
    int slot = (int) (hash >>> Integer.SIZE ^ hash) & (slots.length - 1);
    while (slots[slot] != FREE && hashes[slots[slot] - 1] != hash) {
      slot = (slot + 1) & (slots.length - 1);
    }
    return slot;
  }
}
