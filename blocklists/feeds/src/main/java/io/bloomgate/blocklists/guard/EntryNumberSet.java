package io.bloomgate.blocklists.guard;

import io.bloomgate.blocklists.format.FeedSink.TooManyEntriesException;
import java.util.Arrays;

/**
 * Longs without boxes, for millions of them. Used by {@link DigestedVersion} and {@link FeedDiff};
 * not thread-safe.
 *
 * <p>They are kept parted by their upper bits: the parts grow and are sorted one by one, so that
 * ten million of them need no arrays of a hundred megabytes in a row, for which the garbage
 * collector would have to stop the program and compact the whole heap. Repeats leave a part when it
 * is full, so that a line that is in a list a million times takes no memory.
 */
final class EntryNumberSet {

  private static final int PART_BITS = 8;
  private static final int FIRST_SIZE = 16;

  private final EntryLimit limit;
  private final long[][] parts = new long[1 << PART_BITS][0];
  private final int[] sizes = new int[parts.length];

  /** The number of distinct values of each part that are counted; they are its first, in order. */
  private final int[] counted = new int[parts.length];

  /**
   * @param limit counts every distinct value, at the latest in {@link #settle}
   */
  EntryNumberSet(EntryLimit limit) {
    this.limit = limit;
  }

  /**
   * Adds a value.
   *
   * @throws TooManyEntriesException when the limit says so
   */
  void add(long value) {
    // Parts are in the order of the values, signed.
    int part = (int) ((value ^ Long.MIN_VALUE) >>> (Long.SIZE - PART_BITS));
    if (sizes[part] == parts[part].length) {
      settle(part);
      int room = Math.max(FIRST_SIZE, sizes[part] + (sizes[part] >> 1));
      parts[part] = Arrays.copyOf(parts[part], room);
    }
    parts[part][sizes[part]++] = value;
  }

  /**
   * Counts all that was added against the limit.
   *
   * @throws TooManyEntriesException when it is too much
   */
  void settle() {
    for (int part = 0; part < parts.length; part++) {
      settle(part);
    }
  }

  /** Orders a part, drops its repeats and counts what is new. */
  private void settle(int part) {
    long[] values = parts[part];
    if (sizes[part] == counted[part]) {
      return;
    }
    Arrays.sort(values, 0, sizes[part]);
    int kept = 1;
    for (int i = 1; i < sizes[part]; i++) {
      if (values[i] != values[kept - 1]) {
        values[kept++] = values[i];
      }
    }
    int fresh = kept - counted[part];
    sizes[part] = kept;
    counted[part] = kept;
    limit.keep(fresh);
  }

  /** The distinct values in ascending order; the list is empty afterwards. */
  long[] sortedDistinct() {
    settle();
    long[] all = new long[Arrays.stream(sizes).sum()];
    int filled = 0;
    for (int part = 0; part < parts.length; part++) {
      System.arraycopy(parts[part], 0, all, filled, sizes[part]);
      filled += sizes[part];
      parts[part] = new long[0];
      sizes[part] = 0;
      counted[part] = 0;
    }
    return all;
  }
}
