package io.bloomgate.blocklists.filter.kinds;

import java.util.Arrays;

/**
 * Builds one partition of a binary fuse filter after the other with the same scratch memory, about
 * 25 octets a key of the largest partition. Used by {@link FuseFilterBuilder} on one thread.
 *
 * <p>The keys are the edges of a hypergraph whose nodes are the slots. Slots that only one key uses
 * are taken away with their key until nothing is left; in the reverse order each key finds a slot
 * that no later one reads, and sets it so that its three combine to its fingerprint. Keys are first
 * put in the order of their slots, so that the work stays within a few segments at a time (Graf and
 * Lemire, 2022, algorithm 1).
 */
final class FuseSegmentBuilder {

  /** A slot's count of keys is above two bits that say which of a key's slots it is. */
  private static final int COUNT_SHIFT = 2;

  private static final int COUNT_ONE = 1 << COUNT_SHIFT;
  private static final int WHICH = COUNT_ONE - 1;
  private static final int MAX_COUNT = 0xff >>> COUNT_SHIFT;

  /** Groups of first slots by which keys are ordered. */
  private static final int MAX_ORDER_BITS = 12;

  /** The keys' mixed hashes in the order of their slots, later in the order of their removal. */
  private long[] keys = new long[0];

  /** The one of its three slots that a removed key sets. */
  private byte[] which = new byte[0];

  /** The combination of the keys that use a slot, and their count. */
  private long[] edges = new long[0];

  private byte[] counts = new byte[0];
  private int[] alone = new int[0];
  private short[] fingerprints = new short[0];

  private long span;
  private int mask;
  private int slots;

  /** The fingerprints of the partition that was built last, from the start of the array. */
  short[] fingerprints() {
    return fingerprints;
  }

  /**
   * Tries once.
   *
   * @param hashes of the keys, from {@code from} (inclusive) to {@code to} (exclusive)
   * @return false when the keys did not fall apart, which is certain when one is there twice
   */
  boolean build(long[] hashes, int from, int to, long seed, FusePartitions.Shape shape) {
    span = shape.segments() << shape.segmentBits();
    mask = (1 << shape.segmentBits()) - 1;
    slots = shape.slots();
    int count = to - from;
    reserve(count);
    order(hashes, from, to, seed);
    if (!connect(count) || peel() != count) {
      return false;
    }
    assign(count);
    return true;
  }

  private void reserve(int count) {
    if (keys.length < count) {
      keys = new long[count];
      which = new byte[count];
    }
    if (edges.length < slots) {
      edges = new long[slots];
      counts = new byte[slots];
      alone = new int[slots];
      fingerprints = new short[slots];
    }
    Arrays.fill(edges, 0, slots, 0);
    Arrays.fill(counts, 0, slots, (byte) 0);
    Arrays.fill(fingerprints, 0, slots, (short) 0);
  }

  private void order(long[] hashes, int from, int to, long seed) {
    int shift = Long.SIZE - MAX_ORDER_BITS;
    int[] next = new int[(1 << MAX_ORDER_BITS) + 1];
    for (int i = from; i < to; i++) {
      next[(int) (FusePartitions.mix(hashes[i] + seed) >>> shift) + 1]++;
    }
    for (int i = 1; i < next.length; i++) {
      next[i] += next[i - 1];
    }
    for (int i = from; i < to; i++) {
      long mixed = FusePartitions.mix(hashes[i] + seed);
      keys[next[(int) (mixed >>> shift)]++] = mixed;
    }
  }

  /** Enters every key at its slots; false when one is too crowded to be counted. */
  private boolean connect(int count) {
    int fullest = 0;
    for (int i = 0; i < count; i++) {
      long mixed = keys[i];
      int first = FusePartitions.first(mixed, span);
      int second = FusePartitions.second(first, mixed, mask);
      int third = FusePartitions.third(first, mixed, mask);
      int most = Math.max(enter(first, 0, mixed), enter(second, 1, mixed));
      fullest = Math.max(fullest, Math.max(most, enter(third, 2, mixed)));
      if (fullest == MAX_COUNT) {
        return false;
      }
    }
    return true;
  }

  private int enter(int slot, int place, long mixed) {
    int count = ((counts[slot] & 0xff) + COUNT_ONE) ^ place;
    counts[slot] = (byte) count;
    edges[slot] ^= mixed;
    return count >>> COUNT_SHIFT;
  }

  /** Takes keys away while a slot has only one; returns how many went. */
  private int peel() {
    int waiting = 0;
    for (int i = 0; i < slots; i++) {
      alone[waiting] = i;
      waiting += (counts[i] & 0xff) >>> COUNT_SHIFT == 1 ? 1 : 0;
    }
    int removed = 0;
    while (waiting > 0) {
      int slot = alone[--waiting];
      int count = counts[slot] & 0xff;
      if (count >>> COUNT_SHIFT != 1) {
        continue;
      }
      long mixed = edges[slot];
      int place = count & WHICH;
      keys[removed] = mixed;
      which[removed++] = (byte) place;
      int first = FusePartitions.first(mixed, span);
      int second = FusePartitions.second(first, mixed, mask);
      int third = FusePartitions.third(first, mixed, mask);
      counts[slot] = 0;
      waiting = place == 0 ? waiting : leave(first, 0, mixed, waiting);
      waiting = place == 1 ? waiting : leave(second, 1, mixed, waiting);
      waiting = place == 2 ? waiting : leave(third, 2, mixed, waiting);
    }
    return removed;
  }

  private int leave(int slot, int place, long mixed, int waiting) {
    int count = ((counts[slot] & 0xff) - COUNT_ONE) ^ place;
    counts[slot] = (byte) count;
    edges[slot] ^= mixed;
    alone[waiting] = slot;
    return waiting + (count >>> COUNT_SHIFT == 1 ? 1 : 0);
  }

  private void assign(int count) {
    short[] f = fingerprints;
    for (int i = count - 1; i >= 0; i--) {
      long mixed = keys[i];
      int first = FusePartitions.first(mixed, span);
      int second = FusePartitions.second(first, mixed, mask);
      int third = FusePartitions.third(first, mixed, mask);
      // The key's own slot is still 0, so that all three can be combined without asking which.
      int value = FusePartitions.fingerprint(mixed) ^ f[first] ^ f[second] ^ f[third];
      int own = which[i] == 0 ? first : which[i] == 1 ? second : third;
      f[own] = (short) value;
    }
  }
}
