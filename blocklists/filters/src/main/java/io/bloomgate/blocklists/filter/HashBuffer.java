package io.bloomgate.blocklists.filter;

import java.util.Arrays;

/**
 * Collects hashes and passes them on in bursts, sorted roughly from the lowest (unsigned) to the
 * highest. A filter's line grows with the hash, so a burst walks through the filter from front to
 * back, one part after the other, each small enough for a cache. Used by {@link
 * SplitBlockFilterBuilder} on its thread.
 */
final class HashBuffer {

  /** Takes a burst. */
  @FunctionalInterface
  interface Target {
    /** Takes the first {@code count} hashes; the array stays the buffer's. */
    void take(long[] hashes, int count);
  }

  /** A size that stays in the second-level cache of a core while it is filled, in octets. */
  private static final int PART_OCTETS = 256 * 1024;

  private static final int MAX_PART_BITS = 11;

  private final long[] collected;
  private final long[] sorted;
  private final int[] next;
  private final int shift;
  private final Target target;
  private int count;

  /**
   * An empty buffer.
   *
   * @param length hashes of a burst; it costs 16 octets for each
   * @param filterOctets memory of the filter behind it
   */
  HashBuffer(int length, long filterOctets, Target target) {
    long parts = Math.max(2, filterOctets / PART_OCTETS);
    int bits = Math.min(MAX_PART_BITS, Long.SIZE - Long.numberOfLeadingZeros(parts - 1));
    this.collected = new long[length];
    this.sorted = new long[length];
    this.next = new int[1 << bits];
    this.shift = Long.SIZE - bits;
    this.target = target;
  }

  /** Collects a hash; passes a burst on when the buffer is full. */
  void add(long hash) {
    collected[count++] = hash;
    if (count == collected.length) {
      flush();
    }
  }

  /** Passes on what was collected. */
  void flush() {
    countParts();
    for (int i = 0; i < count; i++) {
      sorted[next[(int) (collected[i] >>> shift)]++] = collected[i];
    }
    target.take(sorted, count);
    count = 0;
  }

  /** Sets the index at which each part begins among the sorted hashes. */
  private void countParts() {
    Arrays.fill(next, 0);
    for (int i = 0; i < count; i++) {
      next[(int) (collected[i] >>> shift)]++;
    }
    int start = 0;
    for (int part = 0; part < next.length; part++) {
      int size = next[part];
      next[part] = start;
      start += size;
    }
  }
}
