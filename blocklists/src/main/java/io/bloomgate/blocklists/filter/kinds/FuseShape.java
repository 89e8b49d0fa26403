package io.bloomgate.blocklists.filter.kinds;

/**
 * The segments of one partition of a binary fuse filter. Pure; used by the builder and the codec.
 *
 * @param segmentBits binary logarithm of the slots of a segment
 * @param segments in which a key's first slot may lie; two more follow
 */
record FuseShape(int segmentBits, long segments) {

  /** Slots a key, where keys are many, and what the ratio grows by where they are few. */
  private static final double SLOTS_PER_KEY = 1.125;

  private static final double RATIO_BASE = 0.875;
  private static final double RATIO_GROWTH = 0.25;
  private static final double MANY_KEYS = 1_000_000;

  /** Segment length as a power of the number of keys. */
  private static final double LENGTH_ROOT = 3.33;

  private static final double LENGTH_OFFSET = 2.25;

  /**
   * The shape for distinct keys, with the constants that Graf and Lemire found by experiment (2022,
   * section 4).
   *
   * @param keys at least 1
   */
  static FuseShape of(int keys) {
    double length = Math.floor(Math.log(keys) / Math.log(LENGTH_ROOT) + LENGTH_OFFSET);
    int bits = (int) Math.min(length, FusePartitions.MAX_SEGMENT_BITS);
    double ratio =
        keys == 1
            ? SLOTS_PER_KEY
            : Math.max(
                SLOTS_PER_KEY, RATIO_BASE + RATIO_GROWTH * Math.log(MANY_KEYS) / Math.log(keys));
    long all = Math.ceilDiv(Math.round(keys * ratio), 1L << bits);
    return new FuseShape(bits, Math.max(1, all - (FusePartitions.ARITY - 1)));
  }

  /**
   * The shape for an attempt after failures. Where a segment length has just doubled, the constants
   * give too few segments for any seed to succeed (11,511 keys are such a number); one more was
   * enough in every case that was tried.
   */
  FuseShape widened() {
    return new FuseShape(segmentBits, segments + 1);
  }

  /** All slots. */
  int slots() {
    return Math.toIntExact((segments + FusePartitions.ARITY - 1) << segmentBits);
  }
}
