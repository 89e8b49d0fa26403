package io.bloomgate.blocklists.index;

import io.bloomgate.blocklists.file.PagedFileWriter;
import java.io.IOException;
import java.lang.foreign.MemorySegment;

/**
 * The distinct networks of one family in the body of an index file, sorted by first address and
 * length, each with the number of the nearest one around it. Read by sessions on any thread;
 * immutable.
 *
 * <p>All networks around an address are the last one that begins at or before it and those around
 * that one. So a search is one look into a directory over the first bits, a halving, and a climb of
 * at most as many steps as there are lengths, whatever was put in.
 */
final class NetworkTree {

  /** No network. */
  static final int NONE = -1;

  /** Octets of an IPv4 network without its value: key, length, parent, share of the directory. */
  static final int V4_OCTETS = 10;

  private static final int V6_KEY_OCTETS = 16;

  private final MemorySegment body;
  private final NetworkLayout.Tree layout;
  private final boolean v4;
  private final int count;

  NetworkTree(MemorySegment body, NetworkLayout.Tree layout, boolean isV4) {
    this.body = body;
    this.layout = layout;
    this.v4 = isV4;
    this.count = Math.toIntExact(layout.count());
  }

  int count() {
    return count;
  }

  /** A parent and the verdict in one word, as {@link #parent} and {@link #standing} read it. */
  static int parentWord(int parent, boolean standing) {
    return (parent + 1) << 1 | (standing ? 1 : 0);
  }

  long first(int node) {
    return v4
        ? (long) body.get(Words.U32, layout.keys() + (long) node * Integer.BYTES) << 32
        : body.get(Words.U64, layout.keys() + (long) node * V6_KEY_OCTETS);
  }

  long second(int node) {
    return v4 ? 0 : body.get(Words.U64, layout.keys() + (long) node * V6_KEY_OCTETS + Long.BYTES);
  }

  int length(int node) {
    return Byte.toUnsignedInt(body.get(Words.U8, layout.lengths() + node));
  }

  private int parentWord(int node) {
    return body.get(Words.U32, layout.parents() + (long) node * Integer.BYTES);
  }

  /** The nearest network around a network. */
  int parent(int node) {
    int parent = (parentWord(node) >>> 1) - 1;
    // Parents come before their children; a damaged page must not send a session in circles.
    return parent < node ? parent : NONE;
  }

  /** True when this network, or one around it, has a listing that its feed does not except. */
  boolean standing(int node) {
    return (parentWord(node) & 1) != 0;
  }

  /** The value of a network, for {@code entries}. */
  long value(int node, EntryCode.Reader entries) {
    return entries.value(layout.values(), node);
  }

  /** The narrowest network around an address; the wider ones are its parents. */
  int around(long first, long second) {
    int node = lastUpTo(first, second);
    while (node != NONE && !contains(node, first, second)) {
      node = parent(node);
    }
    return node;
  }

  /** A network by its first address and length. */
  int find(long first, long second, int length) {
    int node = lastUpTo(first, second);
    while (node != NONE && length(node) > length) {
      node = parent(node);
    }
    return node != NONE && length(node) == length && first(node) == first && second(node) == second
        ? node
        : NONE;
  }

  /**
   * The first network that begins at an address or behind it; {@link #count} when there is none.
   */
  int firstFrom(long first, long second) {
    int node = lastUpTo(first, second);
    while (node >= 0 && compare(node, first, second) == 0) {
      node--;
    }
    return node + 1;
  }

  /** True for a network that begins at an address or before it; false behind the last one. */
  boolean isUpTo(int node, long first, long second) {
    return node < count && compare(node, first, second) <= 0;
  }

  private boolean contains(int node, long first, long second) {
    int length = length(node);
    return ((first(node) ^ first) & Words.leading(length)) == 0
        && (v4 || ((second(node) ^ second) & Words.leading(length - Long.SIZE)) == 0);
  }

