package io.bloomgate.blocklists.index;

import java.lang.foreign.MemorySegment;

/**
 * The IPv4 hosts of an index file where they are dense: about one octet a host beside its value.
 * Read by sessions on any thread; immutable.
 *
 * <p>Two words stand for each /18: one bit for each of its /24s that has hosts; then 32 bits with
 * the number of its first host and one bit for each /23 that a network other than a host touches.
 * They are held in the heap (4 MiB), so that most addresses are answered by one line of the nearer
 * caches. Behind them a bit for each host marks the first of each /24, and an octet for each host
 * is the last octet of its address, in order.
 *
 * <p>A search counts bits in at most 257 words and compares at most 32 words of octets, whatever
 * was put in; mostly it is two and one.
 */
final class HostTable {

  /** No host. */
  static final long NONE = -1;

  /** Octets of the words for all /18s. */
  static final long TABLE_OCTETS = (2L * Long.BYTES) << 18;

  private static final int RECORD_SHIFT = 14;
  private static final int LEAF_MASK = 63;
  private static final long EACH_OCTET = 0x0101_0101_0101_0101L;
  private static final long HIGH_BITS = EACH_OCTET << 7;

  /** Takes a host and its number. */
  @FunctionalInterface
  interface Sink {
    void accept(int address, long host);
  }

  private final MemorySegment body;
  private final NetworkLayout.Hosts layout;
  private final long[] table;
  private final long words;

  /** Over a file of which the table is proven. */
  HostTable(MemorySegment body, NetworkLayout.Hosts layout) {
    this.body = body;
    this.layout = layout;
    this.table = new long[(int) (TABLE_OCTETS / Long.BYTES)];
    MemorySegment.copy(body, Words.U64, layout.table(), table, 0, table.length);
    this.words = words(layout.count());
  }

  /** Index of the first word for an address; the second follows. */
  static int record(int address) {
    return (address >>> RECORD_SHIFT) << 1;
  }

  /** Which bit of the first word stands for the /24 of an address. */
  static int leaf(int address) {
    return (address >>> Byte.SIZE) & LEAF_MASK;
  }

  /** The bit of the second word that stands for the /23 of an address. */
  static long networkBit(int address) {
    return 1L << (Integer.SIZE + (leaf(address) >>> 1));
  }

  /** Words that hold a bit for each host. */
  static long words(long hosts) {
    return Math.ceilDiv(hosts, Long.SIZE);
  }

  /** False when no network other than a host is around the address. */
  boolean touchedByNetwork(int address) {
    return (table[record(address) + 1] & networkBit(address)) != 0;
  }

  /** The number of a host, or {@link #NONE}. */
  long find(int address) {
    int record = record(address);
    long occupied = table[record];
    int leaf = leaf(address);
    if (((occupied >>> leaf) & 1) == 0) {
      return NONE;
    }
    long base = Integer.toUnsignedLong((int) table[record + 1]);
    long start = start(base, Long.bitCount(occupied & ~(-1L << leaf)));
    return search(start, end(start), address & 0xff);
  }

  /** The first host of the /24 that has {@code skipped} others before it, counted from a host. */
  private long start(long from, int skipped) {
    long word = from >>> 6;
    long bits = mark(word) & (-1L << from);
    int rest = skipped;
    for (int count = Long.bitCount(bits); rest >= count; count = Long.bitCount(bits)) {
      rest -= count;
      if (++word >= words) {
        return layout.count();
      }
      bits = mark(word);
    }
    return (word << 6) + Long.numberOfTrailingZeros(Long.expand(1L << rest, bits));
  }

  /** The first host behind the /24 that begins with this one. */
  private long end(long start) {
    long word = (start + 1) >>> 6;
    if (word >= words) {
      return layout.count();
    }
    long bits = mark(word) & (-1L << (start + 1));
    while (bits == 0) {
      if (++word >= words) {
        return layout.count();
      }
      bits = mark(word);
    }
    return (word << 6) + Long.numberOfTrailingZeros(bits);
  }

  private long mark(long word) {
    return body.get(Words.U64, layout.marks() + word * Long.BYTES);
  }

  /** Compares eight octets at once; the section ends with eight that are no hosts. */
  private long search(long start, long end, int octet) {
    long pattern = octet * EACH_OCTET;
    for (long at = start; at < end; at += Long.BYTES) {
      long difference = body.get(Words.U64, layout.octets() + at) ^ pattern;
      long zeros = (difference - EACH_OCTET) & ~difference & HIGH_BITS;
      if (zeros != 0) {
        // The lowest mark is exact; higher ones may be carries.
        long host = at + (Long.numberOfTrailingZeros(zeros) >>> 3);
        return host < end ? host : NONE;
      }
    }
    return NONE;
  }

  /** True when a listing of the host or of a network around it stands. */
  boolean standing(long host) {
    return layout.voids() == NetworkLayout.ABSENT
        || ((body.get(Words.U64, layout.voids() + (host >>> 6) * Long.BYTES) >>> host) & 1) == 0;
  }

  /** The value of a host, for {@code entries}. */
  long value(long host, EntryReader entries) {
    return entries.value(layout.values(), host);
  }

  /** Tells all hosts in order. */
  void forEach(Sink sink) {
    long host = 0;
    for (int record = 0; record < table.length; record += 2) {
      for (long rest = table[record]; rest != 0; rest &= rest - 1) {
        int leaf = Long.numberOfTrailingZeros(rest);
        int network = ((record >>> 1) << RECORD_SHIFT) | (leaf << Byte.SIZE);
        for (long end = end(host); host < end; host++) {
          int octet = Byte.toUnsignedInt(body.get(Words.U8, layout.octets() + host));
          sink.accept(network | octet, host);
        }
      }
    }
  }
}
