package io.bloomgate.blocklists.filter.kinds;

/**
 * The places of the keys of a binary fuse filter: a row of numbers for each partition, and the
 * arithmetic that finds a key's three slots. Shared by both widths, by the builder and by the
 * codec; immutable, for any thread.
 *
 * <p>A partition is what the upper bits of the hash say. Each has its own segments, and its own
 * seed after a failed attempt, so that it can be built again without the others.
 */
final class FusePartitions {

  /** Slots of a key. */
  static final int ARITY = 3;

  /** More partitions are never needed: an array is full before. */
  static final int MAX_BITS = 12;

  /** Segments of 2 to the 18 slots are the longest that help (Graf and Lemire, section 4). */
  static final int MAX_SEGMENT_BITS = 18;

  /**
   * Attempts at a partition. With distinct keys one in twenty fails at worst, and a wider shape is
   * taken after a few, so that this many failures mean something else; the builder then refuses.
   */
  static final int MAX_ATTEMPTS = 100;

  /**
   * An attempt with this bit has the same seed in every partition, so that a lookup reads no table.
   * Files with several partitions that were made before this bit have a seed for each.
   */
  static final int SHARED = 1 << 8;

  /** A row has four words. */
  static final int ROW_SHIFT = 2;

  static final int SEED = 0;
  static final int BASE = 1;
  static final int SPAN = 2;
  static final int MASK = 3;

  /** Bit of a row's base that says: no key is here, so nothing hits. */
  static final int NONE_SHIFT = 32;

  /** The second segment takes bits of the hash from here, the third those from 0. */
  static final int SECOND_SHIFT = 18;

  private static final long GOLDEN = 0x9e3779b97f4a7c15L;

  private final int bits;
  private final int[] attempts;
  private final long[] rows;
  private long slots;
  private int used;

  /** A table without keys. */
  FusePartitions(int bits) {
    this.bits = bits;
    this.attempts = new int[1 << bits];
    this.rows = new long[attempts.length << ROW_SHIFT];
    for (int p = 0; p < attempts.length; p++) {
      rows[(p << ROW_SHIFT) + BASE] = 1L << NONE_SHIFT;
    }
  }

  /**
   * Says how a partition was built; partitions come in ascending order, those without keys not at
   * all. Called before the table is shared.
   */
  void put(int partition, int attempt, Shape shape) {
    int row = partition << ROW_SHIFT;
    attempts[partition] = attempt;
    rows[row + SEED] = seed(partition, attempt);
    rows[row + BASE] = slots;
    rows[row + SPAN] = shape.segments() << shape.segmentBits();
    rows[row + MASK] = (1L << shape.segmentBits()) - 1;
    slots += shape.slots();
    used++;
  }

  /** The partition of a hash. */
  static int number(long hash, int bits) {
    // Two shifts, since a shift by 64 would shift by nothing when there is one partition.
    return (int) (hash >>> 1 >>> (Long.SIZE - 1 - bits));
  }

  /** The seed of an attempt: fixed by its numbers, so that the same keys give the same file. */
  static long seed(int partition, int attempt) {
    long own = (attempt & SHARED) != 0 ? 0 : (long) partition << 32;
    return mix(GOLDEN * (own + (attempt & ~SHARED) + 1));
  }

  /**
   * Spreads a seeded hash over 64 bits: the finalizer of MurmurHash3 (Appleby, 2011), a bijection.
   */
  static long mix(long seeded) {
    long h = seeded;
    h = (h ^ (h >>> 33)) * 0xff51afd7ed558ccdL;
    h = (h ^ (h >>> 33)) * 0xc4ceb9fe1a85ec53L;
    return h ^ (h >>> 33);
  }

  /**
   * The value to which the three slots of a key combine; the narrow filter keeps the lower 8 bits.
   */
  static int fingerprint(long mixed) {
    return (int) (mixed ^ (mixed >>> 32));
  }

  /** The first slot, counted from the partition's own. */
  static int first(long mixed, long span) {
    return (int) Math.unsignedMultiplyHigh(mixed, span);
  }

