package io.bloomgate.blocklists.index;

import java.lang.foreign.MemorySegment;

/**
 * All networks of one family and prefix length, sorted, in the body of an index file. Read by
 * sessions on any thread; immutable.
 *
 * <p>A search reads one directory slot and then halves: it is bounded by the logarithm of the rows
 * whatever was put in.
 */
final class NetworkColumn {

  private static final int EXCEPTION = Integer.MIN_VALUE;

  private final MemorySegment body;
  private final ColumnLayout layout;

  NetworkColumn(MemorySegment body, ColumnLayout layout) {
    this.body = body;
    this.layout = layout;
  }

  /** A line and its exception mark as one number. */
  static int mark(int line, boolean exception) {
    return exception ? line | EXCEPTION : line;
  }

  boolean v4() {
    return layout.v4();
  }

  int length() {
    return layout.length();
  }

  long rows() {
    return layout.rows();
  }

  /** The first row whose network is not below this one, which has no host bits. */
  long firstRow(long first, long second) {
    long low = 0;
    long rows = layout.rows();
    long high = rows;
    if (layout.directoryBits() > 0) {
      long slot =
          layout.directory() + (first >>> (Long.SIZE - layout.directoryBits())) * Integer.BYTES;
      low = Math.min(rows, Integer.toUnsignedLong(body.get(Words.U32, slot)));
      high = Math.min(rows, Integer.toUnsignedLong(body.get(Words.U32, slot + Integer.BYTES)));
    }
    while (low < high) {
      long middle = (low + high) >>> 1;
      if (compare(middle, first, second) < 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** True when there is such a row and it holds this network. */
  boolean holds(long row, long first, long second) {
    return row < layout.rows() && compare(row, first, second) == 0;
  }

  private int compare(long row, long first, long second) {
    int byFirst = Long.compareUnsigned(first(row), first);
    return byFirst != 0 ? byFirst : Long.compareUnsigned(second(row), second);
  }

  long first(long row) {
    return switch (layout.keyOctets()) {
      case Integer.BYTES -> (long) body.get(Words.U32, layout.keys() + row * Integer.BYTES) << 32;
      case Long.BYTES -> body.get(Words.U64, layout.keys() + row * Long.BYTES);
      default -> body.get(Words.U64, layout.keys() + row * 16);
    };
  }

  long second(long row) {
    return layout.length() <= Long.SIZE
        ? 0
        : body.get(Words.U64, layout.keys() + row * 16 + Long.BYTES);
  }

  int feed(long row) {
    return Short.toUnsignedInt(body.get(Words.U16, layout.feeds() + row * Short.BYTES));
  }

  int line(long row) {
    return body.get(Words.U32, layout.lines() + row * Integer.BYTES) & ~EXCEPTION;
  }

  boolean exception(long row) {
    return body.get(Words.U32, layout.lines() + row * Integer.BYTES) < 0;
  }
}
