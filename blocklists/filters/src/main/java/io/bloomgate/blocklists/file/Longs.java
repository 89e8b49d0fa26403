package io.bloomgate.blocklists.file;

import java.util.Arrays;
import java.util.function.LongConsumer;

/**
 * A growing list of longs without boxes, for builders of filters and indexes. The list grows by
 * chunks and is sorted in place, so that neither takes a second copy of a large list. One thread.
 */
public final class Longs {

  private static final int CHUNK_BITS = 14;
  private static final int CHUNK = 1 << CHUNK_BITS;

  /** Runs up to this length are sorted by comparison; it fits the first-level cache. */
  private static final int SHORT_RUN = 2048;

  private static final int DIGIT_BITS = 8;
  private static final int DIGITS = 1 << DIGIT_BITS;

  private long[][] chunks = {};
  private int size;

  /** Appends a value. */
  public void add(long value) {
    if (size == chunks.length << CHUNK_BITS) {
      chunks = Arrays.copyOf(chunks, chunks.length + 1);
      chunks[chunks.length - 1] = new long[CHUNK];
    }
    set(size++, value);
  }

  /** The value at an index. */
  public long get(int index) {
    return chunks[index >>> CHUNK_BITS][index & (CHUNK - 1)];
  }

  /** Replaces the value at an index. */
  public void set(int index, long value) {
    chunks[index >>> CHUNK_BITS][index & (CHUNK - 1)] = value;
  }

  /** The number of values. */
  public int size() {
    return size;
  }

  /** Drops everything from {@code newSize} on and frees its memory. */
  public void truncate(int newSize) {
    size = newSize;
    chunks = Arrays.copyOf(chunks, Math.ceilDiv(newSize, CHUNK));
  }

  /** Gives every value to the sink, in the order of the list. */
  public void forEach(LongConsumer sink) {
    for (int i = 0; i < size; i++) {
      sink.accept(get(i));
    }
  }

  /** Each value once, in ascending order of signed numbers. */
  public long[] sortedDistinct() {
    long[] values = new long[size];
    for (int i = 0; i < size; i++) {
      values[i] = get(i);
    }
    Arrays.sort(values);
    int kept = 0;
    for (int i = 0; i < size; i++) {
      if (kept == 0 || values[i] != values[kept - 1]) {
        values[kept++] = values[i];
      }
    }
    return Arrays.copyOf(values, kept);
  }

  /**
   * Sorts as unsigned numbers: by one octet after the other from the highest, swapping in place
   * (American flag sort), so that no order of arrival is slower than eight passes.
   */
  public void sort() {
    sort(0, size, Long.SIZE - DIGIT_BITS, new long[Math.min(size, SHORT_RUN)]);
  }

  private void sort(int from, int to, int shift, long[] scratch) {
    if (to - from <= SHORT_RUN) {
      sortShort(from, to, scratch);
      return;
    }
    int[] ends = new int[DIGITS];
    for (int i = from; i < to; i++) {
      ends[digit(get(i), shift)]++;
    }
    int[] next = new int[DIGITS];
    int sum = from;
    for (int digit = 0; digit < DIGITS; digit++) {
      next[digit] = sum;
      sum += ends[digit];
      ends[digit] = sum;
    }
    distribute(next, ends, shift);
    int start = from;
    for (int digit = 0; digit < DIGITS && shift > 0; digit++) {
      if (ends[digit] - start > 1) {
        sort(start, ends[digit], shift - DIGIT_BITS, scratch);
      }
      start = ends[digit];
    }
  }

  /** Moves each value into the part of its digit, which ends where {@code ends} says. */
  private void distribute(int[] next, int[] ends, int shift) {
    for (int part = 0; part < DIGITS; part++) {
      while (next[part] < ends[part]) {
        long value = get(next[part]);
        for (int digit = digit(value, shift); digit != part; digit = digit(value, shift)) {
          int place = next[digit]++;
          long displaced = get(place);
          set(place, value);
          value = displaced;
        }
        set(next[part]++, value);
      }
    }
  }

  private static int digit(long value, int shift) {
    return (int) (value >>> shift) & (DIGITS - 1);
  }

  private void sortShort(int from, int to, long[] scratch) {
    for (int i = from; i < to; i++) {
      scratch[i - from] = get(i) ^ Long.MIN_VALUE;
    }
    Arrays.sort(scratch, 0, to - from);
    for (int i = from; i < to; i++) {
      set(i, scratch[i - from] ^ Long.MIN_VALUE);
    }
  }
}
