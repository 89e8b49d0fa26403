package io.bloomgate.blocklists.index;

import io.bloomgate.blocklists.file.PagedFileWriter;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * The IPv4 hosts of an index file where they are dense: about one octet a host beside its value.
 * Read by sessions on any thread; immutable.
 *
 * <p>One word stands for each /20: 16 bits for its /24s that have hosts, 8 for its /23s that a
 * network other than a host touches, 12 for the number of its hosts and 28 for the place of its
 * group. The words are held in the heap (8 MiB), so that most addresses are answered by one line of
 * the nearer caches. A group lies in one piece, so that it costs one far read: the number of its
 * first host, a bit for each host that marks the first of each /24, and the last octet of each
 * address, in order.
 *
 * <p>A search counts bits in at most 64 words and compares at most 32 words of octets, whatever was
 * put in; mostly it is one and one.
 */
final class HostTable {

  /** No host. */
  static final long NONE = -1;

  /** Words, one for each /20. */
  static final int RECORDS = 1 << 20;

  /** Octets of the words. */
  static final long TABLE_OCTETS = (long) RECORDS * Long.BYTES;

  /** Hosts of a group, at most. */
  static final int GROUP_HOSTS = 1 << 12;

  /** Groups begin at multiples of these octets. */
  static final int GROUP_ALIGNMENT = 4;

  /** Octets of all groups that places can tell. */
  static final long MAX_GROUP_OCTETS = (1L << 28) * GROUP_ALIGNMENT;

  /** Octets of zeros behind the last group: as far as a search may read beyond it. */
  static final int SPARE_OCTETS = 2 * Long.BYTES;

  private static final int GROUP_SHIFT = 12;
  private static final int LEAF_MASK = 15;
  private static final int LEAVES = 0xffff;
  private static final int NETWORKS_SHIFT = 16;
  private static final int HOSTS_SHIFT = 24;
  private static final int PLACE_SHIFT = 36;
  private static final long EACH_OCTET = 0x0101_0101_0101_0101L;
  private static final long HIGH_BITS = EACH_OCTET << 7;

  /** Takes a host and its number. */
  @FunctionalInterface
  interface Sink {
    void accept(int address, long host);
  }

  private final MemorySegment body;
  private final NetworkLayout.Hosts layout;
  private final long[] table = new long[RECORDS];

  /** Reads a file of which the table is proven. */
  HostTable(MemorySegment body, NetworkLayout.Hosts layout) {
    this.body = body;
    this.layout = layout;
    MemorySegment.copy(body, Words.U64, layout.table(), table, 0, table.length);
  }

  /** Index of the word for an address. */
  static int record(int address) {
    return address >>> GROUP_SHIFT;
  }

  /** The number of the /24 of an address in its /20. */
  private static int leaf(int address) {
    return (address >>> Byte.SIZE) & LEAF_MASK;
  }

  /** The bit that stands for the /24 of an address. */
  static long leafBit(int address) {
    return 1L << leaf(address);
  }

  /** The bit that stands for the /23 of an address. */
  static long networkBit(int address) {
    return 1L << (NETWORKS_SHIFT + (leaf(address) >>> 1));
  }

  /** The bits that tell of a group; {@code offset} counts from the first one. */
  static long groupBits(int hosts, long offset) {
    return (hosts - 1L) << HOSTS_SHIFT | (offset / GROUP_ALIGNMENT) << PLACE_SHIFT;
  }

  private static int hosts(long record) {
    return ((int) (record >>> HOSTS_SHIFT) & (GROUP_HOSTS - 1)) + 1;
  }

  private long group(long record) {
    return layout.groups() + (record >>> PLACE_SHIFT) * GROUP_ALIGNMENT;
  }

  /** Octets that hold a bit for each host. */
  static int markOctets(int hosts) {
    return (hosts + Byte.SIZE - 1) / Byte.SIZE;
  }

  /** Octets of a group. */
  static int groupOctets(int hosts) {
    int octets = Integer.BYTES + markOctets(hosts) + hosts;
    return Math.ceilDiv(octets, GROUP_ALIGNMENT) * GROUP_ALIGNMENT;
  }

  /** False when no network other than a host is around the address. */
  boolean touchedByNetwork(int address) {
    return (table[record(address)] & networkBit(address)) != 0;
  }

