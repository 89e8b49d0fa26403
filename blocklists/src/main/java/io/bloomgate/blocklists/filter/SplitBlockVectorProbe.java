package io.bloomgate.blocklists.filter;

import jdk.incubator.vector.LongVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/**
 * Tests the eight lanes of a line at once, in one register of 512 bits. Loaded only where the
 * module {@code jdk.incubator.vector} is. Stateless; allocates nothing once it is compiled.
 */
final class SplitBlockVectorProbe implements SplitBlockProbe {

  private static final VectorSpecies<Long> LINE = LongVector.SPECIES_512;

  private static final LongVector SALTS =
      LongVector.fromArray(
          LINE,
          new long[] {
            SplitBlockFilter.SALT_0,
            SplitBlockFilter.SALT_1,
            SplitBlockFilter.SALT_2,
            SplitBlockFilter.SALT_3,
            SplitBlockFilter.SALT_4,
            SplitBlockFilter.SALT_5,
            SplitBlockFilter.SALT_6,
            SplitBlockFilter.SALT_7
          },
          0);

  private static final LongVector ONE = LongVector.broadcast(LINE, 1);

  /** Bits of the widest register for which the JVM compiles vectors. */
  static int preferredBits() {
    return LongVector.SPECIES_PREFERRED.vectorBitSize();
  }

  @Override
  public String word() {
    return "vector-512";
  }

  @Override
  public int probe(long[] words, int at, long hash) {
    LongVector lanes = SALTS.mul(hash).lanewise(VectorOperators.LSHR, SplitBlockFilter.LANE_SHIFT);
    LongVector bits = ONE.lanewise(VectorOperators.LSHL, lanes);
    VectorMask<Long> held =
        LongVector.fromArray(LINE, words, at).and(bits).compare(VectorOperators.NE, 0);
    // Eight ones plus one carry into the ninth bit.
    return (int) ((held.toLong() + 1) >>> SplitBlockFilter.LANES);
  }
}
