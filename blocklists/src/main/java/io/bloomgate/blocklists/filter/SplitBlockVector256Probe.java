package io.bloomgate.blocklists.filter;

import jdk.incubator.vector.LongVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/**
 * Tests a line as two halves of four lanes, for processors whose registers have 256 bits. Loaded
 * only where the module {@code jdk.incubator.vector} is. Stateless; allocates nothing once it is
 * compiled.
 */
final class SplitBlockVector256Probe implements SplitBlockProbe {

  private static final VectorSpecies<Long> HALF = LongVector.SPECIES_256;

  private static final LongVector LOW_SALTS =
      LongVector.fromArray(HALF, SplitBlockFilter.salts(), 0);

  private static final LongVector HIGH_SALTS =
      LongVector.fromArray(HALF, SplitBlockFilter.salts(), HALF.length());

  private static final LongVector ONE = LongVector.broadcast(HALF, 1);

  @Override
  public String word() {
    return "vector-256";
  }

  @Override
  public int probe(long[] words, int at, long hash) {
    LongVector low = LongVector.fromArray(HALF, words, at);
    LongVector high = LongVector.fromArray(HALF, words, at + HALF.length());
    LongVector missing =
        low.not().and(bits(LOW_SALTS, hash)).or(high.not().and(bits(HIGH_SALTS, hash)));
    long lanes = missing.compare(VectorOperators.NE, 0).toLong();
    // Negative, with the upper bit set, only when no lane misses its bit.
    return (int) ((lanes - 1) >>> (Long.SIZE - 1));
  }

  private static LongVector bits(LongVector salts, long hash) {
    LongVector numbers =
        salts.mul(hash).lanewise(VectorOperators.LSHR, SplitBlockFilter.LANE_SHIFT);
    return ONE.lanewise(VectorOperators.LSHL, numbers);
  }
}
