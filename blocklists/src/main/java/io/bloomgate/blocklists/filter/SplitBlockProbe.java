package io.bloomgate.blocklists.filter;

import jdk.incubator.vector.LongVector;

/**
 * How a line of a {@link SplitBlockFilter} is tested. All ways give the same answers; which one
 * serves is chosen once, when the filter's class is loaded. Called by sessions on any thread;
 * stateless.
 */
public interface SplitBlockProbe {

  /** As {@link SplitBlockFilter#instructions} tells it. */
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
      return new SplitBlockScalarProbe();
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
        return new SplitBlockVector512Probe();
      }
      return bits == 256 ? new SplitBlockVector256Probe() : new SplitBlockScalarProbe();
    }
  }
}
