package io.bloomgate.blocklists.index;

import io.bloomgate.blocklists.file.Longs;
import io.bloomgate.blocklists.file.PagedFileWriter;
import java.io.IOException;
import java.lang.foreign.MemorySegment;

/**
 * The IPv4 hosts in the body of an index file, a row for each entry, sorted: the lower half of the
 * address (u16 each), the codes of the entries (u32 each), and {@link SlotStarts}. Read by sessions
 * on any thread; immutable.
 */
final class HostRows {

  /** Takes a host and the code of its entry. */
  @FunctionalInterface
  interface Sink {
    void accept(int address, int code);
  }

  private final MemorySegment body;
  private final long lows;
  private final long codes;
  private final SlotStarts slots;
  private final boolean isEmpty;

  /** Reads what {@link #write} wrote at an offset. */
  HostRows(MemorySegment body, long at, int count) {
    this.body = body;
    this.lows = at;
    this.codes = lows + (long) count * Short.BYTES;
    this.slots = new SlotStarts(body, codes + (long) count * Integer.BYTES);
    this.isEmpty = count == 0;
  }

  /** Writes sorted words without repeats: the address in the upper half, the code in the lower. */
  static void write(PagedFileWriter out, Longs rows) throws IOException {
    int[] ends = new int[SlotStarts.SLOTS];
    for (int row = 0; row < rows.size(); row++) {
      out.putShort((int) (rows.get(row) >>> Integer.SIZE));
      ends[slot((int) (rows.get(row) >>> Integer.SIZE))] = row + 1;
    }
    for (int row = 0; row < rows.size(); row++) {
      out.putInt((int) rows.get(row));
    }
    if (rows.size() > 0) {
      SlotStarts.write(out, ends);
    }
  }

  private static int slot(int address) {
    return address >>> Short.SIZE;
  }

  private int low(int row) {
    return Short.toUnsignedInt(body.get(Words.U16, lows + (long) row * Short.BYTES));
  }

  int code(int row) {
    return body.get(Words.U32, codes + (long) row * Integer.BYTES);
  }

  /** The first row that may be of a host: whether it is says {@link #isOf}. */
  int first(int address) {
    int low = isEmpty ? 0 : slots.start(slot(address));
    int high = isEmpty ? 0 : slots.start(slot(address) + 1);
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (low(middle) < (address & 0xffff)) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  boolean isOf(int row, int address) {
    return !isEmpty && row < slots.start(slot(address) + 1) && low(row) == (address & 0xffff);
  }

  /** Gives the rows from an address to another one, both included, in order. */
  void forEach(int from, int to, Sink sink) {
    for (int slot = slot(from); slot <= slot(to) && !isEmpty; slot++) {
      int end = slots.start(slot + 1);
      for (int row = slot == slot(from) ? first(from) : slots.start(slot); row < end; row++) {
        int address = slot << Short.SIZE | low(row);
        if (Integer.compareUnsigned(address, to) > 0) {
          return;
        }
        sink.accept(address, code(row));
      }
    }
  }
}
