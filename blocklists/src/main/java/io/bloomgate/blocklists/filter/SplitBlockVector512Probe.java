package io.bloomgate.blocklists.filter;

import jdk.incubator.vector.LongVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/**
 * Tests the eight lanes of a line at once, in one register of 512 bits. Loaded only where the
 * module {@code jdk.incubator.vector} is. Stateless; allocates nothing once it is compiled.
 */
final class SplitBlockVector512Probe implements SplitBlockProbe {

  private static final VectorSpecies<Long> LINE = LongVector.SPECIES_512;

  private static final LongVector SALTS = LongVector.fromArray(LINE, SplitBlockFilter.salts(), 0);

  private static final LongVector ONE = LongVector.broadcast(LINE, 1);

  @Override
  public String word() {
    return "vector-512";
  }

  @Override
  public int probe(long[] words, int at, long hash) {
    LongVector numbers =
        SALTS.mul(hash).lanewise(VectorOperators.LSHR, SplitBlockFilter.LANE_SHIFT);
    LongVector bits = ONE.lanewise(VectorOperators.LSHL, numbers);
    LongVector found = LongVector.fromArray(LINE, words, at).and(bits);
    long missing = found.compare(VectorOperators.EQ, 0).toLong();
    // Negative, with the upper bit set, only when no lane misses its bit.
    return (int) ((missing - 1) >>> (Long.SIZE - 1));
  }
}
