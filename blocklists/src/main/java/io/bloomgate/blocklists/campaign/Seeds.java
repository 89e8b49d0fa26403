package io.bloomgate.blocklists.campaign;

/**
 * Any number of seeds out of one: the numbers of SplitMix64 (Steele, Lea and Flood, "Fast
 * splittable pseudorandom number generators", 2014), in any order. Used where hashes are made.
 * Pure, any thread.
 */
final class Seeds {

  private static final long STEP = 0x9e37_79b9_7f4a_7c15L;

  private Seeds() {}

  /**
   * One of the seeds.
   *
   * @param number from 1 on; different numbers of one seed never give the same
   */
  static long of(long seed, long number) {
    long bits = seed + number * STEP;
    bits = (bits ^ bits >>> 30) * 0xbf58_476d_1ce4_e5b9L;
    bits = (bits ^ bits >>> 27) * 0x94d0_49bb_1331_11ebL;
    return bits ^ bits >>> 31;
  }
}
