package io.bloomgate.blocklists.filter;

/**
 * Binary fuse filter with 16-bit fingerprints; see {@link FuseFilter}. Asked by sessions on any
 * thread; immutable.
 */
public final class Fuse16Filter implements FuseFilter {

  private static final int FINGERPRINT = 0xffff;

  private final short[] slots;
  private final FusePartitions partitions;
  private final long[] rows;
  private final int bits;
  private final FilterShape shape;

  /**
   * Takes the array over; called by {@link FuseSlots} and {@link FuseCodec}.
   *
   * @param slots at least {@link FusePartitions#ARITY} of them
   */
  Fuse16Filter(short[] slots, FusePartitions partitions, FilterShape shape) {
    this.slots = slots;
    this.partitions = partitions;
    this.rows = partitions.rows();
    this.bits = partitions.bits();
    this.shape = shape;
  }

  @Override
  public int probe(long hash) {
    long[] t = rows;
    short[] s = slots;
    int row = FusePartitions.number(hash, bits) << FusePartitions.ROW_SHIFT;
    long mixed = FusePartitions.mix(hash + t[row + FusePartitions.SEED]);
    int base = (int) t[row + FusePartitions.BASE];
    int none = (int) (t[row + FusePartitions.BASE] >>> FusePartitions.NONE_SHIFT);
    int mask = (int) t[row + FusePartitions.MASK];
    int first = FusePartitions.first(mixed, t[row + FusePartitions.SPAN]);
    int difference =
        FusePartitions.fingerprint(mixed)
            ^ s[base + first]
            ^ s[base + FusePartitions.second(first, mixed, mask)]
            ^ s[base + FusePartitions.third(first, mixed, mask)];
    // Only 0 has a sign below it.
    return (((difference & FINGERPRINT) | none) - 1) >>> (Integer.SIZE - 1);
  }

  @Override
  public FilterShape shape() {
    return shape;
  }

  FusePartitions partitions() {
    return partitions;
  }

  /** The fingerprint in a slot. */
  short slot(int index) {
    return slots[index];
  }
}
