package io.bloomgate.blocklists.filter.kinds;

import io.bloomgate.blocklists.filter.SplitMix;

/**
 * The table of a cuckoo filter: buckets of four slots, a fingerprint or nothing in each, and where
 * a hash belongs. Used by {@link CuckooFilter} alone, on its thread.
 *
 * <p>A hash may be in two buckets. The second follows from the first and the fingerprint, so that a
 * fingerprint can be moved when the hash is long forgotten (partial-key cuckoo hashing; Fan,
 * Andersen, Kaminsky and Mitzenmacher, "Cuckoo Filter: Practically Better Than Bloom", 2014,
 * section 3.1). The paper's exclusive or needs a power of two of buckets; here it is a number drawn
 * from the fingerprint minus the first bucket, modulo the number of buckets, which leads back just
 * the same. The number of buckets is odd: then each fingerprint has only one bucket that is its own
 * second. All this is part of the file format.
 */
final class CuckooBuckets {

  /** Slots of a bucket. */
  static final int SLOTS = 4;

  /** Narrower fingerprints repeat so often that tables of a few thousand buckets stop early. */
  static final int MIN_WIDTH = 6;

  static final int MAX_WIDTH = PackedFields.MAX_WIDTH;

  /** The largest number of words that one array holds. */
  static final long MAX_WORDS = Integer.MAX_VALUE - 8L;

  private static final long EMPTY = 0;
  private static final long LOW_HALF = 0xffff_ffffL;

  private final int buckets;
  private final int width;
  private final PackedFields slots;

  CuckooBuckets(int buckets, int width, long[] words) {
    this.buckets = buckets;
    this.width = width;
    this.slots = new PackedFields(words, width);
  }

  /** Words of a table. */
  static long words(long buckets, int width) {
    return PackedFields.words(buckets * SLOTS, width);
  }

  /** Fingerprints that differ; 0 is none, it marks an empty slot. */
  static long fingerprints(int width) {
    return (1L << width) - 1;
  }

  int buckets() {
    return buckets;
  }

  int width() {
    return width;
  }

  long slots() {
    return (long) buckets * SLOTS;
  }

  long[] words() {
    return slots.words();
  }

  /** The fingerprint of a hash, of its lower half, which hardly moves the bucket. */
  long fingerprint(long hash) {
    return 1 + (((hash & LOW_HALF) * fingerprints(width)) >>> Integer.SIZE);
  }

  /** The first bucket of a hash. */
  int bucket(long hash) {
    return (int) Math.unsignedMultiplyHigh(hash, buckets);
  }

  /** The other bucket of a fingerprint that is, or would be, in this one. */
  int other(int bucket, long fingerprint) {
    int sum = (int) Math.unsignedMultiplyHigh(SplitMix.mix(fingerprint), buckets);
    int other = sum - bucket;
    return other + ((other >> (Integer.SIZE - 1)) & buckets);
  }

  /** 1 when the bucket holds the fingerprint, else 0; no branch depends on it. */
  int holds(int bucket, long fingerprint) {
    long first = (long) bucket * SLOTS;
    long found =
        same(slots.get(first), fingerprint)
            | same(slots.get(first + 1), fingerprint)
            | same(slots.get(first + 2), fingerprint)
            | same(slots.get(first + 3), fingerprint);
    return (int) found;
  }

  private static long same(long a, long b) {
    return ((a ^ b) - 1) >>> (Long.SIZE - 1);
  }

  long get(int bucket, int slot) {
    return slots.get((long) bucket * SLOTS + slot);
  }

  void set(int bucket, int slot, long fingerprint) {
    slots.set((long) bucket * SLOTS + slot, fingerprint);
  }

  /** The first empty slot of a bucket, -1 when it is full. */
  int emptySlot(int bucket) {
    return slotOf(bucket, EMPTY);
  }

  /** Takes one copy of a fingerprint out of a bucket. */
  boolean take(int bucket, long fingerprint) {
    int slot = slotOf(bucket, fingerprint);
    if (slot < 0) {
      return false;
    }
    set(bucket, slot, EMPTY);
    return true;
  }

  private int slotOf(int bucket, long fingerprint) {
    for (int slot = 0; slot < SLOTS; slot++) {
      if (get(bucket, slot) == fingerprint) {
        return slot;
      }
    }
    return -1;
  }

  /** Fingerprints in the table, counted one by one. */
  long countTaken() {
    long taken = 0;
    for (long slot = 0; slot < slots(); slot++) {
      taken += slots.get(slot) == EMPTY ? 0 : 1;
    }
    return taken;
  }
}
