package io.bloomgate.blocklists.index;

import io.bloomgate.blocklists.file.Longs;
import io.bloomgate.blocklists.file.PagedFileWriter;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * Networks wider than the pivots of the filter (IPv4 wider than /24, IPv6 wider than /48), merged
 * into disjoint ranges over the first 48 bits of an address and kept in the heap: they are few, and
 * expanding them into pivots would drown the filter. Read by sessions beside the filter's probes;
 * immutable.
 */
final class WideRanges {

  /** Bits that wide networks can differ in. */
  static final int BITS = 48;

  /** Octets of a range in a file. */
  static final int OCTETS = 2 * Long.BYTES;

  private final long[] starts;
  private final long[] ends;

  /**
   * The space from the first start on, cut into about as many equal slots as there are ranges: how
   * many ranges begin before each slot, so that a search compares few of them.
   */
  private final int[] slots;

  private final int slotBits;

  private WideRanges(long[] starts, long[] ends) {
    this.starts = starts;
    this.ends = ends;
    int count = starts.length;
    long span = count == 0 ? 0 : ends[count - 1] - starts[0];
    this.slotBits = Math.max(0, Words.bitsFor(span + 1) - Words.bitsFor(count));
    this.slots = new int[(int) (span >>> slotBits) + 2];
    int begun = 0;
    for (int slot = 1; slot < slots.length; slot++) {
      while (begun < count && (starts[begun] - starts[0]) >>> slotBits < slot) {
        begun++;
      }
      slots[slot] = begun;
    }
  }

  /** The 48 bits of an address, given as {@link IpAddress#first}. */
  static long key(long first) {
    return first >>> (Long.SIZE - BITS);
  }

  /** A network as {@link #merge} takes it. */
  static long packed(long first, int length) {
    return key(first) << 16 | length;
  }

  /** Merges packed networks; the list is sorted on the way. */
  static WideRanges merge(Longs packed) {
    packed.sort();
    long[] starts = new long[packed.size()];
    long[] ends = new long[packed.size()];
    int count = 0;
    for (int i = 0; i < packed.size(); i++) {
      long value = packed.get(i);
      long start = value >>> 16;
      long end = start | (-1L >>> (Long.SIZE - BITS) >>> (value & 0xffff));
      if (count > 0 && start <= ends[count - 1] + 1) {
        ends[count - 1] = Math.max(ends[count - 1], end);
      } else {
        starts[count] = start;
        ends[count++] = end;
      }
    }
    return new WideRanges(Arrays.copyOf(starts, count), Arrays.copyOf(ends, count));
  }

  /** Reads ranges from a part of a file that is proven. */
  static WideRanges read(MemorySegment body, long at, int count) {
    long[] starts = new long[count];
    long[] ends = new long[count];
    for (int i = 0; i < count; i++) {
      starts[i] = body.get(Words.U64, at + (long) OCTETS * i);
      ends[i] = body.get(Words.U64, at + (long) OCTETS * i + Long.BYTES);
    }
    return new WideRanges(starts, ends);
  }

  /** Writes the ranges for {@link #read}; gives their number. */
  long write(PagedFileWriter out) throws IOException {
    for (int i = 0; i < starts.length; i++) {
      out.putLong(starts[i]);
      out.putLong(ends[i]);
    }
    return starts.length;
  }

  /** True when a range holds these 48 bits. */
  boolean contains(long key) {
    int count = starts.length;
    if (count == 0 || key < starts[0] || key > ends[count - 1]) {
      return false;
    }
    int slot = (int) ((key - starts[0]) >>> slotBits);
    int low = slots[slot];
    int high = slots[slot + 1];
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (starts[middle] <= key) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low > 0 && key <= ends[low - 1];
  }
}