  /** The number of a host, or {@link #NONE}. */
  long find(int address) {
    long record = table[record(address)];
    long leaf = leafBit(address);
    if ((record & leaf) == 0) {
      return NONE;
    }
    long group = group(record);
    int hosts = hosts(record);
    long marks = group + Integer.BYTES;
    int start = start(marks, hosts, Long.bitCount(record & (leaf - 1)));
    int end = end(marks, hosts, start + 1);
    int host = search(marks + markOctets(hosts), start, end, address & 0xff);
    return host < 0 ? NONE : first(group) + host;
  }

  /** The number of the first host of a group. */
  private long first(long group) {
    return Integer.toUnsignedLong(body.get(Words.U32, group));
  }

  /**
   * The first host of the /24 that has {@code skipped} others before it in its group. The last word
   * of marks runs on into octets; as they follow all marks, they are never the answer.
   */
  private int start(long marks, int hosts, int skipped) {
    int rest = skipped;
    for (int at = 0; at < hosts; at += Long.SIZE) {
      long bits = body.get(Words.U64, marks + at / Byte.SIZE);
      int count = Long.bitCount(bits);
      if (rest < count) {
        return at + Long.numberOfTrailingZeros(Long.expand(1L << rest, bits));
      }
      rest -= count;
    }
    return hosts;
  }

  /** The first host from {@code from} on that is the first of its /24, or the end of the group. */
  private int end(long marks, int hosts, int from) {
    int at = from;
    while (at < hosts) {
      long bits = body.get(Words.U64, marks + (at >>> 6) * (long) Long.BYTES) >>> at;
      if (bits != 0) {
        return Math.min(hosts, at + Long.numberOfTrailingZeros(bits));
      }
      at = (at | (Long.SIZE - 1)) + 1;
    }
    return hosts;
  }

  /** Compares eight octets at once. */
  private int search(long octets, int start, int end, int octet) {
    long pattern = octet * EACH_OCTET;
    for (int at = start; at < end; at += Long.BYTES) {
      long difference = body.get(Words.U64, octets + at) ^ pattern;
      long zeros = (difference - EACH_OCTET) & ~difference & HIGH_BITS;
      if (zeros != 0) {
        // The lowest mark is exact; higher ones may be carries.
        int host = at + (Long.numberOfTrailingZeros(zeros) >>> 3);
        return host < end ? host : -1;
      }
    }
    return -1;
  }

  /** True when a listing of the host or of a network around it counts. */
  boolean standing(long host) {
    return layout.voids() == NetworkLayout.ABSENT
        || ((body.get(Words.U64, layout.voids() + (host >>> 6) * Long.BYTES) >>> host) & 1) == 0;
  }

  /** The value of a host, for {@code entries}. */
  long value(long host, EntryCode.Reader entries) {
    return entries.value(layout.values(), host);
  }

  /** Tells all hosts in order. */
  void forEach(Sink sink) {
    for (int record = 0; record < RECORDS; record++) {
      if ((table[record] & LEAVES) != 0) {
        tellGroup(record, sink);
      }
    }
  }

  private void tellGroup(int index, Sink sink) {
    long record = table[index];
    long group = group(record);
    int hosts = hosts(record);
    long marks = group + Integer.BYTES;
    long octets = marks + markOctets(hosts);
    int host = 0;
    for (long rest = record & LEAVES; rest != 0; rest &= rest - 1) {
      int network = index << GROUP_SHIFT | Long.numberOfTrailingZeros(rest) << Byte.SIZE;
      for (int end = end(marks, hosts, host + 1); host < end; host++) {
        int octet = Byte.toUnsignedInt(body.get(Words.U8, octets + host));
        sink.accept(network | octet, first(group) + host);
      }
    }
  }

  /**
   * Writes a {@link HostTable} out of sorted rows without duplicates. Used by {@link
   * NetworkIndexBuilder}; one thread.
   */
  static final class Writer {

    private final PagedFileWriter out;
    private final NetworkRows hosts;
    private final NetworkRows networks;

    /**
     * Writes to a file.
     *
     * @param hosts IPv4 hosts
     * @param networks all other IPv4 networks
     */
    Writer(PagedFileWriter out, NetworkRows hosts, NetworkRows networks) {
      this.out = out;
      this.hosts = hosts;
      this.networks = networks;
    }

