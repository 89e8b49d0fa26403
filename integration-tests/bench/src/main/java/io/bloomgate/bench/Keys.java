package io.bloomgate.bench;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.util.List;

/**
 * Keys to list and keys to ask, the same in every run. Key {@code i} is a function of {@code i}
 * alone and no two are equal, so that an absent key is known to be absent. Pure.
 */
final class Keys {

  /** Numbers from here on are never listed. */
  static final long FIRST_ABSENT = 1L << 29;

  /** Queries that are asked in rotation; together they touch every line of the filters here. */
  static final int QUERIES = 1 << 21;

  /** Queries by name, which are larger than hashes. */
  static final int NAME_QUERIES = 1 << 18;

  private static final List<String> WORDS =
      List.of(
          "mail", "shop", "news", "deal", "web", "cloud", "data", "my", "smart", "home", "tech",
          "bank", "line", "pay", "best", "fast");
  private static final List<String> SUFFIXES =
      List.of(".com", ".net", ".org", ".info", ".co.uk", ".top", ".ru", ".xyz");

  private static final int HOST_BITS = 30;
  private static final int HOST_MASK = (1 << HOST_BITS) - 1;

  /** What the queries are. */
  enum Asked {
    MISS,
    HIT,
    /** Either by the toss of a coin, so that no branch can be foreseen. */
    MIX
  }

  private Keys() {}

  /** SplitMix64's output function: a bijection of 64 bits. */
  static long mix(long number) {
    long z = number + 0x9e3779b97f4a7c15L;
    z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
    z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
    return z ^ (z >>> 31);
  }

  /** The hashes 0 to {@code count - 1}. */
  static long[] hashes(int count) {
    long[] hashes = new long[count];
    for (int i = 0; i < count; i++) {
      hashes[i] = mix(i);
    }
    return hashes;
  }

  /** Hashes to ask a set of {@code listed}. */
  static long[] hashQueries(int listed, Asked asked) {
    long[] queries = new long[QUERIES];
    for (int i = 0; i < queries.length; i++) {
      queries[i] = mix(number(listed, asked, i));
    }
    return queries;
  }

  /** Number of the key of the query at a position. */
  static long number(int listed, Asked asked, int position) {
    long random = mix(~(long) position);
    boolean hit =
        switch (asked) {
          case HIT -> true;
          case MISS -> false;
          case MIX -> (random & 1) == 0;
        };
    return hit ? Long.remainderUnsigned(mix(random), listed) : FIRST_ABSENT + position;
  }

  /** A name of 8 to 30 octets; no two numbers below 2^40 have the same. */
  static byte[] name(long number) {
    long random = mix(number);
    StringBuilder text = new StringBuilder(32);
    for (int left = (int) (random & 3); left > 0; left--) {
      text.append(WORDS.get((int) (random >>> (4 * left)) & 15));
    }
    if ((random & (1 << 20)) != 0) {
      text.append('-');
    }
    // The digit in front keeps the number apart from the words and its length near five.
    text.append('0').append(Long.toString(number, Character.MAX_RADIX));
    return text.append(SUFFIXES.get((int) (random >>> 32) & 7)).toString().getBytes(ISO_8859_1);
  }

  /** Names to ask a set of {@code listed}. */
  static byte[][] nameQueries(int listed, Asked asked) {
    byte[][] queries = new byte[NAME_QUERIES][];
    for (int i = 0; i < queries.length; i++) {
      queries[i] = name(number(listed, asked, i));
    }
    return queries;
  }

  /**
   * IPv4 hosts as blocklists have them, crowded: they fall on a quarter of all /16 networks. No two
   * numbers below 2^30 give the same.
   */
  static int host(long number) {
    int x = (int) number & HOST_MASK;
    for (int round = 0; round < 3; round++) {
      x = (x * 0x2c1b3c6d) & HOST_MASK; // odd, so a bijection of the low 30 bits
      x ^= x >>> (HOST_BITS / 2);
    }
    return ((x >>> 16) << 18) | (x & 0xffff);
  }

  /** The hosts 0 to {@code count - 1}. */
  static int[] hosts(int count) {
    int[] hosts = new int[count];
    for (int i = 0; i < count; i++) {
      hosts[i] = host(i);
    }
    return hosts;
  }

  /** Hosts to ask; half of the absent ones lie in a /16 that has listed ones. */
  static int[] hostQueries(int listed, Asked asked) {
    int[] queries = new int[QUERIES];
    for (int i = 0; i < queries.length; i++) {
      long number = number(listed, asked, i);
      boolean elsewhere = number >= FIRST_ABSENT && (i & 1) == 0;
      queries[i] = host(number) | (elsewhere ? 0x10000 : 0);
    }
    return queries;
  }
}
