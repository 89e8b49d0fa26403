package io.bloomgate.blocklists.index;

/**
 * The networks of one family and prefix length while an index is built: a network and the number of
 * its arrival for each row. Rows arrive in feed order, so sorting by network and arrival also sorts
 * by feed, and the first of equal rows is the first line of a feed. One thread.
 */
sealed interface NetworkRows {

  /** Appends a network, given as {@link Words#first} and {@link Words#second}. */
  void add(long first, long second, int arrival);

  int size();

  /** Orders the rows by network as an unsigned number, equal ones by arrival. */
  void sort();

  long first(int row);

  long second(int row);

  int arrival(int row);

  /** Puts row {@code from} where row {@code to} stands. */
  void move(int from, int to);

  /** Drops all rows from {@code size} on. */
  void truncate(int size);

  /** True when two rows hold the same network. */
  default boolean same(int left, int right) {
    return first(left) == first(right) && second(left) == second(right);
  }

  /** Up to 32 bits of network beside 31 bits of arrival in one long: 8 octets a row. */
  final class Narrow implements NetworkRows {
    private static final long UPPER = 0xffff_ffff_0000_0000L;

    /** Network with its sign flipped, so that signed order is the order of addresses. */
    private final LongList packed = new LongList();

    @Override
    public void add(long first, long second, int arrival) {
      packed.add((first ^ Long.MIN_VALUE) | arrival);
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
      return (packed.get(row) ^ Long.MIN_VALUE) & UPPER;
    }

    @Override
    public long second(int row) {
      return 0;
    }

    @Override
    public int arrival(int row) {
      return (int) packed.get(row);
    }

    @Override
    public void move(int from, int to) {
      packed.set(to, packed.get(from));
    }

    @Override
    public void truncate(int size) {
      packed.truncate(size);
    }
  }

  /** Longer networks, in columns with an order of their own: 12 to 28 octets a row. */
  final class Wide implements NetworkRows {
    private final LongList firsts = new LongList();
    private final LongList seconds = new LongList();
    private final IntList arrivals = new IntList();
    private final boolean twoWords;
    private int[] order = {};
    private int size;

    Wide(boolean twoWords) {
      this.twoWords = twoWords;
    }

    @Override
    public void add(long first, long second, int arrival) {
      firsts.add(first);
      if (twoWords) {
        seconds.add(second);
      }
      arrivals.add(arrival);
      size++;
    }

    @Override
    public int size() {
      return size;
    }

    @Override
    public void sort() {
      order = IntOrder.sorted(size, this::compare);
    }

    private int compare(int left, int right) {
      int byFirst = Long.compareUnsigned(firsts.get(left), firsts.get(right));
      return byFirst != 0 || !twoWords
          ? byFirst
          : Long.compareUnsigned(seconds.get(left), seconds.get(right));
    }

    @Override
    public long first(int row) {
      return firsts.get(order[row]);
    }

    @Override
    public long second(int row) {
      return twoWords ? seconds.get(order[row]) : 0;
    }

    @Override
    public int arrival(int row) {
      return arrivals.get(order[row]);
    }

    @Override
    public void move(int from, int to) {
      order[to] = order[from];
    }

    @Override
    public void truncate(int newSize) {
      size = newSize;
    }
  }
}
