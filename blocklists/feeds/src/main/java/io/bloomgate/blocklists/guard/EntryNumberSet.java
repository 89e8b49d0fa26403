package io.bloomgate.blocklists.guard;

import io.bloomgate.blocklists.format.FeedSink.TooManyEntriesException;
import java.util.Arrays;

/**
 * Longs without boxes, for millions of them. Used by {@link DigestCollector} and {@link FeedDiff};
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

  /** Smaller parts just grow: 32 MiB for all of them. */
  private static final int TIDIED_SIZE = 1 << 14;

  private static final long[] NONE = {};

  private final EntryLimit limit;

  /** Each begins with distinct values in order, then come new ones as they were added. */
  private final long[][] parts = new long[1 << PART_BITS][];

  private final int[] sizes = new int[parts.length];

  /** The number of values at the beginning of each part that are in order. */
  private final int[] ordered = new int[parts.length];

  /** The number of distinct values of each part that are counted. */
  private final int[] counted = new int[parts.length];

  /**
   * @param limit counts every distinct value, at the latest in {@link #settle}
   */
  EntryNumberSet(EntryLimit limit) {
    this.limit = limit;
    Arrays.fill(parts, NONE);
  }

  /** A list of any length. */
  EntryNumberSet() {
    this(new EntryLimit(Long.MAX_VALUE));
  }

  /**
   * Adds a value.
   *
   * @throws TooManyEntriesException when the limit says so
   */
  void add(long value) {
    int part = part(value);
    if (sizes[part] == parts[part].length) {
      makeRoom(part);
    }
    parts[part][sizes[part]++] = value;
  }

  /** The part of a value; parts are in the order of the values, signed. */
  private static int part(long value) {
    return (int) ((value ^ Long.MIN_VALUE) >>> (Long.SIZE - PART_BITS));
  }

  private void makeRoom(int part) {
    if (sizes[part] < TIDIED_SIZE) {
      parts[part] = Arrays.copyOf(parts[part], roomFor(sizes[part]));
      return;
    }
    int distinct = settle(part);
    long[] tidied = new long[roomFor(distinct)];
    merge(part, tidied, 0);
    parts[part] = tidied;
    sizes[part] = distinct;
    ordered[part] = distinct;
  }

  private static int roomFor(int size) {
    return Math.max(FIRST_SIZE, size + (size >> 1));
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

  /** Orders the new values of a part; returns how many distinct values the part has. */
  private int settle(int part) {
    long[] values = parts[part];
    int from = ordered[part];
    sizes[part] = sortDistinct(values, from, sizes[part]);
    int distinct = sizes[part];
    int old = 0;
    for (int i = from; i < sizes[part] && old < from; i++) {
      while (old < from && values[old] < values[i]) {
        old++;
      }
      distinct -= old < from && values[old] == values[i] ? 1 : 0;
    }
    limit.keep(distinct - counted[part]);
    counted[part] = distinct;
    return distinct;
  }

  /** Sorts a run and drops its repeats; returns where it ends then. */
  private static int sortDistinct(long[] values, int from, int to) {
    Arrays.sort(values, from, to);
    int kept = from;
    for (int i = from; i < to; i++) {
      if (i == from || values[i] != values[i - 1]) {
        values[kept++] = values[i];
      }
    }
    return kept;
  }

  /** Writes the distinct values of a settled part in order; returns where they end. */
  private int merge(int part, long[] target, int at) {
    long[] values = parts[part];
    int old = 0;
    int fresh = ordered[part];
    int end = at;
    while (old < ordered[part] && fresh < sizes[part]) {
      long next = Math.min(values[old], values[fresh]);
      old += values[old] == next ? 1 : 0;
      fresh += values[fresh] == next ? 1 : 0;
      target[end++] = next;
    }
    System.arraycopy(values, old, target, end, ordered[part] - old);
    end += ordered[part] - old;
    System.arraycopy(values, fresh, target, end, sizes[part] - fresh);
    return end + sizes[part] - fresh;
  }

  /** The distinct values in ascending order; the list is empty afterwards. */
  long[] sortedDistinct() {
    int total = 0;
    for (int part = 0; part < parts.length; part++) {
      total += settle(part);
    }
    long[] all = new long[total];
    int filled = 0;
    for (int part = 0; part < parts.length; part++) {
      filled = merge(part, all, filled);
      parts[part] = NONE;
      sizes[part] = 0;
      ordered[part] = 0;
      counted[part] = 0;
    }
    return all;
  }
}
