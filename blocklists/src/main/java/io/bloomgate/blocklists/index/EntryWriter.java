package io.bloomgate.blocklists.index;

import io.bloomgate.blocklists.file.PagedFileWriter;
import java.io.IOException;
import java.util.List;

/**
 * Writes the values of networks and behind them the postings that they point to, as {@link
 * EntryCode} says. Used by the builder of one file, on one thread.
 */
final class EntryWriter {

  private static final int ROWS_AHEAD = 256;

  private final PagedFileWriter out;
  private final Arrivals arrivals;
  private final EntryCode code;
  private long nextPosting;

  /** Lines of the rows from {@code aheadFrom} on. */
  private final int[] ahead = new int[ROWS_AHEAD];

  private int aheadFrom;
  private int aheadTo;

  EntryWriter(PagedFileWriter out, Arrivals arrivals, EntryCode code) {
    this.out = out;
    this.arrivals = arrivals;
    this.code = code;
  }

  /** True when one network's rows are a lone listing, which needs no posting. */
  private static boolean single(NetworkRows rows, int from, int to) {
    return to - from == 1 && !rows.exception(from);
  }

  /** The number of postings that the rows need. */
  static long postings(NetworkRows rows) throws IOException {
    long[] count = new long[1];
    rows.forEachNetwork((from, to) -> count[0] += single(rows, from, to) ? 0 : to - from);
    return count[0];
  }

  /** Writes a value for each network and tells where they begin. */
  long values(NetworkRows rows) throws IOException {
    long at = out.position();
    aheadTo = 0;
    rows.forEachNetwork((from, to) -> {
      long value;
      if (single(rows, from, to)) {
        int arrival = rows.arrival(from);
        value = code.single(arrivals.feed(arrival), line(rows, from));
      } else {
        value = code.run(nextPosting);
        nextPosting += to - from;
      }
      put(value, code.valueOctets());
    });
    out.putLong(0);
    return at;
  }

  /** The line of a row. They lie far apart, so several are read at once: then the waits overlap. */
  private int line(NetworkRows rows, int row) {
    if (row >= aheadTo) {
      aheadFrom = row;
      aheadTo = Math.min(rows.size(), row + ROWS_AHEAD);
      for (int i = row; i < aheadTo; i++) {
        ahead[i - row] = arrivals.line(rows.arrival(i));
      }
    }
    return ahead[row - aheadFrom];
  }

  /** Writes the postings of rows, in the order in which their values were written. */
  long postings(List<? extends NetworkRows> all) throws IOException {
    long at = out.position();
    for (NetworkRows rows : all) {
      rows.forEachNetwork((from, to) -> {
        if (!single(rows, from, to)) {
          run(rows, from, to);
        }
      });
    }
    out.putLong(0);
    return at;
  }

  private void run(NetworkRows rows, int from, int to) throws IOException {
    for (int row = from; row < to; row++) {
      int arrival = rows.arrival(row);
      long posting =
          code.posting(
              arrivals.feed(arrival), arrivals.line(arrival), rows.exception(row), row == to - 1);
      put(posting, code.postingOctets());
    }
  }

  private void put(long value, int octets) throws IOException {
    long rest = value;
    if ((octets & Integer.BYTES) != 0) {
      out.putInt((int) rest);
      rest >>>= Integer.SIZE;
    }
    if ((octets & Short.BYTES) != 0) {
      out.putShort((int) rest);
      rest >>>= Short.SIZE;
    }
    if ((octets & Byte.BYTES) != 0) {
      out.putByte((int) rest);
    }
  }
}
