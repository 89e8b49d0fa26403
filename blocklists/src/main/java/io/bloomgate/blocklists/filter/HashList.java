package io.bloomgate.blocklists.filter;

import java.util.Arrays;
import java.util.function.LongConsumer;

/** Hashes in an array that grows. For one thread, while filters are built. */
public final class HashList implements HashSource {

  private static final int FIRST_LENGTH = 64;

  private long[] hashes = new long[FIRST_LENGTH];
  private int size;

  /** Appends a hash. */
  public void add(long hash) {
    if (size == hashes.length) {
      hashes = Arrays.copyOf(hashes, Math.addExact(size, Math.min(size, Integer.MAX_VALUE / 4)));
    }
    hashes[size++] = hash;
  }

  /** How many there are. */
  public int size() {
    return size;
  }

  @Override
  public void forEach(LongConsumer sink) {
    for (int i = 0; i < size; i++) {
      sink.accept(hashes[i]);
    }
  }

  /** Each hash once, in ascending order; orders the list itself. */
  public long[] sortedDistinct() {
    Arrays.sort(hashes, 0, size);
    int kept = 0;
    for (int i = 0; i < size; i++) {
      if (kept == 0 || hashes[i] != hashes[kept - 1]) {
        hashes[kept++] = hashes[i];
      }
    }
    size = kept;
    return Arrays.copyOf(hashes, size);
  }
}
