package io.bloomgate.blocklists.operator;

import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.name.IpPrefix;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;

/**
 * The networks of more than one address that one operator list holds, by family and length, so that
 * those around an address are found by one binary search a length and a miss allocates nothing.
 * Holds the prefixes only (8 octets for IPv4, 16 for IPv6); the entries are in the store.
 * Immutable; read by sessions through {@link ListFront}.
 */
final class NetworkPrefixes {

  /** An IPv4 address is in {@code ::ffff:0:0/96}; its own lengths count from there. */
  private static final int V4_OFFSET_BITS = 96;

  private static final Comparator<IpAddress> BY_BITS =
      Comparator.comparingLong(IpAddress::high).thenComparingLong(IpAddress::low);

  /** No networks. */
  static final NetworkPrefixes NONE = new NetworkPrefixes(List.of());

  /** Networks of one family and length, sorted by their bits; {@code high} is empty for IPv4. */
  private static final class Row {
    final boolean v4;
    final int length;
    final long[] high;
    final long[] low;

    Row(boolean v4, int length, long[] high, long[] low) {
      this.v4 = v4;
      this.length = length;
      this.high = high;
      this.low = low;
    }

    int bits() {
      return v4 ? length + V4_OFFSET_BITS : length;
    }

    long high(int at) {
      return v4 ? 0 : high[at];
    }

    IpAddress network(int at) {
      return new IpAddress(high(at), low[at]);
    }

    /** Finds the place of these bits; a negative number when they are not there. */
    int indexOf(long wantedHigh, long wantedLow) {
      int from = 0;
      int to = low.length - 1;
      while (from <= to) {
        int middle = (from + to) >>> 1;
        int order = Long.compare(high(middle), wantedHigh);
        if (order == 0) {
          order = Long.compare(low[middle], wantedLow);
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

    /** This row with these networks in it, or without them. */
    Row changed(Set<IpAddress> networks, boolean in) {
      long[] newHigh = new long[v4 ? 0 : low.length + networks.size()];
      long[] newLow = new long[low.length + networks.size()];
      int size = 0;
      List<IpAddress> changes = new ArrayList<>(networks);
      int change = 0;
      for (int at = 0; at < low.length || change < changes.size(); ) {
        int order =
            at == low.length
                ? 1
                : change == changes.size() ? -1 : BY_BITS.compare(network(at), changes.get(change));
        boolean keep = order < 0 || in;
        IpAddress next = order <= 0 ? network(at) : changes.get(change);
        at += order <= 0 ? 1 : 0;
        change += order >= 0 ? 1 : 0;
        if (keep) {
          if (!v4) {
            newHigh[size] = next.high();
          }
          newLow[size++] = next.low();
        }
      }
      return new Row(
          v4, length, v4 ? newHigh : Arrays.copyOf(newHigh, size), Arrays.copyOf(newLow, size));
    }
  }

  /** Longest length first. */
  private final List<Row> rows;

  private NetworkPrefixes(List<Row> rows) {
    this.rows = rows;
  }

  /** These networks as well; one that is there already is there once. */
  NetworkPrefixes with(Collection<IpPrefix> networks) {
    return changed(networks, true);
  }

  /** The same without these networks. */
  NetworkPrefixes without(Collection<IpPrefix> networks) {
    return changed(networks, false);
  }

  private NetworkPrefixes changed(Collection<IpPrefix> networks, boolean in) {
    if (networks.isEmpty()) {
      return this;
    }
    Map<Integer, Row> byBits = new TreeMap<>(Comparator.reverseOrder());
    rows.forEach(row -> byBits.put(place(row.v4, row.bits()), row));
    Map<Integer, Set<IpAddress>> changes = new TreeMap<>();
    for (IpPrefix prefix : networks) {
      int place = place(prefix.isV4(), bits(prefix));
      byBits.computeIfAbsent(
          place, _ -> new Row(prefix.isV4(), prefix.length(), new long[0], new long[0]));
      changes.computeIfAbsent(place, _ -> new TreeSet<>(BY_BITS)).add(prefix.network());
    }
    changes.forEach(
        (place, some) -> byBits.computeIfPresent(place, (_, row) -> row.changed(some, in)));
    return new NetworkPrefixes(byBits.values().stream().filter(row -> row.low.length > 0).toList());
  }

  /** Lengths of both families in one order. */
  private static int place(boolean v4, int bits) {
    return 2 * bits + (v4 ? 1 : 0);
  }

  private static int bits(IpPrefix prefix) {
    return prefix.isV4() ? prefix.length() + V4_OFFSET_BITS : prefix.length();
  }

  /** Gives every network around the address, narrowest first. */
  void around(IpAddress address, Consumer<IpPrefix> found) {
    boolean v4 = address.isV4();
    for (Row row : rows) {
      if (row.v4 == v4
          && row.indexOf(
                  address.high() & ones(row.bits()), address.low() & ones(row.bits() - Long.SIZE))
              >= 0) {
        found.accept(IpPrefix.around(address, row.length));
      }
    }
  }

  /** The first {@code count} of 64 bits; a shift by 64 would be a shift by 0 in Java. */
  private static long ones(int count) {
    if (count <= 0) {
      return 0;
    }
    return count >= Long.SIZE ? -1L : -1L << (Long.SIZE - count);
  }

  /** Returns the number of networks. */
  long size() {
    return rows.stream().mapToLong(row -> row.low.length).sum();
  }
}
