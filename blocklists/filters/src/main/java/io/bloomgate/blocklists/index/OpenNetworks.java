package io.bloomgate.blocklists.index;

/**
 * The networks around a place while sorted networks are walked once, and whether a listing counts
 * there that no exception of its feed voids. Used by {@link NetworkTree.Writer} and {@link
 * HostTable.Writer}; one thread.
 */
final class OpenNetworks {

  /** Nested networks of different length, at most: /0 to /128. */
  private static final int MAX_DEPTH = 129;

  private final NetworkRows rows;
  private final Arrivals arrivals;
  private final int[] numbers = new int[MAX_DEPTH];
  private final int[] starts = new int[MAX_DEPTH];
  private final int[] ends = new int[MAX_DEPTH];
  private int depth;
  private int nextRow;
  private int nextNumber;

  /** Open listings and exceptions by feed. */
  private final int[] listings;

  private final int[] exceptions;

  /** Feeds with an open listing and no open exception. */
  private int standing;

  OpenNetworks(NetworkRows rows, Arrivals arrivals) {
    this.rows = rows;
    this.arrivals = arrivals;
    this.listings = new int[arrivals.feeds()];
    this.exceptions = new int[arrivals.feeds()];
  }

  boolean hasNext() {
    return nextRow < rows.size();
  }

  /** Opens the next network and tells the number of the nearest one around it, or -1. */
  int openNext() {
    closeBeside(rows.first(nextRow), rows.second(nextRow));
    int around = depth == 0 ? -1 : numbers[depth - 1];
    int end = rows.end(nextRow);
    count(rows, nextRow, end, 1);
    numbers[depth] = nextNumber++;
    starts[depth] = nextRow;
    ends[depth++] = end;
    nextRow = end;
    return around;
  }

  /** Moves on to an address, so that exactly the networks around it are open. */
  void moveTo(long first, long second) {
    while (hasNext() && compare(nextRow, first, second) <= 0) {
      openNext();
    }
    closeBeside(first, second);
  }

  private int compare(int row, long first, long second) {
    int byFirst = Long.compareUnsigned(rows.first(row), first);
    return byFirst != 0 ? byFirst : Long.compareUnsigned(rows.second(row), second);
  }

  private void closeBeside(long first, long second) {
    while (depth > 0 && !rows.contains(starts[depth - 1], first, second)) {
      depth--;
      count(rows, starts[depth], ends[depth], -1);
    }
  }

  /** True when a listing of an open network counts. */
  boolean standing() {
    return standing > 0;
  }

  /** The same as if one more network were open: these rows of {@code others}. */
  boolean standingWith(NetworkRows others, int from, int to) {
    count(others, from, to, 1);
    boolean stands = standing();
    count(others, from, to, -1);
    return stands;
  }

  private void count(NetworkRows of, int from, int to, int step) {
    for (int row = from; row < to; row++) {
      int feed = arrivals.feed(of.arrival(row));
      standing -= stands(feed);
      (of.exception(row) ? exceptions : listings)[feed] += step;
      standing += stands(feed);
    }
  }

  private int stands(int feed) {
    return listings[feed] > 0 && exceptions[feed] == 0 ? 1 : 0;
  }
}
