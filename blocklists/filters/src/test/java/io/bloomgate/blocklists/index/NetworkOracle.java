package io.bloomgate.blocklists.index;

import io.bloomgate.blocklists.entry.ListEntry;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.name.IpPrefix;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * What lists of networks say, found by reading every entry with big numbers. Shares nothing with
 * the index but the keys.
 */
final class NetworkOracle {

  /** An entry that counts; {@code first} and {@code last} are addresses as numbers. */
  record Row(
      int feed,
      boolean v4,
      BigInteger first,
      BigInteger last,
      int length,
      ListEntry.Network entry) {

    private boolean covers(boolean asV4, BigInteger address) {
      return v4 == asV4 && first.compareTo(address) <= 0 && address.compareTo(last) <= 0;
    }
  }

  private final List<Row> rows = new ArrayList<>();
  private int duplicates;

  /** Entries by feed; what repeats an earlier one of its feed does not count. */
  NetworkOracle(List<List<ListEntry.Network>> feeds) {
    for (int feed = 0; feed < feeds.size(); feed++) {
      Set<String> seen = new HashSet<>();
      for (ListEntry.Network entry : feeds.get(feed)) {
        if (seen.add(entry.exception() + entry.text())) {
          rows.add(row(feed, entry));
        } else {
          duplicates++;
        }
      }
    }
    rows.sort(Comparator.comparingInt((Row r) -> -r.length()).thenComparingInt(Row::feed));
  }

  private static Row row(int feed, ListEntry.Network entry) {
    IpPrefix prefix = entry.prefix();
    int bits = prefix.isV4() ? 32 : 128;
    BigInteger size = BigInteger.ONE.shiftLeft(bits - prefix.length());
    BigInteger first = number(prefix.network()).divide(size).multiply(size);
    return new Row(
        feed,
        prefix.isV4(),
        first,
        first.add(size).subtract(BigInteger.ONE),
        prefix.length(),
        entry);
  }

  static BigInteger number(IpAddress address) {
    BigInteger high = new BigInteger(Long.toUnsignedString(address.high()));
    return high.shiftLeft(64).add(new BigInteger(Long.toUnsignedString(address.low())));
  }

  static IpAddress address(BigInteger number) {
    return new IpAddress(number.shiftRight(64).longValue(), number.longValue());
  }

  List<Row> rows() {
    return rows;
  }

  int duplicates() {
    return duplicates;
  }

  private List<Row> around(IpAddress address, boolean exceptions) {
    BigInteger number = number(address);
    return rows.stream()
        .filter(r -> r.entry().exception() == exceptions && r.covers(address.isV4(), number))
        .toList();
  }

  boolean lists(IpAddress address) {
    return !around(address, false).isEmpty();
  }

  /** {@code feed line text} of the listings that count, most specific first, then in feed order. */
  List<String> standing(IpAddress address) {
    Set<Integer> excepted = new HashSet<>();
    around(address, true).forEach(r -> excepted.add(r.feed()));
    return around(address, false).stream()
        .filter(r -> !excepted.contains(r.feed()))
        .map(r -> r.feed() + " " + r.entry().line() + " " + r.entry().text())
        .toList();
  }

  /** Everything that a filter must hold, as text. */
  Set<String> filterKeys() {
    Set<String> keys = new TreeSet<>();
    for (Row row : rows) {
      if (row.entry().exception()) {
        continue;
      }
      int bits = row.v4() ? 32 : 128;
      int pivot =
          row.length() == bits
              ? bits
              : row.v4() ? 24 : row.length() >= 64 ? 64 : row.length() >= 48 ? 48 : 129;
      if (row.length() >= pivot) {
        BigInteger size = BigInteger.ONE.shiftLeft(bits - pivot);
        IpAddress network = address(row.first().divide(size).multiply(size));
        keys.add(network + "/" + pivot);
      }
    }
    return keys;
  }

  /** True when a listing wider than the filter's pivots holds the address. */
  boolean wide(IpAddress address) {
    return around(address, false).stream().anyMatch(r -> r.length() < (r.v4() ? 24 : 48));
  }

  /** The first and the last address of each network and their neighbours outside. */
  List<IpAddress> edges() {
    List<IpAddress> edges = new ArrayList<>();
    for (Row row : rows) {
      for (BigInteger edge :
          List.of(
              row.first().subtract(BigInteger.ONE),
              row.first(),
              row.last(),
              row.last().add(BigInteger.ONE))) {
        if (edge.signum() >= 0 && edge.bitLength() <= 128) {
          edges.add(address(edge));
        }
      }
    }
    return edges;
  }
}
