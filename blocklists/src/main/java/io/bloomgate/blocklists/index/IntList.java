package io.bloomgate.blocklists.index;

import java.util.Arrays;

/** A growing array of ints for builders, without boxes. One thread. */
final class IntList {

  private int[] values = new int[16];
  private int size;

  void add(int value) {
    if (size == values.length) {
      values = Arrays.copyOf(values, Math.addExact(size, size / 2 + 16));
    }
    values[size++] = value;
  }

  int get(int index) {
    return values[index];
  }

  int size() {
    return size;
  }
}
