package io.bloomgate.blocklists.index;

import io.bloomgate.blocklists.file.DamagedFileException;
import io.bloomgate.blocklists.file.FileHeader;
import io.bloomgate.blocklists.file.FileKind;
import io.bloomgate.blocklists.file.PagedFile;
import io.bloomgate.blocklists.key.IpAddress;
import io.bloomgate.blocklists.key.IpPrefix;
import io.bloomgate.blocklists.key.ListEntry;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;

/**
 * Every listed network of IPv4 and IPv6, in a mapped file: one sorted column for each family and
 * prefix length that occurs, searched from the longest to the shortest. Overlapping entries keep
 * all their listings. Read by sessions on any thread, after a filter hit; immutable.
 */
public final class NetworkIndex {

  /** Networks of this length stand in the filter for all narrower ones but hosts. */
  public static final int V4_PIVOT = 24;

  /** The same for IPv6 networks of /64 to /127. */
  public static final int V6_NARROW_PIVOT = 64;

  /** The same for IPv6 networks of /48 to /63. */
  public static final int V6_WIDE_PIVOT = 48;

  private static final int V4_BITS = 32;
  private static final int V6_BITS = 128;

  private final PagedFile file;
  private final List<String> feeds;
  private final List<NetworkColumn> v4;
  private final List<NetworkColumn> v6;
  private final WideRanges wideV4;
  private final WideRanges wideV6;

  private NetworkIndex(
      PagedFile file,
      List<String> feeds,
      List<NetworkColumn> columns,
      WideRanges wideV4,
      WideRanges wideV6) {
    this.file = file;
    this.feeds = List.copyOf(feeds);
    this.v4 = columns.stream().filter(NetworkColumn::v4).toList();
    this.v6 = columns.stream().filter(c -> !c.v4()).toList();
    this.wideV4 = wideV4;
    this.wideV6 = wideV6;
  }

  /**
   * Opens an index. Header, column table and wide ranges are proven; the rest by {@link #verify}.
   *
   * @param feeds names by number
   * @throws DamagedFileException when it is not what was written
   */
  public static NetworkIndex open(Path path, List<String> feeds) throws IOException {
    PagedFile file = PagedFile.open(path, FileKind.NETWORK_INDEX);
    FileHeader header = file.header();
    MemorySegment body = file.body();
    long table = header.measure(0);
    int count = Math.toIntExact(header.measure(1));
    file.verify(table, (long) count * ColumnLayout.OCTETS);
    List<NetworkColumn> columns = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      columns.add(
          new NetworkColumn(body, ColumnLayout.read(body, table + (long) i * ColumnLayout.OCTETS)));
    }
    return new NetworkIndex(file, feeds, columns, ranges(file, 2), ranges(file, 4));
  }

  private static WideRanges ranges(PagedFile file, int measure) throws IOException {
    long at = file.header().measure(measure);
    int count = Math.toIntExact(file.header().measure(measure + 1));
    file.verify(at, count * 16L);
    return WideRanges.read(file.body(), at, count);
  }

  /** The file, for its digest and keying. */
  public PagedFile file() {
    return file;
  }

  /**
   * Proves the whole file.
   *
   * @throws DamagedFileException when a page is not what was written
   */
  public void verify() throws DamagedFileException {
    file.verify();
  }

  /** All entries around an address. */
  public Coverage covering(IpAddress address) {
    Coverage.Collector found = new Coverage.Collector(feeds);
    long first = Words.first(address);
    long second = Words.second(address);
    for (NetworkColumn column : address.isV4() ? v4 : v6) {
      long keptFirst = first & Words.leading(column.length());
      long keptSecond = second & Words.leading(column.length() - Long.SIZE);
      long row = column.firstRow(keptFirst, keptSecond);
      if (column.holds(row, keptFirst, keptSecond)) {
        IpPrefix prefix = IpPrefix.around(address, column.length());
        do {
          found.found(
              column.feed(row),
              new ListEntry.Network(prefix, column.exception(row), column.line(row)));
          row++;
        } while (column.holds(row, keptFirst, keptSecond));
      }
    }
    return found.done();
  }

  /** The line of an entry of a feed, if the feed has that very network with the same sign. */
  public OptionalInt line(int feed, ListEntry.Network entry) {
    IpPrefix prefix = entry.prefix();
    long first = Words.first(prefix.network());
    long second = Words.second(prefix.network());
    for (NetworkColumn column : prefix.isV4() ? v4 : v6) {
      if (column.length() != prefix.length()) {
        continue;
      }
      long row = column.firstRow(first, second);
      for (; column.holds(row, first, second); row++) {
        if (column.feed(row) == feed && column.exception(row) == entry.exception()) {
          return OptionalInt.of(column.line(row));
        }
      }
    }
    return OptionalInt.empty();
  }

  /**
   * True when a listed network too wide for the filter lies around the address. Allocates nothing.
   */
  public boolean inWideRange(IpAddress address) {
    return (address.isV4() ? wideV4 : wideV6).contains(WideRanges.key(Words.first(address)));
  }

  /** True when the family has networks of these lengths, both ends included. */
  public boolean hasLengths(boolean isV4, int from, int to) {
    return !columns(isV4, from, to).isEmpty();
  }

  private List<NetworkColumn> columns(boolean isV4, int from, int to) {
    return (isV4 ? v4 : v6).stream().filter(c -> c.length() >= from && c.length() <= to).toList();
  }

  /** Tells everything that the filter in front must hold, each key once. */
  public void forEachFilterKey(FilterKeys keys) {
    walk(true, V4_BITS, V4_BITS, V4_BITS, keys);
    walk(true, V4_PIVOT, V4_BITS - 1, V4_PIVOT, keys);
    walk(false, V6_BITS, V6_BITS, V6_BITS, keys);
    walk(false, V6_NARROW_PIVOT, V6_BITS - 1, V6_NARROW_PIVOT, keys);
    walk(false, V6_WIDE_PIVOT, V6_NARROW_PIVOT - 1, V6_WIDE_PIVOT, keys);
  }

  private void walk(boolean isV4, int from, int to, int pivot, FilterKeys keys) {
    boolean host = from == (isV4 ? V4_BITS : V6_BITS);
    new FilterKeyWalk(columns(isV4, from, to), pivot)
        .run((first, second) -> {
          IpAddress address = Words.address(isV4, first, second);
          if (host) {
            keys.host(address.high(), address.low());
          } else {
            keys.pivot(address.high(), address.low(), pivot);
          }
        });
  }
}
