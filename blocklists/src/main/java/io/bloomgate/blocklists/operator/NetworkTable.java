package io.bloomgate.blocklists.operator;

import io.bloomgate.blocklists.key.IpAddress;
import io.bloomgate.blocklists.key.IpPrefix;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The networks of one operator list and one address family, by length and then by bits, so that the
 * entries around an address are found by one binary search a length and a miss allocates nothing.
 * Immutable; read by sessions through {@link OperatorView}.
 */
final class NetworkTable {

  /** An IPv4 address lives in {@code ::ffff:0:0/96}; its own lengths count from there. */
  private static final int V4_OFFSET_BITS = 96;

  /** The networks of one length, sorted by their bits. */
  private static final class Row {
    final int bits;
    final long[] high;
    final long[] low;
    final List<List<OperatorEntry>> entries;

    Row(int bits, SortedMap<IpAddress, List<OperatorEntry>> networks) {
      Collection<IpAddress> keys = networks.keySet();
      this.bits = bits;
      this.high = keys.stream().mapToLong(IpAddress::high).toArray();
      this.low = keys.stream().mapToLong(IpAddress::low).toArray();
      this.entries = List.copyOf(networks.values());
    }
  }

  private static final Comparator<IpAddress> BY_BITS =
      Comparator.comparingLong(IpAddress::high).thenComparingLong(IpAddress::low);

  /** Longest length first. */
  private final Row[] rows;

  private NetworkTable(Row[] rows) {
    this.rows = rows;
  }

  /** A table of entries whose subjects are networks, all of one family. */
  static NetworkTable of(Map<IpPrefix, List<OperatorEntry>> byPrefix) {
    Map<Integer, SortedMap<IpAddress, List<OperatorEntry>>> byLength =
        new TreeMap<>(Comparator.reverseOrder());
    byPrefix.forEach((prefix, entries) ->
        byLength
            .computeIfAbsent(bits(prefix), ignored -> new TreeMap<>(BY_BITS))
            .put(prefix.network(), entries));
    List<Row> rows = new ArrayList<>();
    byLength.forEach((bits, networks) -> rows.add(new Row(bits, networks)));
    return new NetworkTable(rows.toArray(new Row[0]));
  }

  private static int bits(IpPrefix prefix) {
    return prefix.isV4() ? prefix.length() + V4_OFFSET_BITS : prefix.length();
  }

  /** Calls for the entries of every network around the address, narrowest network first. */
  void covering(IpAddress address, Found found) {
    for (Row row : rows) {
      int at = indexOf(row, maskedHigh(address, row.bits), maskedLow(address, row.bits));
      if (at >= 0) {
        found.add(row.entries.get(at));
      }
    }
  }

  /** Takes what was found. */
  interface Found {
    void add(List<OperatorEntry> entries);
  }

  private static long maskedHigh(IpAddress address, int bits) {
    return address.high() & ones(bits);
  }

  private static long maskedLow(IpAddress address, int bits) {
    return address.low() & ones(bits - Long.SIZE);
  }

  /** The first {@code count} of 64 bits; a shift by 64 would be a shift by 0 in Java. */
  private static long ones(int count) {
    if (count <= 0) {
      return 0;
    }
    return count >= Long.SIZE ? -1L : -1L << (Long.SIZE - count);
  }

  private static int indexOf(Row row, long high, long low) {
    int from = 0;
    int to = row.high.length - 1;
    while (from <= to) {
      int middle = (from + to) >>> 1;
      int order = Long.compare(row.high[middle], high);
      if (order == 0) {
        order = Long.compare(row.low[middle], low);
      }
      if (order == 0) {
        return middle;
      }
      if (order < 0) {
        from = middle + 1;
      } else {
        to = middle - 1;
      }
    }
    return -1;
  }
}
