package io.bloomgate.blocklists.index;

import io.bloomgate.blocklists.file.Longs;
import java.io.IOException;

/**
 * Networks of one family while an index is built, a row for each entry. Rows arrive in feed order,
 * so sorting by network and arrival also sorts by feed, and the first of equal rows is the first
 * line of a feed. One thread.
 */
sealed interface NetworkRows {

  /** The bits of the arrival in a row that is packed into a word. */
  long ARRIVAL = 0xffff_fffeL;

  /** Takes the rows {@code from} to {@code to} (exclusive), which hold one network. */
  @FunctionalInterface
  interface Sink {
    void accept(int from, int to) throws IOException;
  }

  int size();

  /** Orders the rows by first address, length (wide before narrow) and arrival. */
  void sort();

  /** The network as {@link Words#first} tells it. */
  long first(int row);

  /** The network as {@link Words#second} tells it. */
  long second(int row);

  int length(int row);

  /** Number of the entry among all that arrived. */
  int arrival(int row);

  boolean exception(int row);

  /** Replaces row {@code to} by row {@code from}. */
  void move(int from, int to);

  /** Gives row {@code row} another arrival. */
  void renumber(int row, int arrival);

  /** Drops all rows from {@code size} on. */
  void truncate(int size);

  /** True when two rows hold the same network. */
  default boolean same(int left, int right) {
    return first(left) == first(right)
        && second(left) == second(right)
        && length(left) == length(right);
  }

  /** True when the network of a row holds an address. */
  default boolean contains(int row, long first, long second) {
    int length = length(row);
    return ((first(row) ^ first) & Words.leading(length)) == 0
        && ((second(row) ^ second) & Words.leading(length - Long.SIZE)) == 0;
  }

  /** The row behind those that hold the network of row {@code from}; the rows are sorted. */
  default int end(int from) {
    int to = from + 1;
    while (to < size() && same(from, to)) {
      to++;
    }
    return to;
  }

  default boolean anyException() {
    for (int row = 0; row < size(); row++) {
      if (exception(row)) {
        return true;
      }
    }
    return false;
  }

  /** Tells the networks in order; the rows are sorted. */
  default void forEachNetwork(Sink sink) throws IOException {
    for (int from = 0; from < size(); ) {
      int to = end(from);
      sink.accept(from, to);
      from = to;
    }
  }

  /** IPv4 hosts, 8 octets each: 32 bits of address, 31 of arrival, the exception mark. */
  final class Hosts implements NetworkRows {
    private final Longs packed = new Longs();

    void add(long first, int arrival, boolean exception) {
      packed.add(first | (long) arrival << 1 | (exception ? 1 : 0));
    }

    /** Gives all rows to {@code others}. */
    void moveTo(Networks others) {
      for (int row = 0; row < size(); row++) {
        others.add(first(row), 0, Integer.SIZE, arrival(row), exception(row));
      }
      truncate(0);
    }

    @Override
    public int size() {
      return packed.size();
    }

    @Override
    public void sort() {
      packed.sort();
    }

    @Override
    public long first(int row) {
      return packed.get(row) & Words.leading(Integer.SIZE);
    }

    @Override
    public long second(int row) {
      return 0;
    }

    @Override
    public int length(int row) {
      return Integer.SIZE;
    }

    @Override
    public int arrival(int row) {
      return (int) packed.get(row) >>> 1;
    }

    @Override
    public boolean exception(int row) {
      return (packed.get(row) & 1) != 0;
    }

    @Override
    public void move(int from, int to) {
      packed.set(to, packed.get(from));
    }

    @Override
    public void renumber(int row, int arrival) {
      packed.set(row, (packed.get(row) & ~ARRIVAL) | (long) arrival << 1);
    }

    @Override
    public void truncate(int size) {
      packed.truncate(size);
    }
  }

  /** Networks of any length: 16 octets a row in IPv4, 24 in IPv6, and 8 more while sorting. */
  final class Networks implements NetworkRows {
    private static final int LENGTH_SHIFT = 32;

    private final Longs firsts = new Longs();
    private final Longs seconds = new Longs();

    /** Length, 31 bits of arrival and the exception mark: in this order they sort. */
    private final Longs details = new Longs();

    private final boolean twoWords;

    Networks(boolean isV4) {
      this.twoWords = !isV4;
    }

    void add(long first, long second, int length, int arrival, boolean exception) {
      firsts.add(first);
      if (twoWords) {
        seconds.add(second);
      }
      details.add((long) length << LENGTH_SHIFT | (long) arrival << 1 | (exception ? 1 : 0));
    }

    @Override
    public int size() {
      return details.size();
    }

    @Override
    public void sort() {
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
    public long first(int row) {
      return firsts.get(row);
    }

    @Override
    public long second(int row) {
      return twoWords ? seconds.get(row) : 0;
    }

    @Override
    public int length(int row) {
      return (int) (details.get(row) >>> LENGTH_SHIFT);
    }

    @Override
    public int arrival(int row) {
      return (int) details.get(row) >>> 1;
    }

    @Override
    public boolean exception(int row) {
      return (details.get(row) & 1) != 0;
    }

    @Override
    public void move(int from, int to) {
      put(to, first(from), second(from), details.get(from));
    }

    @Override
    public void renumber(int row, int arrival) {
      details.set(row, (details.get(row) & ~ARRIVAL) | (long) arrival << 1);
    }

    @Override
    public void truncate(int size) {
      firsts.truncate(size);
      if (twoWords) {
        seconds.truncate(size);
      }
      details.truncate(size);
    }
  }
}