  /** The second slot: one segment further, at a place that the hash chooses. */
  static int second(int first, long mixed, int mask) {
    return (first + mask + 1) ^ ((int) (mixed >>> SECOND_SHIFT) & mask);
  }

  /** The third slot: two segments further. */
  static int third(int first, long mixed, int mask) {
    return (first + 2 * (mask + 1)) ^ ((int) mixed & mask);
  }

  /** The table as the filters read it. */
  long[] rows() {
    return rows;
  }

  /** True when all partitions have keys, one seed and one shape, as they usually have. */
  boolean areAlike() {
    for (int p = 0; p < attempts.length; p++) {
      int row = p << ROW_SHIFT;
      if (empty(p)
          || rows[row + SEED] != rows[SEED]
          || rows[row + MASK] != rows[MASK]
          || rows[row + SPAN] != rows[SPAN]) {
        return false;
      }
    }
    return true;
  }

  /** One of the words of each row. */
  long[] column(int word) {
    long[] column = new long[attempts.length];
    for (int p = 0; p < column.length; p++) {
      column[p] = rows[(p << ROW_SHIFT) + word];
    }
    return column;
  }

  /** Upper bits of a hash that number its partition. */
  int bits() {
    return bits;
  }

  /** All partitions. */
  int count() {
    return attempts.length;
  }

  /** Partitions with keys. */
  int used() {
    return used;
  }

  /** Slots of all partitions. */
  long slots() {
    return slots;
  }

  boolean empty(int partition) {
    return rows[(partition << ROW_SHIFT) + BASE] >>> NONE_SHIFT != 0;
  }

  int attempt(int partition) {
    return attempts[partition];
  }

  /** The segments of a partition that has keys. */
  Shape shape(int partition) {
    int row = partition << ROW_SHIFT;
    int segmentBits = Long.bitCount(rows[row + MASK]);
    return new Shape(segmentBits, rows[row + SPAN] >>> segmentBits);
  }

  /**
   * The segments of one partition of a binary fuse filter. Pure; used by the builder and the codec.
   *
   * @param segmentBits binary logarithm of the slots of a segment
   * @param segments in which a key's first slot may lie; two more follow
   */
  record Shape(int segmentBits, long segments) {

    /** Slots a key, where keys are many, and what the ratio grows by where they are few. */
    private static final double SLOTS_PER_KEY = 1.125;

    private static final double RATIO_BASE = 0.875;
    private static final double RATIO_GROWTH = 0.25;
    private static final double MANY_KEYS = 1_000_000;

    /** Segment length as a power of the number of keys. */
    private static final double LENGTH_ROOT = 3.33;

    private static final double LENGTH_OFFSET = 2.25;

    /**
     * The shape for distinct keys, with the constants that Graf and Lemire found by experiment
     * (2022, section 4).
     *
     * @param keys at least 1
     */
    static Shape of(int keys) {
      double length = Math.floor(Math.log(keys) / Math.log(LENGTH_ROOT) + LENGTH_OFFSET);
      int bits = (int) Math.min(length, FusePartitions.MAX_SEGMENT_BITS);
      double ratio =
          keys == 1
              ? SLOTS_PER_KEY
              : Math.max(
                  SLOTS_PER_KEY, RATIO_BASE + RATIO_GROWTH * Math.log(MANY_KEYS) / Math.log(keys));
      long all = Math.ceilDiv(Math.round(keys * ratio), 1L << bits);
      return new Shape(bits, Math.max(1, all - (FusePartitions.ARITY - 1)));
    }

    /**
     * The shape for an attempt after failures. Where a segment length has just doubled, the
     * constants give too few segments for any seed to succeed (11,511 keys are such a number); one
     * more was enough in every case that was tried.
     */
    Shape widened() {
      return new Shape(segmentBits, segments + 1);
    }

    /** All slots. */
    int slots() {
      return Math.toIntExact((segments + FusePartitions.ARITY - 1) << segmentBits);
    }
  }
}
