package io.bloomgate.blocklists.index;

import java.lang.foreign.MemorySegment;

/**
 * The networks of one family in the body of an index file, a row for each entry, sorted by first
 * address, length and code; each has the number of the last row of the nearest network around it.
 * Read by sessions on any thread; immutable.
 *
 * <p>A row: the first address (u32 in IPv4, two u64 in IPv6), u32 code, u32 number of the row
 * around it plus one, u8 length. Behind the rows are {@link SlotStarts}, if there is any row.
 *
 * <p>All networks around an address are the last one that begins at or before it and those around
 * that one. So a search is a halving and a climb of at most as many steps as there are lengths,
 * whatever was put in.
 */
final class NetworkTree {

  /** No network. */
  static final int NONE = -1;

  /** Bits of the first word of an address behind the number of its slot. */
  static final int SLOT_SHIFT = Long.SIZE - Short.SIZE;

  private static final int V6_KEY_OCTETS = 2 * Long.BYTES;

  private final MemorySegment body;
  private final long at;
  private final int count;
  private final boolean v4;
  private final int keyOctets;
  private final SlotStarts slots;

  /**
   * Reads rows.
   *
   * @param at offset of the first one
   */
  NetworkTree(MemorySegment body, long at, int count, boolean isV4) {
    this.body = body;
    this.at = at;
    this.count = count;
    this.v4 = isV4;
    this.keyOctets = isV4 ? Integer.BYTES : V6_KEY_OCTETS;
    this.slots = new SlotStarts(body, key(count));
  }

  int count() {
    return count;
  }

  private long key(int row) {
    return at + (long) row * (keyOctets + 2 * Integer.BYTES + 1);
  }

  long first(int row) {
    return v4
        ? (long) body.get(Words.U32, key(row)) << Integer.SIZE
        : body.get(Words.U64, key(row));
  }

  long second(int row) {
    return v4 ? 0 : body.get(Words.U64, key(row) + Long.BYTES);
  }

  int code(int row) {
    return body.get(Words.U32, key(row) + keyOctets);
  }

  /** The last row of the nearest network around that of a row. */
  int parent(int row) {
    int parent = body.get(Words.U32, key(row) + keyOctets + Integer.BYTES) - 1;
    // Parents come before their children; a damaged page must not send a session in circles.
    return parent < row ? parent : NONE;
  }

  int length(int row) {
    return Byte.toUnsignedInt(body.get(Words.U8, key(row) + keyOctets + 2 * Integer.BYTES));
  }

  /** The last row of the narrowest network around an address; the wider ones are its parents. */
  int around(long first, long second) {
    int row = before(first, second, true);
    while (row != NONE && !Words.contains(first(row), second(row), length(row), first, second)) {
      row = parent(row);
    }
    return row;
  }

  /** The last row of a network. */
  int find(long first, long second, int length) {
    int row = before(first, second, true);
    while (row != NONE && length(row) > length) {
      row = parent(row);
    }
    return row != NONE && length(row) == length && first(row) == first && second(row) == second
        ? row
        : NONE;
  }

  /** The first row of the network of a last row. */
  int start(int last) {
    int row = last;
    while (row > 0
        && length(row - 1) == length(last)
        && first(row - 1) == first(last)
        && second(row - 1) == second(last)) {
      row--;
    }
    return row;
  }

  /** The first row that begins at an address or behind it; {@link #count} when there is none. */
  int firstFrom(long first, long second) {
    return before(first, second, false) + 1;
  }

  /** True for a row that begins at an address or before it; false behind the last one. */
  boolean isUpTo(int row, long first, long second) {
    return row < count && compare(row, first, second) <= 0;
  }

  /** The last row that begins before an address, or at it where that counts. */
  private int before(long first, long second, boolean orAt) {
    int slot = (int) (first >>> SLOT_SHIFT);
    int low = count == 0 ? 0 : slots.start(slot);
    int high = count == 0 ? 0 : slots.start(slot + 1);
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (compare(middle, first, second) < (orAt ? 1 : 0)) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low - 1;
  }

  private int compare(int row, long first, long second) {
    int byFirst = Long.compareUnsigned(first(row), first);
    return byFirst != 0 || v4 ? byFirst : Long.compareUnsigned(second(row), second);
  }
}
