package io.bloomgate.blocklists.index;

import io.bloomgate.blocklists.file.PagedFileWriter;
import java.io.IOException;

/**
 * Writes a {@link HostTable} out of sorted rows without duplicates. Used by {@link
 * NetworkIndexBuilder}; one thread.
 */
final class HostTableWriter {

  private final PagedFileWriter out;
  private final NetworkRows hosts;
  private final NetworkRows networks;

  /**
   * For a file.
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
    long[] table = new long[(int) (HostTable.TABLE_OCTETS / Long.BYTES)];
    int count = enter(table);
    touch(table);
    long tableAt = words(table);
    long marks = marks(count);
    long octets = octets();
    long values = entries.values(hosts);
    long[] voids = voids(count, arrivals);
    return new NetworkLayout.Hosts(
        count,
        tableAt,
        marks,
        octets,
        values,
        voids.length == 0 ? NetworkLayout.ABSENT : words(voids));
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

  /** Enters the /24s of the hosts and the number of the first host of each /18; counts hosts. */
  private int enter(long[] table) throws IOException {
    int[] count = new int[1];
    hosts.forEachNetwork((from, to) -> {
      int address = address(hosts, from);
      int record = HostTable.record(address);
      if (table[record] == 0) {
        table[record + 1] = count[0];
      }
      table[record] |= 1L << HostTable.leaf(address);
      count[0]++;
    });
    return count[0];
  }

  /** Marks the /23s that other networks touch; what lies inside a marked one is passed over. */
  private void touch(long[] table) {
    long next = 0;
    for (int row = 0; row < networks.size(); row++) {
      long start = networks.first(row) >>> Integer.SIZE;
      long end = start + (1L << (Integer.SIZE - networks.length(row)));
      for (next = Math.max(next, start); next < end; next = (next | 0x1ff) + 1) {
        int address = (int) next;
        table[HostTable.record(address) + 1] |= HostTable.networkBit(address);
      }
    }
  }

  /** A bit for each host that is the first of its /24. */
  private long marks(int count) throws IOException {
    long[] marks = new long[(int) HostTable.words(count)];
    int[] state = {0, 0};
    hosts.forEachNetwork((from, to) -> {
      int leaf = address(hosts, from) >>> Byte.SIZE;
      int host = state[0]++;
      if (host == 0 || leaf != state[1]) {
        marks[host >>> 6] |= 1L << host;
        state[1] = leaf;
      }
    });
    return words(marks);
  }

  private long octets() throws IOException {
    long at = out.position();
    hosts.forEachNetwork((from, to) -> out.putByte(address(hosts, from)));
    out.putLong(0);
    return at;
  }

  /** A bit for each host where no listing stands; none when there is no such host. */
  private long[] voids(int count, Arrivals arrivals) throws IOException {
    long[] voids = new long[(int) HostTable.words(count)];
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
