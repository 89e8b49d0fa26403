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
}
