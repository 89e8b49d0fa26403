package io.bloomgate.blocklists.filter;

import jdk.incubator.vector.LongVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/**
 * A way to test a line of a {@link SplitBlockFilter}. All ways give the same answers; which one
 * serves is chosen once, when the filter's class is loaded. Called by sessions on any thread;
 * stateless.
 */
public interface SplitBlockProbe {

  /** The name of the way, see {@link SplitBlockFilter#instructions}. */
  String word();

  /**
   * 1 when the line holds all bits of the hash, else 0; without a branch on either.
   *
   * @param at index of the line's first word
   */
  int probe(long[] words, int at, long hash);

  /**
   * A vector way where the module is there and the processor has registers for it, else the scalar
   * one. The module is there only when the command line of Java asked for it ({@code
   * --add-modules}): no class that needs it is touched before that is known.
   */
  static SplitBlockProbe fastest() {
    if (ModuleLayer.boot().findModule("jdk.incubator.vector").isEmpty()) {
      return new Scalar();
    }
    return VectorRegisters.probe();
  }

  /** Loaded only where the module is. */
  final class VectorRegisters {

    private VectorRegisters() {}

    /** The JVM compiles vectors up to its preferred size; wider ones it would run boxed. */
    static SplitBlockProbe probe() {
      int bits = LongVector.SPECIES_PREFERRED.vectorBitSize();
      if (bits >= 512) {
        return new Vector512();
      }
      return bits == 256 ? new Vector256() : new Scalar();
    }
  }

  /** Tests a line lane by lane: runs everywhere. Stateless. */
  final class Scalar implements SplitBlockProbe {

    @Override
    public String word() {
      return "scalar";
    }

    @Override
    public int probe(long[] words, int at, long hash) {
      long all =
          (words[at] >>> ((hash * SplitBlockFilter.SALT_0) >>> SplitBlockFilter.LANE_SHIFT))
              & (words[at + 1]
                  >>> ((hash * SplitBlockFilter.SALT_1) >>> SplitBlockFilter.LANE_SHIFT))
              & (words[at + 2]
                  >>> ((hash * SplitBlockFilter.SALT_2) >>> SplitBlockFilter.LANE_SHIFT))
              & (words[at + 3]
                  >>> ((hash * SplitBlockFilter.SALT_3) >>> SplitBlockFilter.LANE_SHIFT))
              & (words[at + 4]
                  >>> ((hash * SplitBlockFilter.SALT_4) >>> SplitBlockFilter.LANE_SHIFT))
              & (words[at + 5]
                  >>> ((hash * SplitBlockFilter.SALT_5) >>> SplitBlockFilter.LANE_SHIFT))
              & (words[at + 6]
                  >>> ((hash * SplitBlockFilter.SALT_6) >>> SplitBlockFilter.LANE_SHIFT))
              & (words[at + 7]
                  >>> ((hash * SplitBlockFilter.SALT_7) >>> SplitBlockFilter.LANE_SHIFT));
      return (int) all & 1;
    }
  }

  /**
   * Tests a line as two halves of four lanes, for processors whose registers have 256 bits. Loaded
   * only where the module {@code jdk.incubator.vector} is. Stateless; allocates nothing once it is
   * compiled.
   */
  final class Vector256 implements SplitBlockProbe {

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

  /**
   * Tests the eight lanes of a line at once, in one register of 512 bits. Loaded only where the
   * module {@code jdk.incubator.vector} is. Stateless; allocates nothing once it is compiled.
   */
  final class Vector512 implements SplitBlockProbe {

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
}
