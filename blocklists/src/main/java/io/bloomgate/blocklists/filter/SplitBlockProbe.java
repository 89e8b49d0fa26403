package io.bloomgate.blocklists.filter;

/**
 * How a line of a {@link SplitBlockFilter} is tested. The twins give the same answers; which one
 * serves is chosen once, when the filter's class is loaded. Called by sessions on any thread;
 * stateless.
 */
interface SplitBlockProbe {

  /** As {@link SplitBlockFilter#instructions} tells it. */
  String word();

  /**
   * 1 when the line holds all bits of the hash, else 0; without a branch on either.
   *
   * @param at index of the line's first word
   */
  int probe(long[] words, int at, long hash);

  /**
   * The vector twin where the module is there and the processor has registers for it, else the
   * scalar one. The module is there only when the command line of Java asked for it ({@code
   * --add-modules}): no class that needs it is touched before that is known.
   */
  static SplitBlockProbe fastest() {
    if (ModuleLayer.boot().findModule("jdk.incubator.vector").isEmpty()) {
      return new SplitBlockScalarProbe();
    }
    return switch (SplitBlockVectorProbe.preferredBits()) {
      case 512 -> new SplitBlockVectorProbe();
      default -> new SplitBlockScalarProbe();
    };
  }
}
