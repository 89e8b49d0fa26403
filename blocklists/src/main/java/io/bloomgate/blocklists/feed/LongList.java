package io.bloomgate.blocklists.feed;

import java.util.Arrays;

/** Longs without boxes, for millions of them. Used by {@link FeedDigest}; not thread-safe. */
final class LongList {

  private long[] values = new long[1024];
  private int size;

  void add(long value) {
    if (size == values.length) {
      values = Arrays.copyOf(values, size + (size >> 1));
    }
    values[size++] = value;
  }

  /** The distinct values in ascending order. */
  long[] sortedDistinct() {
    long[] sorted = Arrays.copyOf(values, size);
    Arrays.sort(sorted);
    int kept = 0;
    for (int i = 0; i < sorted.length; i++) {
      if (i == 0 || sorted[i] != sorted[i - 1]) {
        sorted[kept++] = sorted[i];
      }
    }
    return kept == sorted.length ? sorted : Arrays.copyOf(sorted, kept);
  }
}
