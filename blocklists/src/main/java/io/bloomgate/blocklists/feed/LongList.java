package io.bloomgate.blocklists.feed;

import java.util.Arrays;

/**
 * Longs without boxes, for millions of them. Used by {@link FeedDigest} and {@link FeedDiff}; not
 * thread-safe.
 *
 * <p>They are kept parted by their upper bits: the parts grow and are sorted one by one, so that
 * ten million of them need no arrays of a hundred megabytes in a row, for which the collector would
 * have to stop the program and tidy the whole heap up.
 */
final class LongList {

  private static final int PART_BITS = 8;
  private static final int FIRST_SIZE = 16;
  private static final long[] NONE = {};

  private final long[][] parts = new long[1 << PART_BITS][];
  private final int[] sizes = new int[parts.length];

  LongList() {
    Arrays.fill(parts, NONE);
  }

  void add(long value) {
    int part = part(value);
    int size = sizes[part];
    if (size == parts[part].length) {
      parts[part] = Arrays.copyOf(parts[part], Math.max(FIRST_SIZE, size + (size >> 1)));
    }
    parts[part][size] = value;
    sizes[part] = size + 1;
  }

  /** In the order of the values, signed. */
  private static int part(long value) {
    return (int) ((value ^ Long.MIN_VALUE) >>> (Long.SIZE - PART_BITS));
  }

  /** The distinct values in ascending order; the list is empty afterwards. */
  long[] sortedDistinct() {
    int total = 0;
    for (int part = 0; part < parts.length; part++) {
      sizes[part] = sortDistinct(parts[part], sizes[part]);
      total += sizes[part];
    }
    long[] all = new long[total];
    int filled = 0;
    for (int part = 0; part < parts.length; part++) {
      System.arraycopy(parts[part], 0, all, filled, sizes[part]);
      filled += sizes[part];
      parts[part] = NONE;
      sizes[part] = 0;
    }
    return all;
  }

  /** How many are left when repeats are gone. */
  private static int sortDistinct(long[] values, int size) {
    Arrays.sort(values, 0, size);
    int kept = 0;
    for (int i = 0; i < size; i++) {
      if (i == 0 || values[i] != values[i - 1]) {
        values[kept++] = values[i];
      }
    }
    return kept;
  }
}
