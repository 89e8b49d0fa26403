package io.bloomgate.blocklists.index;

import io.bloomgate.blocklists.entry.FilterHashes;
import io.bloomgate.blocklists.entry.ListEntry;
import io.bloomgate.blocklists.file.DamagedFileException;
import io.bloomgate.blocklists.file.FileKind;
import io.bloomgate.blocklists.file.PagedFile;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.name.IpPrefix;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.function.Consumer;

/**
 * Every listed network of IPv4 and IPv6, in a mapped file: the hosts of IPv4 as {@link HostRows},
 * the other networks of each family as a {@link NetworkTree}. Overlapping entries keep all their
 * listings. Read by sessions on any thread, after a filter hit; immutable.
 *
 * <p>The code of an entry has 32 bits: the number of its feed and line among {@link LineNumbers},
 * and one bit that says that it is an exception.
 */
public final class NetworkIndex {

  /** Measures of the file, in the order of {@link NetworkIndexBuilder}: the pivots, then sizes. */
  private static final int PIVOTS = 0;

  private static final int HOSTS = 1;
  private static final int V4 = 2;
  private static final int V6 = 3;
  private static final int FEEDS = 4;
  private static final int WIDE_V4 = 5;
  private static final int WIDE_V6 = 6;

  /** Offsets of parts; the hosts are at 0. */
  private static final int V4_AT = 7;

  private static final int V6_AT = 8;
  private static final int FEEDS_AT = 9;
  private static final int WIDE_AT = 10;

  private final PagedFile file;
  private final List<String> feeds;
  private final LineNumbers lines;
  private final HostRows hosts;
  private final NetworkTree v4;
  private final NetworkTree v6;
  private final WideRanges wideV4;
  private final WideRanges wideV6;

  private NetworkIndex(PagedFile file, List<String> feeds) throws DamagedFileException {
    MemorySegment body = file.body();
    this.file = file;
    this.feeds = List.copyOf(feeds);
    file.verify(measure(FEEDS_AT), body.byteSize() - measure(FEEDS_AT));
    this.hosts = new HostRows(body, 0, size(HOSTS));
    this.v4 = new NetworkTree(body, measure(V4_AT), size(V4), true);
    this.v6 = new NetworkTree(body, measure(V6_AT), size(V6), false);
    this.lines = new LineNumbers(body, measure(FEEDS_AT), size(FEEDS));
    this.wideV4 = WideRanges.read(body, measure(WIDE_AT), size(WIDE_V4));
    this.wideV6 =
        WideRanges.read(
            body, measure(WIDE_AT) + measure(WIDE_V4) * WideRanges.OCTETS, size(WIDE_V6));
  }

  private long measure(int index) {
    return file.header().measure(index);
  }

  private int size(int index) {
    return Math.toIntExact(measure(index));
  }

