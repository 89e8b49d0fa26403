package io.bloomgate.blocklists.filter;

/**
 * The output function of SplitMix64 (Steele, Lea and Flood, "Fast Splittable Pseudorandom Number
 * Generators", 2014): a bijection in which every bit of the input moves every bit of the output.
 * Makes a second hash out of a first one. Pure; part of the file format.
 */
public final class SplitMix {

  private SplitMix() {}

  /** The mixture. */
  public static long mix(long value) {
    long z = (value ^ (value >>> 30)) * 0xbf58476d1ce4e5b9L;
    z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
    return z ^ (z >>> 31);
  }

  /**
   * The first step from one place of a key to the next, odd: Bloom filters that test places all
   * over an array go from the hash by steps that grow (Kirsch and Mitzenmacher, "Less Hashing, Same
   * Performance", 2006).
   */
  public static long second(long hash) {
    return mix(hash) | 1;
  }

  /** The amount by which that step grows. */
  public static long growth(long step) {
    return step * 0xd6e8feb86659fd93L;
  }

  /**
   * The places of a hash in an array of bits or of counters.
   *
   * @param count of all places
   */
  public static long[] places(long hash, long count, int hashes) {
    long[] places = new long[hashes];
    long place = hash;
    long step = second(hash);
    long growth = growth(step);
    for (int i = 0; i < hashes; i++) {
      places[i] = Math.unsignedMultiplyHigh(place, count);
      place += step;
      step += growth;
    }
    return places;
  }
}
