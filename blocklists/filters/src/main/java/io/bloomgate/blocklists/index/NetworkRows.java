package io.bloomgate.blocklists.index;

import io.bloomgate.blocklists.file.Longs;
import java.io.IOException;

/**
 * Networks of one family while an index is built, a row for each entry. Rows arrive in feed order,
 * so sorting by network and arrival also sorts by feed, and the first of equal rows is the first
 * line of a feed. One thread.
 */
abstract sealed class NetworkRows {

  /** The bits of the arrival in a row that is packed into a word. */
  private static final long ARRIVAL = 0xffff_fffeL;

  /** A word of each row; its lower half has 31 bits of arrival and the exception mark. */
  final Longs details = new Longs();

  /** Takes the rows {@code from} to {@code to} (exclusive), which hold one network. */
  @FunctionalInterface
  interface Sink {
    void accept(int from, int to) throws IOException;
  }

  final int size() {
    return details.size();
  }

  /** Number of the entry among all that arrived. */
  final int arrival(int row) {
    return (int) details.get(row) >>> 1;
  }

  final boolean exception(int row) {
    return (details.get(row) & 1) != 0;
  }

  /** Gives row {@code row} another arrival. */
  final void renumber(int row, int arrival) {
    details.set(row, (details.get(row) & ~ARRIVAL) | (long) arrival << 1);
  }

  private static long detail(int arrival, boolean exception) {
    return (long) arrival << 1 | (exception ? 1 : 0);
  }

  /** Orders the rows by first address, length (wide before narrow) and arrival. */
  abstract void sort();

  /** The network as {@link Words#first} tells it. */
  abstract long first(int row);

  /** The network as {@link Words#second} tells it. */
  abstract long second(int row);

  abstract int length(int row);

  /** Replaces row {@code to} by row {@code from}. */
  abstract void move(int from, int to);

  /** Drops all rows from {@code size} on. */
  abstract void truncate(int size);

  /** True when two rows hold the same network. */
  final boolean same(int left, int right) {
    return first(left) == first(right)
        && second(left) == second(right)
        && length(left) == length(right);
  }

  /** True when the network of a row holds an address. */
  final boolean contains(int row, long first, long second) {
    int length = length(row);
    return ((first(row) ^ first) & Words.leading(length)) == 0
        && ((second(row) ^ second) & Words.leading(length - Long.SIZE)) == 0;
  }

  /** The row behind those that hold the network of row {@code from}; the rows are sorted. */
  final int end(int from) {
    int to = from + 1;
    while (to < size() && same(from, to)) {
      to++;
    }
    return to;
  }

  final boolean anyException() {
    for (int row = 0; row < size(); row++) {
      if (exception(row)) {
        return true;
      }
    }
    return false;
  }

  /** Tells the networks in order; the rows are sorted. */
  final void forEachNetwork(Sink sink) throws IOException {
    for (int from = 0; from < size(); ) {
      int to = end(from);
      sink.accept(from, to);
      from = to;
    }
  }

  /** IPv4 hosts, 8 octets each: the address is in the upper half of the word. */
  static final class Hosts extends NetworkRows {

    void add(long first, int arrival, boolean exception) {
      details.add(first | detail(arrival, exception));
    }

    /** Gives all rows to {@code others}. */
    void moveTo(Networks others) {
      for (int row = 0; row < size(); row++) {
        others.add(first(row), 0, Integer.SIZE, arrival(row), exception(row));
      }
      truncate(0);
    }

    @Override
    void sort() {
      details.sort();
    }

    @Override
    long first(int row) {
      return details.get(row) & Words.leading(Integer.SIZE);
    }

    @Override
    long second(int row) {
      return 0;
    }

    @Override
    int length(int row) {
      return Integer.SIZE;
    }

    @Override
    void move(int from, int to) {
      details.set(to, details.get(from));
    }

    @Override
    void truncate(int size) {
      details.truncate(size);
    }
  }

  /**
   * Networks of any length: 16 octets a row in IPv4, 24 in IPv6, and 8 more while sorting. The
   * length is in the upper half of the word.
   */
  static final class Networks extends NetworkRows {
    private static final int LENGTH_SHIFT = 32;

    private final Longs firsts = new Longs();
    private final Longs seconds = new Longs();

    private final boolean twoWords;

    Networks(boolean isV4) {
      this.twoWords = !isV4;
    }

    void add(long first, long second, int length, int arrival, boolean exception) {
      firsts.add(first);
      if (twoWords) {
        seconds.add(second);
      }
      details.add((long) length << LENGTH_SHIFT | detail(arrival, exception));
    }

    @Override
    void sort() {
      arrange(IntOrder.sorted(size(), this::compare));
    }

    private int compare(int left, int right) {
      int byFirst = Long.compareUnsigned(firsts.get(left), firsts.get(right));
      if (byFirst != 0) {
        return byFirst;
      }
      int bySecond = twoWords ? Long.compareUnsigned(seconds.get(left), seconds.get(right)) : 0;
      return bySecond != 0 ? bySecond : Long.compare(details.get(left), details.get(right));
    }

    /** Moves the row {@code order[i]} to {@code i}, cycle by cycle; {@code order} is used up. */
    private void arrange(int[] order) {
      for (int start = 0; start < order.length; start++) {
        long first = first(start);
        long second = second(start);
        long detail = details.get(start);
        int to = start;
        for (int from = order[to]; from != start && from != to; from = order[to]) {
          move(from, to);
          order[to] = to;
          to = from;
        }
        if (to != start) {
          put(to, first, second, detail);
          order[to] = to;
        }
      }
    }

    private void put(int row, long first, long second, long detail) {
      firsts.set(row, first);
      if (twoWords) {
        seconds.set(row, second);
      }
      details.set(row, detail);
    }

    @Override
    long first(int row) {
      return firsts.get(row);
    }

    @Override
    long second(int row) {
      return twoWords ? seconds.get(row) : 0;
    }

    @Override
    int length(int row) {
      return (int) (details.get(row) >>> LENGTH_SHIFT);
    }

    @Override
    void move(int from, int to) {
      put(to, first(from), second(from), details.get(from));
    }

    @Override
    void truncate(int size) {
      firsts.truncate(size);
      if (twoWords) {
        seconds.truncate(size);
      }
      details.truncate(size);
    }
  }
}
