package io.bloomgate.blocklists.index;

import java.util.BitSet;

/**
 * Feed and line of each entry by the number of its arrival: 4 octets an entry, since feeds arrive
 * one after the other. Used by {@link NetworkIndexBuilder}; one thread.
 */
final class Arrivals {

  private final IntList lines = new IntList();

  /** Number of arrivals before each feed. */
  private final IntList feedStarts = new IntList();

  private int maxLine;

  /**
   * Notes an entry and tells its number.
   *
   * @param feed never lower than that of an earlier entry
   */
  int add(int feed, int line) {
    if (feed < feedStarts.size() - 1 || feed >= Words.MAX_FEEDS) {
      throw new IllegalArgumentException("feed number " + feed + " out of order");
    }
    while (feedStarts.size() <= feed) {
      feedStarts.add(lines.size());
    }
    maxLine = Math.max(maxLine, line);
    lines.add(line);
    return lines.size() - 1;
  }

  int feeds() {
    return feedStarts.size();
  }

  int maxLine() {
    return maxLine;
  }

  int line(int arrival) {
    return lines.get(arrival);
  }

  /** The feed whose arrivals include this one: the last that starts at or before it. */
  int feed(int arrival) {
    int low = 0;
    int high = feedStarts.size();
    while (high - low > 1) {
      int middle = (low + high) >>> 1;
      if (feedStarts.get(middle) <= arrival) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return low;
  }

  int size() {
    return lines.size();
  }

  /** Keeps only these arrivals and gives them new numbers. */
  void keep(Ranks kept) {
    int next = 0;
    for (int arrival = kept.next(0); arrival >= 0; arrival = kept.next(arrival + 1)) {
      lines.set(next++, lines.get(arrival));
    }
    for (int feed = 0; feed < feedStarts.size(); feed++) {
      feedStarts.set(feed, kept.below(feedStarts.get(feed)));
    }
    lines.truncate(next);
  }

  /** Forgets all and frees the memory. */
  void clear() {
    lines.clear();
    feedStarts.clear();
  }

  /**
   * A set of numbers that tells how many are below another: 1.5 bits a number. Used by {@link
   * NetworkIndexBuilder}; one thread.
   */
  static final class Ranks {

    private final BitSet members;
    private final long[] words;

    /** The number of members below each word. */
    private final int[] before;

    /** The ranks of a set that does not change any more. */
    Ranks(BitSet members) {
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
}