  /**
   * Opens an index. Header, feeds and wide ranges are proven; the rest by {@link #verify}.
   *
   * @param feeds names by number
   * @throws DamagedFileException when it is not what was written
   */
  public static NetworkIndex open(Path path, List<String> feeds) throws IOException {
    return new NetworkIndex(PagedFile.open(path, FileKind.NETWORK_INDEX), feeds);
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

  /** Takes an entry of a network. */
  @FunctionalInterface
  private interface Sink {
    void take(int feed, int line, boolean exception);
  }

  private void tell(int code, Sink sink) {
    int feed = lines.feed(code >>> 1);
    sink.take(feed, lines.line(feed, code >>> 1), isException(code));
  }

  private static boolean isException(int code) {
    return (code & 1) != 0;
  }

  private NetworkTree tree(boolean isV4) {
    return isV4 ? v4 : v6;
  }

  /** All entries around an address. */
  public Coverage covering(IpAddress address) {
    Coverage.Collector found = new Coverage.Collector(feeds);
    if (address.isV4()) {
      int bits = address.v4Bits();
      for (int row = hosts.first(bits); hosts.isOf(row, bits); row++) {
        collect(IpPrefix.host(address), hosts.code(row), found);
      }
    }
    NetworkTree tree = tree(address.isV4());
    int last = tree.around(address.first(), address.second());
    for (; last != NetworkTree.NONE; last = tree.parent(last)) {
      IpPrefix prefix = IpPrefix.around(address, tree.length(last));
      for (int row = tree.start(last); row <= last; row++) {
        collect(prefix, tree.code(row), found);
      }
    }
    return found.done();
  }

  private void collect(IpPrefix prefix, int code, Coverage.Collector found) {
    tell(
        code,
        (feed, line, exception) ->
            found.found(feed, new ListEntry.Network(prefix, exception, line)));
  }

  /** Takes a row: an entry of a network. */
  @FunctionalInterface
  private interface Row {
    void take(IpPrefix network, int code);
  }

  /** Gives the rows of networks that are narrower than a network inside it. */
  private void forEachInside(IpPrefix range, Row taker) {
    IpAddress last = range.last();
    if (range.isV4() && !range.isHost()) {
      hosts.forEach(
          range.network().v4Bits(),
          last.v4Bits(),
          (bits, code) -> taker.take(IpPrefix.host(IpAddress.ofV4(bits)), code));
    }
    NetworkTree tree = tree(range.isV4());
    int row = tree.firstFrom(range.network().first(), range.network().second());
    for (; tree.isUpTo(row, last.first(), last.second()); row++) {
      // Wider networks with the same first address are before the range.
      if (tree.length(row) > range.length()) {
        IpAddress first = IpAddress.of(range.isV4(), tree.first(row), tree.second(row));
        taker.take(IpPrefix.around(first, tree.length(row)), tree.code(row));
      }
    }
  }

  /** Counts what is listed inside a network and around it; takes time by what is inside. */
  public RangeTally within(IpPrefix range) {
    RangeTally.Counter counter = new RangeTally.Counter(feeds);
    forEachInside(
        range,
        (network, code) ->
            tell(code, (feed, line, exception) -> counter.inside(network, feed, line, exception)));
    if (range.isV4() && range.isHost()) {
      int bits = range.network().v4Bits();
      for (int row = hosts.first(bits); hosts.isOf(row, bits); row++) {
        around(hosts.code(row), counter);
      }
    }
    NetworkTree tree = tree(range.isV4());
    int last = tree.around(range.network().first(), range.network().second());
    for (; last != NetworkTree.NONE; last = tree.parent(last)) {
      for (int row = tree.start(last); row <= last; row++) {
        if (tree.length(row) <= range.length()) {
          around(tree.code(row), counter);
        }
      }
    }
    return counter.done();
  }

  private void around(int code, RangeTally.Counter counter) {
    tell(code, (feed, line, exception) -> counter.around(feed, exception));
  }

  /** Gives the networks of any feed that are inside a network. */
  public void forEachWithin(IpPrefix range, Consumer<IpPrefix> networks) {
    forEachInside(range, (network, code) -> networks.accept(network));
  }

  /** The line of an entry of a feed, if the feed has that very network with the same sign. */
  public OptionalInt line(int feed, ListEntry.Network entry) {
    IpPrefix prefix = entry.prefix();
    IpAddress network = prefix.network();
    if (prefix.isV4() && prefix.isHost()) {
      int bits = network.v4Bits();
      for (int row = hosts.first(bits); hosts.isOf(row, bits); row++) {
        if (isOf(hosts.code(row), feed, entry.exception())) {
          return OptionalInt.of(lines.line(feed, hosts.code(row) >>> 1));
        }
      }
      return OptionalInt.empty();
    }
    NetworkTree tree = tree(prefix.isV4());
    int last = tree.find(network.first(), network.second(), prefix.length());
    for (int row = last < 0 ? 0 : tree.start(last); row <= last; row++) {
      if (isOf(tree.code(row), feed, entry.exception())) {
        return OptionalInt.of(lines.line(feed, tree.code(row) >>> 1));
      }
    }
    return OptionalInt.empty();
  }

  private boolean isOf(int code, int feed, boolean exception) {
    return isException(code) == exception && lines.feed(code >>> 1) == feed;
  }

  /**
   * True when a listed network too wide for the filter lies around the address. Allocates nothing.
   */
  public boolean inWideRange(IpAddress address) {
    return (address.isV4() ? wideV4 : wideV6).contains(WideRanges.key(address.first()));
  }

  /** True when the filter holds a listing under a pivot of {@link FilterHashes#pivot}. */
  public boolean hasPivot(int pivot) {
    return ((measure(PIVOTS) >>> (pivot / Byte.SIZE)) & 1) != 0;
  }

  /**
   * Takes a row of either family, as {@link IpAddress#first} and {@link IpAddress#second} tell it.
   */
  @FunctionalInterface
  private interface AnyRow {
    void take(boolean isV4, long first, long second, int length, int code);
  }

  private void forEachRow(AnyRow taker) {
    hosts.forEach(
        0,
        -1,
        (bits, code) -> taker.take(true, (long) bits << Integer.SIZE, 0, Integer.SIZE, code));
    for (NetworkTree tree : List.of(v4, v6)) {
      for (int row = 0; row < tree.count(); row++) {
        taker.take(tree == v4, tree.first(row), tree.second(row), tree.length(row), tree.code(row));
      }
    }
  }

  /** Hands over every entry of every feed; takes time by how many there are. */
  public void forEachEntry(EntryVisitor visitor) {
    forEachRow((isV4, first, second, length, code) ->
        tell(
            code,
            (feed, line, exception) -> {
              if (visitor.wants(feed, exception)) {
                IpPrefix prefix = IpPrefix.around(IpAddress.of(isV4, first, second), length);
                visitor.entry(feed, new ListEntry.Network(prefix, exception, line));
              }
            }));
  }

  /** Tells everything that the filter in front must hold, each key once. */
  public void forEachFilterKey(FilterKeys keys) {
    // Rows come in order, so those that one key stands for follow each other.
    long[] lastFirst = new long[FilterHashes.MAX_PIVOT + 1];
    long[] lastSecond = new long[FilterHashes.MAX_PIVOT + 1];
    BitSet given = new BitSet();
    forEachRow((isV4, first, second, length, code) -> {
      int pivot = FilterHashes.pivot(isV4, length);
      // Exceptions list nothing, so the filter need not hit for them.
      if (pivot == FilterHashes.NO_PIVOT || isException(code)) {
        return;
      }
      long keyFirst = first & IpPrefix.leading(pivot);
      long keySecond = second & IpPrefix.leading(pivot - Long.SIZE);
      if (!given.get(pivot) || lastFirst[pivot] != keyFirst || lastSecond[pivot] != keySecond) {
        IpAddress key = IpAddress.of(isV4, keyFirst, keySecond);
        keys.take(key.high(), key.low(), pivot);
      }
      given.set(pivot);
      lastFirst[pivot] = keyFirst;
      lastSecond[pivot] = keySecond;
    });
  }
}
