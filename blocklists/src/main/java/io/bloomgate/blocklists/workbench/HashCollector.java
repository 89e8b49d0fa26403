package io.bloomgate.blocklists.workbench;

import io.bloomgate.blocklists.filter.HashSource;
import java.util.Arrays;
import java.util.function.LongConsumer;

/**
 * Collects hashes by the million and drops repeats. Used by one thread; worthless after {@link
 * #distinct}.
 *
 * <p>The hashes are parted by their upper bits, so that growing copies one part at a time and
 * sorting works in the cache: memory stays near 10 octets a hash.
 */
final class HashCollector implements LongConsumer {

  static final int PARTS = 256;
  static final int PART_SHIFT = Long.SIZE - Integer.numberOfTrailingZeros(PARTS);

  private static final int FIRST_ROOM = 64;

  /** The fill after dropping repeats beyond which the next time would come too soon. */
  private static final double FULL = 0.9;

  private final long[][] parts = new long[PARTS][FIRST_ROOM];
  private final int[] sizes = new int[PARTS];
  private final long limit;
  private long held;
  private boolean overfull;

  /**
   * An empty collector.
   *
   * @param limit hashes that are held at once
   */
  HashCollector(long limit) {
    this.limit = limit;
  }

  @Override
  public void accept(long hash) {
    if (held >= limit) {
      makeRoom();
    }
    if (overfull) {
      return;
    }
    int part = (int) (hash >>> PART_SHIFT);
    int size = sizes[part];
    if (size == parts[part].length) {
      parts[part] = Arrays.copyOf(parts[part], size + (size >> 1));
    }
    parts[part][size] = hash;
    sizes[part] = size + 1;
    held++;
  }

  private void makeRoom() {
    if (!overfull) {
      dropRepeats();
      overfull = held > FULL * limit;
    }
  }

  private void dropRepeats() {
    held = 0;
    for (int part = 0; part < PARTS; part++) {
      sizes[part] = sortedDistinct(parts[part], sizes[part]);
      held += sizes[part];
    }
  }

  /** Sorts the first hashes, drops repeats, and returns how many are left. */
  static int sortedDistinct(long[] hashes, int size) {
    Arrays.sort(hashes, 0, size);
    int kept = 0;
    for (int i = 0; i < size; i++) {
      if (i == 0 || hashes[i] != hashes[i - 1]) {
        hashes[kept++] = hashes[i];
      }
    }
    return kept;
  }

  /** True when there were more distinct hashes than may be held; then some are missing. */
  boolean overfull() {
    return overfull;
  }

  /** Each hash once. */
  DistinctHashes distinct() {
    dropRepeats();
    for (int part = 0; part < PARTS; part++) {
      parts[part] = Arrays.copyOf(parts[part], sizes[part]);
    }
    return new DistinctHashes(parts);
  }

  /** A set of hashes, exact. Made by {@link HashCollector}; immutable. */
  static final class DistinctHashes implements HashSource {

    private final long[][] parts;
    private final long count;

    /** Takes over arrays that are sorted without repeats, parted by the upper bits. */
    DistinctHashes(long[][] parts) {
      this.parts = parts;
      this.count = Arrays.stream(parts).mapToLong(part -> part.length).sum();
    }

    @Override
    public long count() {
      return count;
    }

    /** The hashes whose upper bits are the number of the part; sorted. */
    long[] part(int part) {
      return parts[part];
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
  }
}
