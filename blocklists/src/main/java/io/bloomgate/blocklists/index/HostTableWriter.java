package io.bloomgate.blocklists.index;

import io.bloomgate.blocklists.file.PagedFileWriter;
import java.io.IOException;
import java.util.Arrays;

/**
 * Writes a {@link HostTable} out of sorted rows without duplicates. Used by {@link
 * NetworkIndexBuilder}; one thread.
 */
final class HostTableWriter {

  private final PagedFileWriter out;
  private final NetworkRows hosts;
  private final NetworkRows networks;

  /**
   * Writes to a file.
   *
   * @param hosts IPv4 hosts
   * @param networks all other IPv4 networks
   */
  HostTableWriter(PagedFileWriter out, NetworkRows hosts, NetworkRows networks) {
    this.out = out;
    this.hosts = hosts;
    this.networks = networks;
  }

  NetworkLayout.Hosts write(EntryWriter entries, Arrivals arrivals) throws IOException {
    long[] table = new long[HostTable.RECORDS];
    touch(table);
    out.align(HostTable.GROUP_ALIGNMENT);
    long groups = out.position();
    int count = groups(table);
    long tableAt = words(table);
    long values = entries.values(hosts);
    long[] voids = voids(count, arrivals);
    return new NetworkLayout.Hosts(
        count, tableAt, groups, values, voids.length == 0 ? NetworkLayout.ABSENT : words(voids));
  }

  /** Octets of all groups; the hosts are sorted and may repeat. */
  static long groupOctets(NetworkRows hosts) throws IOException {
    long[] octets = {0};
    int[] group = {0, 0};
    hosts.forEachNetwork((from, to) -> {
      int record = HostTable.record(address(hosts, from));
      if (record != group[0] && group[1] > 0) {
        octets[0] += HostTable.groupOctets(group[1]);
        group[1] = 0;
      }
      group[0] = record;
      group[1]++;
    });
    return octets[0] + HostTable.groupOctets(group[1]);
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
    for (int i = 0; i < HostTable.SPARE_OCTETS; i++) {
      out.putByte(0);
    }
    return group.first;
  }

  /** The hosts of one /20 after the other. */
  private final class Group {
    private final long[] table;
    private final long origin;
    private final byte[] marks = new byte[HostTable.markOctets(HostTable.GROUP_HOSTS)];
    private final byte[] octets = new byte[HostTable.GROUP_HOSTS];
    private int record;
    private int first;
    private int size;

    Group(long[] table, long origin) {
      this.table = table;
      this.origin = origin;
    }

    void add(int address) throws IOException {
      if (HostTable.record(address) != record) {
        end();
        record = HostTable.record(address);
      }
      long leaf = HostTable.leafBit(address);
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
      int markOctets = HostTable.markOctets(size);
      table[record] |= HostTable.groupBits(size, out.position() - origin);
      out.putInt(first);
      out.putBytes(marks, 0, markOctets);
      out.putBytes(octets, 0, size);
      out.align(HostTable.GROUP_ALIGNMENT);
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
        table[HostTable.record(address)] |= HostTable.networkBit(address);
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