  /** The last network that begins at or before an address. */
  private int lastUpTo(long first, long second) {
    if (count == 0 || Long.compareUnsigned(first, layout.origin()) < 0) {
      return NONE;
    }
    long slot = (first - layout.origin()) >>> layout.shift();
    if (Long.compareUnsigned(slot, layout.slots()) >= 0) {
      return count - 1;
    }
    int low = directory(slot);
    int high = directory(slot + 1);
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (compare(middle, first, second) <= 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low - 1;
  }

  private int directory(long slot) {
    int node = body.get(Words.U32, layout.directory() + slot * Integer.BYTES);
    return Math.clamp(node, 0, count);
  }

  private int compare(int node, long first, long second) {
    int byFirst = Long.compareUnsigned(first(node), first);
    return byFirst != 0 || v4 ? byFirst : Long.compareUnsigned(second(node), second);
  }

  /**
   * Writes a {@link NetworkTree} out of sorted rows without duplicates. Used by {@link
   * NetworkIndexBuilder}; one thread.
   */
  static final class Writer {

    /** Networks for one directory slot: a cache line of IPv4 keys holds four times as many. */
    private static final int NETWORKS_PER_SLOT_BITS = 2;

    private static final int MAX_DIRECTORY_BITS = 20;

    private final PagedFileWriter out;
    private final Arrivals arrivals;
    private final NetworkRows rows;
    private final boolean v4;

    Writer(PagedFileWriter out, Arrivals arrivals, NetworkRows rows, boolean isV4) {
      this.out = out;
      this.arrivals = arrivals;
      this.rows = rows;
      this.v4 = isV4;
    }

    NetworkLayout.Tree write(EntryCode.Writer entries) throws IOException {
      int count = networks();
      long origin = count == 0 ? 0 : rows.first(0);
      long span = count == 0 ? 0 : rows.first(rows.size() - 1) - origin;
      int bits = Math.clamp(Words.bitsFor(count) - NETWORKS_PER_SLOT_BITS, 1, MAX_DIRECTORY_BITS);
      int shift = Math.max(0, Long.SIZE - Long.numberOfLeadingZeros(span) - bits);
      long slots = (span >>> shift) + 1;
      out.align(Long.BYTES);
      long directory = directory(origin, shift, slots, count);
      long keys = keys();
      long lengths = lengths();
      long parents = parents();
      long values = entries.values(rows);
      return new NetworkLayout.Tree(
          count, origin, shift, slots, directory, keys, lengths, parents, values);
    }

    private int networks() throws IOException {
      int[] count = new int[1];
      rows.forEachNetwork((from, to) -> count[0]++);
      return count[0];
    }

    /** Writes for each slot the first network that is not below it, and the end. */
    private long directory(long origin, int shift, long slots, int count) throws IOException {
      long at = out.position();
      int[] node = new int[1];
      long[] written = new long[1];
      rows.forEachNetwork((from, to) -> {
        for (long slot = (rows.first(from) - origin) >>> shift; written[0] <= slot; written[0]++) {
          out.putInt(node[0]);
        }
        node[0]++;
      });
      for (long slot = written[0]; slot <= slots; slot++) {
        out.putInt(count);
      }
      return at;
    }

    private long keys() throws IOException {
      out.align(2 * Long.BYTES);
      long at = out.position();
      rows.forEachNetwork((from, to) -> {
        if (v4) {
          out.putInt((int) (rows.first(from) >>> Integer.SIZE));
        } else {
          out.putLong(rows.first(from));
          out.putLong(rows.second(from));
        }
      });
      return at;
    }

    private long lengths() throws IOException {
      long at = out.position();
      rows.forEachNetwork((from, to) -> out.putByte(rows.length(from)));
      return at;
    }

    private long parents() throws IOException {
      out.align(Integer.BYTES);
      long at = out.position();
      OpenNetworks open = new OpenNetworks(rows, arrivals);
      while (open.hasNext()) {
        int parent = open.openNext();
        out.putInt(parentWord(parent, open.standing()));
      }
      return at;
    }
  }
}
