package io.bloomgate.blocklists.filter.kinds;

/**
 * Finds room for a fingerprint whose two buckets are full: a shortest chain of fingerprints that
 * each move to their other bucket, the last into an empty slot. The search reads only; fingerprints
 * move when the chain is whole, from its end, so that a table without room stays as it is and no
 * fingerprint is ever without a slot. Used by {@link CuckooFilter}, on its thread.
 *
 * <p>Breadth first, as in Li, Andersen, Kaminsky and Freedman, "Algorithmic Improvements for Fast
 * Concurrent Cuckoo Hashing" (2014, section 4.3.2): no choice is random, so equal additions make
 * equal files. A shortest chain visits no bucket twice.
 */
final class CuckooPath {

  /** Buckets looked at before the table counts as full: chains of up to four moves. */
  static final int MAX_BUCKETS = 500;

  private static final int NONE = -1;

  private final int[] bucket = new int[MAX_BUCKETS];

  /** Position of the step before, and the slot of its bucket from which this step follows. */
  private final int[] before = new int[MAX_BUCKETS];

  private final int[] slot = new int[MAX_BUCKETS];
  private int steps;

  /**
   * Puts a fingerprint into one of its buckets.
   *
   * @return false when no chain was found; then nothing has moved
   */
  boolean place(CuckooBuckets table, long fingerprint, int near, int far) {
    steps = 0;
    append(near, NONE, NONE);
    append(far, NONE, NONE);
    for (int step = 0; step < steps; step++) {
      int empty = table.emptySlot(bucket[step]);
      if (empty >= 0) {
        shift(table, fingerprint, step, empty);
        return true;
      }
      for (int from = 0; from < CuckooBuckets.SLOTS && steps < MAX_BUCKETS; from++) {
        append(table.other(bucket[step], table.get(bucket[step], from)), step, from);
      }
    }
    return false;
  }

  private void append(int next, int from, int fromSlot) {
    bucket[steps] = next;
    before[steps] = from;
    slot[steps] = fromSlot;
    steps++;
  }

  private void shift(CuckooBuckets table, long fingerprint, int last, int empty) {
    int step = last;
    int free = empty;
    while (before[step] != NONE) {
      int previous = before[step];
      table.set(bucket[step], free, table.get(bucket[previous], slot[step]));
      free = slot[step];
      step = previous;
    }
    table.set(bucket[step], free, fingerprint);
  }
}
