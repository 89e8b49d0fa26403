package io.bloomgate.blocklists.workbench;

import io.bloomgate.blocklists.filter.HashSource;
import java.util.Arrays;
import java.util.function.LongConsumer;

/** A set of hashes, exact. Made by {@link HashCollector}; immutable. */
final class DistinctHashes implements HashSource {

  private final long[][] parts;
  private final long size;

  /** Takes over arrays that are sorted without repeats, parted by the upper bits. */
  DistinctHashes(long[][] parts) {
    this.parts = parts;
    this.size = Arrays.stream(parts).mapToLong(part -> part.length).sum();
  }

  /** How many there are. */
  long size() {
    return size;
  }

  /** True when this very hash is inside. */
  boolean contains(long hash) {
    return Arrays.binarySearch(parts[(int) (hash >>> HashCollector.PART_SHIFT)], hash) >= 0;
  }

  @Override
  public void forEach(LongConsumer hashes) {
    for (long[] part : parts) {
      for (long hash : part) {
        hashes.accept(hash);
      }
    }
  }

  /** Those that are not in the other set. */
  DistinctHashes without(DistinctHashes other) {
    long[][] left = new long[parts.length][];
    for (int i = 0; i < parts.length; i++) {
      left[i] = Arrays.stream(parts[i]).filter(hash -> !other.contains(hash)).toArray();
    }
    return new DistinctHashes(left);
  }
}
