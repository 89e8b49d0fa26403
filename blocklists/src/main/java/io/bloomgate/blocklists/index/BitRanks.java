package io.bloomgate.blocklists.index;

import java.util.BitSet;

/**
 * A set of numbers that tells how many are below another: 1.5 bits a number. Used by {@link
 * NetworkIndexBuilder}; one thread.
 */
final class BitRanks {

  private final BitSet members;
  private final long[] words;

  /** The number of members below each word. */
  private final int[] before;

  /** The ranks of a set that does not change any more. */
  BitRanks(BitSet members) {
    this.members = members;
    this.words = members.toLongArray();
    this.before = new int[words.length + 1];
    for (int word = 0; word < words.length; word++) {
      before[word + 1] = before[word] + Long.bitCount(words[word]);
    }
  }

  /** The number of members that are less than a number. */
  int below(int number) {
    int word = number >>> 6;
    return word >= words.length
        ? before[words.length]
        : before[word] + Long.bitCount(words[word] & ((1L << number) - 1));
  }

  /** The first member that is not less than a number, or -1. */
  int next(int number) {
    return members.nextSetBit(number);
  }
}
