package io.bloomgate.blocklists.index;

import java.util.Arrays;

/** A growing array of longs for builders, without boxes. One thread. */
final class LongList {

  private long[] values = new long[16];
  private int size;

  void add(long value) {
    if (size == values.length) {
      values = Arrays.copyOf(values, Math.addExact(size, size / 2 + 16));
    }
    values[size++] = value;
  }

  long get(int index) {
    return values[index];
  }

  void set(int index, long value) {
    values[index] = value;
  }

  int size() {
    return size;
  }

  /** Drops everything from {@code size} on. */
  void truncate(int newSize) {
    size = newSize;
  }

  /** Sorts as signed numbers. */
  void sort() {
    Arrays.sort(values, 0, size);
  }
}
