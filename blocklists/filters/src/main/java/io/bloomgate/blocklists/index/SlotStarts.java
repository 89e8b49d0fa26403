package io.bloomgate.blocklists.index;

import io.bloomgate.blocklists.file.PagedFileWriter;
import java.io.IOException;
import java.lang.foreign.MemorySegment;

/**
 * The first row of each slot of sorted rows in an index file, a u32 each: a slot has the addresses
 * with the same first 16 bits, so that a search halves few rows. Read by sessions on any thread;
 * immutable.
 *
 * @param at offset in the body
 */
record SlotStarts(MemorySegment body, long at) {

  static final int SLOTS = 1 << Short.SIZE;

  /** The first row of a slot, or of the next one that has any. */
  int start(int slot) {
    return body.get(Words.U32, at + (long) slot * Integer.BYTES);
  }

  /**
   * Writes the directory of rows.
   *
   * @param ends by slot the row behind its last one; 0 where it has none
   */
  static void write(PagedFileWriter out, int[] ends) throws IOException {
    int start = 0;
    for (int end : ends) {
      out.putInt(start);
      start = Math.max(start, end);
    }
    out.putInt(start);
  }
}
