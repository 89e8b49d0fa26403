package io.bloomgate.blocklists.index;

import io.bloomgate.blocklists.file.PagedFileWriter;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.OptionalInt;

/**
 * The code for the entries of a network, in as few bits as the largest line and feed need.
 * Immutable.
 *
 * <p>Each network has one value. Nearly all have one listing and no exception: theirs is feed and
 * line. For the others it is the place of a run of postings; a posting is feed and line, a bit for
 * an exception and a bit for the last of its run.
 */
record EntryCode(int lineBits, int feedBits, int valueOctets, int postingOctets) {

  private static final long RUN = 1;
  private static final long LAST = 1;
  private static final long EXCEPTION = 2;

  /** Narrowest code for lines up to {@code maxLine} and these numbers of feeds and postings. */
  static EntryCode of(int maxLine, int feeds, long postings) {
    int lineBits = Words.bitsFor(maxLine + 1L);
    int feedBits = Words.bitsFor(feeds);
    int valueBits = 1 + Math.max(lineBits + feedBits, Words.bitsFor(postings));
    return new EntryCode(
        lineBits,
        feedBits,
        Math.ceilDiv(valueBits, Byte.SIZE),
        Math.ceilDiv(2 + lineBits + feedBits, Byte.SIZE));
  }

  private long pair(int feed, int line) {
    return (long) feed << lineBits | line;
  }

  /** Value of a network with one listing. */
  long single(int feed, int line) {
    return pair(feed, line) << 1;
  }

  /** Value of a network whose postings begin there. */
  long run(long posting) {
    return posting << 1 | RUN;
  }

  static boolean isRun(long value) {
    return (value & RUN) != 0;
  }

  /** The position where the run of a value begins. */
  static long posting(long value) {
    return value >>> 1;
  }

  long posting(int feed, int line, boolean exception, boolean last) {
    return pair(feed, line) << 2 | (exception ? EXCEPTION : 0) | (last ? LAST : 0);
  }

  static boolean isException(long posting) {
    return (posting & EXCEPTION) != 0;
  }

  static boolean isLast(long posting) {
    return (posting & LAST) != 0;
  }

  /** The posting that a value without a run stands for. */
  static long asPosting(long value) {
    return value << 1 | LAST;
  }

  int feed(long posting) {
    return (int) (posting >>> 2 >>> lineBits);
  }

  int line(long posting) {
    return (int) (posting >>> 2 & ~(-1L << lineBits));
  }

  /**
   * Reads what {@link Writer} wrote: the entries behind the value of a network. Read by sessions on
   * any thread; immutable.
   */
  static final class Reader {

    /** Takes an entry. */
    @FunctionalInterface
    interface Sink {
      void accept(int feed, int line, boolean exception);
    }

    private final MemorySegment body;
    private final EntryCode code;
    private final long postings;
    private final long count;

    /**
     * Reads a run of postings in a file.
     *
     * @param postings where they begin
     * @param count how many there are
     */
    Reader(MemorySegment body, EntryCode code, long postings, long count) {
      this.body = body;
      this.code = code;
      this.postings = postings;
      this.count = count;
    }

    /** A value of the section that begins at {@code values}. */
    long value(long values, long index) {
      return number(values, index, code.valueOctets());
    }

    /** Sections end with eight octets that nothing else needs, so a whole word can be read. */
    private long number(long section, long index, int octets) {
      return body.get(Words.U64, section + index * octets)
          & (-1L >>> (Long.SIZE - Byte.SIZE * octets));
    }

    /** Tells the entries of a network in feed order: at most two of a feed. */
    void forEach(long value, Sink sink) {
      long at = posting(value);
      long posting = first(value);
      tell(posting, sink);
      while (!isLast(posting) && ++at < count) {
        posting = number(postings, at, code.postingOctets());
        tell(posting, sink);
      }
    }

    private void tell(long posting, Sink sink) {
      sink.accept(code.feed(posting), code.line(posting), isException(posting));
    }

    private long first(long value) {
      return isRun(value)
          ? number(postings, posting(value), code.postingOctets())
          : asPosting(value);
    }

    /** True when at least one entry of the network is a listing. */
    boolean lists(long value) {
      long at = posting(value);
      long posting = first(value);
      while (isException(posting) && !isLast(posting) && ++at < count) {
        posting = number(postings, at, code.postingOctets());
      }
      return !isException(posting);
    }

    /** The line of a feed's entry with that sign. */
    OptionalInt line(long value, int feed, boolean exception) {
      long at = posting(value);
      long posting = first(value);
      while (!isLast(posting)
          && (code.feed(posting) != feed || isException(posting) != exception)
          && ++at < count) {
        posting = number(postings, at, code.postingOctets());
      }
      return code.feed(posting) == feed && isException(posting) == exception
          ? OptionalInt.of(code.line(posting))
          : OptionalInt.empty();
    }
  }

  /**
   * Writes the values of networks and behind them the postings that they point to, as {@link
   * EntryCode} says. Used by the builder of one file, on one thread.
   */
  static final class Writer {

    private static final int ROWS_AHEAD = 256;

    private final PagedFileWriter out;
    private final Arrivals arrivals;
    private final EntryCode code;
    private long nextPosting;

    /** Lines of the rows from {@code aheadFrom} on. */
    private final int[] ahead = new int[ROWS_AHEAD];

    private int aheadFrom;
    private int aheadTo;

    Writer(PagedFileWriter out, Arrivals arrivals, EntryCode code) {
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

    /**
     * The line of a row. They lie far apart, so several are read at once: then the waits overlap.
     */
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
}
