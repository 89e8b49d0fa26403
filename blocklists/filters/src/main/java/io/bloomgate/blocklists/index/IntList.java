package io.bloomgate.blocklists.index;

import java.util.Arrays;

/**
 * A growing array of ints for builders, without boxes. It grows by chunks, so that growing takes no
 * second copy of a large list. One thread.
 */
final class IntList {

  private static final int CHUNK_BITS = 14;
  private static final int CHUNK = 1 << CHUNK_BITS;

  private int[][] chunks = {};
  private int size;

  void add(int value) {
    if (size == chunks.length << CHUNK_BITS) {
      chunks = Arrays.copyOf(chunks, chunks.length + 1);
      chunks[chunks.length - 1] = new int[CHUNK];
    }
    set(size++, value);
  }

  int get(int index) {
    return chunks[index >>> CHUNK_BITS][index & (CHUNK - 1)];
  }

  int size() {
    return size;
  }

  void set(int index, int value) {
    chunks[index >>> CHUNK_BITS][index & (CHUNK - 1)] = value;
  }

  /** Drops everything from {@code newSize} on and frees its memory. */
  void truncate(int newSize) {
    size = newSize;
    chunks = Arrays.copyOf(chunks, Math.ceilDiv(newSize, CHUNK));
  }

  /** Forgets all and frees the memory. */
  void clear() {
    chunks = new int[0][];
    size = 0;
  }
}