    NetworkLayout.Hosts write(EntryCode.Writer entries, Arrivals arrivals) throws IOException {
      long[] table = new long[RECORDS];
      touch(table);
      out.align(GROUP_ALIGNMENT);
      long groups = out.position();
      int count = groups(table);
      long tableAt = words(table);
      long values = entries.values(hosts);
      long[] voids = voids(count, arrivals);
      return new NetworkLayout.Hosts(
          count, tableAt, groups, values, voids.length == 0 ? NetworkLayout.ABSENT : words(voids));
    }

    /** Octets of all groups; the hosts are sorted and may repeat. */
    static long octets(NetworkRows hosts) throws IOException {
      long[] octets = {0};
      int[] group = {0, 0};
      hosts.forEachNetwork((from, to) -> {
        int record = record(address(hosts, from));
        if (record != group[0] && group[1] > 0) {
          octets[0] += groupOctets(group[1]);
          group[1] = 0;
        }
        group[0] = record;
        group[1]++;
      });
      return octets[0] + groupOctets(group[1]);
    }

    private static int address(NetworkRows rows, int row) {
      return (int) (rows.first(row) >>> Integer.SIZE);
    }

    private long words(long[] words) throws IOException {
      out.align(Long.BYTES);
      long at = out.position();
      for (long word : words) {
        out.putLong(word);
      }
      return at;
    }

    /** Writes the groups, enters them in the table and counts their hosts. */
    private int groups(long[] table) throws IOException {
      Group group = new Group(table, out.position());
      hosts.forEachNetwork((from, to) -> group.add(address(hosts, from)));
      group.end();
      for (int i = 0; i < SPARE_OCTETS; i++) {
        out.putByte(0);
      }
      return group.first;
    }

    /** The hosts of one /20 after the other. */
    private final class Group {
      private final long[] table;
      private final long origin;
      private final byte[] marks = new byte[markOctets(GROUP_HOSTS)];
      private final byte[] octets = new byte[GROUP_HOSTS];
      private int record;
      private int first;
      private int size;

      Group(long[] table, long origin) {
        this.table = table;
        this.origin = origin;
      }

      void add(int address) throws IOException {
        if (record(address) != record) {
          end();
          record = record(address);
        }
        long leaf = leafBit(address);
        if ((table[record] & leaf) == 0) {
          table[record] |= leaf;
          marks[size / Byte.SIZE] |= (byte) (1 << (size % Byte.SIZE));
        }
        octets[size++] = (byte) address;
      }

      void end() throws IOException {
        if (size == 0) {
          return;
        }
        int markOctets = markOctets(size);
        table[record] |= groupBits(size, out.position() - origin);
        out.putInt(first);
        out.putBytes(marks, 0, markOctets);
        out.putBytes(octets, 0, size);
        out.align(GROUP_ALIGNMENT);
        Arrays.fill(marks, 0, markOctets, (byte) 0);
        first += size;
        size = 0;
      }
    }

    /** Marks the /23s that other networks touch; what lies inside a marked one is passed over. */
    private void touch(long[] table) {
      long next = 0;
      for (int row = 0; row < networks.size(); row++) {
        long start = networks.first(row) >>> Integer.SIZE;
        long end = start + (1L << (Integer.SIZE - networks.length(row)));
        for (next = Math.max(next, start); next < end; next = (next | 0x1ff) + 1) {
          int address = (int) next;
          table[record(address)] |= networkBit(address);
        }
      }
    }

    /** A bit for each host for which no listing counts; none when there is no such host. */
    private long[] voids(int count, Arrivals arrivals) throws IOException {
      if (!hosts.anyException() && !networks.anyException()) {
        return new long[0];
      }
      long[] voids = new long[Math.ceilDiv(count, Long.SIZE)];
      int[] state = {0, 0};
      OpenNetworks open = new OpenNetworks(networks, arrivals);
      hosts.forEachNetwork((from, to) -> {
        open.moveTo(hosts.first(from), 0);
        int host = state[0]++;
        if (!open.standingWith(hosts, from, to)) {
          voids[host >>> 6] |= 1L << host;
          state[1]++;
        }
      });
      return state[1] == 0 ? new long[0] : voids;
    }
  }
}
