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
import org.jspecify.annotations.Nullable;

/**
 * Every listed network of IPv4 and IPv6, in a mapped file: a {@link NetworkTree} for each family,
 * and beside it a {@link HostTable} where IPv4 hosts are dense. Overlapping entries keep all their
 * listings. Read by sessions on any thread, after a filter hit; immutable.
 *
 * <p>The verdict of every network, exceptions counted, was found at the build, so {@link #listed}
 * is one search; {@link #covering} reads the entries too.
 */
public final class NetworkIndex {

  /** The least length of a range of which each address is looked up among the hosts. */
  private static final int ASKED_ONE_BY_ONE_BITS = 16;

  private final PagedFile file;
  private final List<String> feeds;
  private final NetworkLayout layout;
  private final EntryCode.Reader entries;
  private final @Nullable HostTable hosts;
  private final NetworkTree v4;
  private final NetworkTree v6;
  private final WideRanges wideV4;
  private final WideRanges wideV6;

  private NetworkIndex(PagedFile file, NetworkLayout layout, List<String> feeds)
      throws DamagedFileException {
    MemorySegment body = file.body();
    this.file = file;
    this.feeds = List.copyOf(feeds);
    this.layout = layout;
    this.entries =
        new EntryCode.Reader(
            body, layout.code(), layout.postings().at(), layout.postings().count());
    this.hosts = hosts(file, layout);
    this.v4 = new NetworkTree(body, layout.v4(), true);
    this.v6 = new NetworkTree(body, layout.v6(), false);
    this.wideV4 = ranges(file, layout.wideV4());
    this.wideV6 = ranges(file, layout.wideV6());
  }

  /**
   * Opens an index. Header, the words of the host table and wide ranges are proven; the rest by
   * {@link #verify}.
   *
   * @param feeds names by number
   * @throws DamagedFileException when it is not what was written
   */
  public static NetworkIndex open(Path path, List<String> feeds) throws IOException {
    PagedFile file = PagedFile.open(path, FileKind.NETWORK_INDEX);
    return new NetworkIndex(file, NetworkLayout.read(file.header()), feeds);
  }

  private static @Nullable HostTable hosts(PagedFile file, NetworkLayout layout)
      throws DamagedFileException {
    return switch (layout.hostLayout()) {
      case RANGES -> null;
      case TABLE -> {
        file.verify(layout.hosts().table(), HostTable.TABLE_OCTETS);
        yield new HostTable(file.body(), layout.hosts());
      }
    };
  }

  private static WideRanges ranges(PagedFile file, NetworkLayout.Part part)
      throws DamagedFileException {
    file.verify(part.at(), part.count() * WideRanges.OCTETS);
    return WideRanges.read(file.body(), part.at(), Math.toIntExact(part.count()));
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

  /** The layout of the IPv4 hosts; chosen by size when the index was built. */
  public HostLayout hostLayout() {
    return layout.hostLayout();
  }

  /**
   * True when a listing is around the address that no exception of its feed voids: {@link
   * Coverage#standing} is not empty. Allocates nothing.
   */
  public boolean listed(IpAddress address) {
    if (address.isV4()) {
      return listedV4(address.v4Bits());
    }
    int node = v6.around(address.high(), address.low());
    return node != NetworkTree.NONE && v6.standing(node);
  }

  /** The same for the 32 bits of an IPv4 address. */
  public boolean listedV4(int address) {
    if (hosts != null) {
      long host = hosts.find(address);
      if (host != HostTable.NONE) {
        return hosts.standing(host);
      }
      if (!hosts.touchedByNetwork(address)) {
        return false;
      }
    }
    int node = v4.around((long) address << Integer.SIZE, 0);
    return node != NetworkTree.NONE && v4.standing(node);
  }

  /** All entries around an address. */
  public Coverage covering(IpAddress address) {
    Coverage.Collector found = new Coverage.Collector(feeds);
    if (hosts != null && address.isV4()) {
      long host = hosts.find(address.v4Bits());
      if (host != HostTable.NONE) {
        collect(IpPrefix.host(address), hosts.value(host, entries), found);
      }
      if (!hosts.touchedByNetwork(address.v4Bits())) {
        return found.done();
      }
    }
    NetworkTree tree = address.isV4() ? v4 : v6;
    int node = tree.around(Words.first(address), Words.second(address));
    for (; node != NetworkTree.NONE; node = tree.parent(node)) {
      IpPrefix prefix = IpPrefix.around(address, tree.length(node));
      collect(prefix, tree.value(node, entries), found);
    }
    return found.done();
  }

  private void collect(IpPrefix prefix, long value, Coverage.Collector found) {
    entries.forEach(
        value,
        (feed, line, exception) ->
            found.found(feed, new ListEntry.Network(prefix, exception, line)));
  }

  /** Counts what is listed inside a network and around it; takes time by what is inside. */
  public RangeTally within(IpPrefix range) {
    RangeTally.Counter counter = new RangeTally.Counter(feeds);
    if (hosts != null && range.isV4()) {
      hostsWithin(
          hosts,
          range,
          (host, value) -> {
            if (range.isHost()) {
              entries.forEach(value, (feed, line, exception) -> counter.around(feed, exception));
            } else {
              tally(host, value, counter);
            }
          });
    }
    NetworkTree tree = range.isV4() ? v4 : v6;
    forEachNode(tree, range, (node, network) -> tally(network, tree.value(node, entries), counter));
    around(tree, range, counter);
    return counter.done();
  }

  /** Gives the networks of any feed that are inside a network. */
  public void forEachWithin(IpPrefix range, Consumer<IpPrefix> networks) {
    if (hosts != null && range.isV4() && !range.isHost()) {
      hostsWithin(hosts, range, (host, value) -> networks.accept(host));
    }
    forEachNode(range.isV4() ? v4 : v6, range, (node, network) -> networks.accept(network));
  }

  /** Takes a host and the value of its entries. */
  @FunctionalInterface
  private interface Host {
    void take(IpPrefix host, long value);
  }

  /** Takes a network and its place in a tree. */
  @FunctionalInterface
  private interface Node {
    void take(int node, IpPrefix network);
  }

  private static void forEachNode(NetworkTree tree, IpPrefix range, Node taker) {
    IpAddress last = range.last();
    int node = tree.firstFrom(Words.first(range.network()), Words.second(range.network()));
    for (; tree.isUpTo(node, Words.first(last), Words.second(last)); node++) {
      // Wider networks with the same first address are before the range.
      if (tree.length(node) > range.length()) {
        IpAddress address = Words.address(range.isV4(), tree.first(node), tree.second(node));
        taker.take(node, IpPrefix.around(address, tree.length(node)));
      }
    }
  }

  private void hostsWithin(HostTable table, IpPrefix range, Host taker) {
    if (range.length() < ASKED_ONE_BY_ONE_BITS) {
      table.forEach((bits, host) -> {
        IpAddress address = IpAddress.ofV4(bits);
        if (range.contains(address)) {
          taker.take(IpPrefix.host(address), table.value(host, entries));
        }
      });
      return;
    }
    int first = range.network().v4Bits();
    for (int i = 0; i < 1 << (Integer.SIZE - range.length()); i++) {
      long host = table.find(first + i);
      if (host != HostTable.NONE) {
        taker.take(IpPrefix.host(IpAddress.ofV4(first + i)), table.value(host, entries));
      }
    }
  }

  private void tally(IpPrefix prefix, long value, RangeTally.Counter counter) {
    entries.forEach(
        value, (feed, line, exception) -> counter.inside(prefix, feed, line, exception));
  }

  private void around(NetworkTree tree, IpPrefix range, RangeTally.Counter counter) {
    IpAddress network = range.network();
    int node = tree.around(Words.first(network), Words.second(network));
    for (; node != NetworkTree.NONE; node = tree.parent(node)) {
      if (tree.length(node) <= range.length()) {
        entries.forEach(
            tree.value(node, entries), (feed, line, exception) -> counter.around(feed, exception));
      }
    }
  }

  /** The line of an entry of a feed, if the feed has that very network with the same sign. */
  public OptionalInt line(int feed, ListEntry.Network entry) {
    IpPrefix prefix = entry.prefix();
    IpAddress network = prefix.network();
    if (hosts != null && prefix.isV4() && prefix.length() == Integer.SIZE) {
      long host = hosts.find(network.v4Bits());
      return host == HostTable.NONE
          ? OptionalInt.empty()
          : entries.line(hosts.value(host, entries), feed, entry.exception());
    }
    NetworkTree tree = prefix.isV4() ? v4 : v6;
    int node = tree.find(Words.first(network), Words.second(network), prefix.length());
    return node == NetworkTree.NONE
        ? OptionalInt.empty()
        : entries.line(tree.value(node, entries), feed, entry.exception());
  }

  /**
   * True when a listed network too wide for the filter lies around the address. Allocates nothing.
   */
  public boolean inWideRange(IpAddress address) {
    return (address.isV4() ? wideV4 : wideV6).contains(WideRanges.key(Words.first(address)));
  }

  /** True when the family has listings of these lengths, both ends included. */
  public boolean hasLengths(boolean isV4, int from, int to) {
    int next = (isV4 ? layout.lengthsV4() : layout.lengthsV6()).nextSetBit(from);
    return next >= 0 && next <= to;
  }

  /** Takes a network of either family, as {@link Words#first} and {@link Words#second} tell it. */
  @FunctionalInterface
  private interface Network {
    void take(boolean isV4, long first, long second, int length, long value);
  }

  private void forEachNetwork(Network taker) {
    if (hosts != null) {
      HostTable table = hosts;
      table.forEach((bits, host) -> {
        long first = (long) bits << Integer.SIZE;
        taker.take(true, first, 0, Integer.SIZE, table.value(host, entries));
      });
    }
    forEachNetwork(v4, true, taker);
    forEachNetwork(v6, false, taker);
  }

  private void forEachNetwork(NetworkTree tree, boolean isV4, Network taker) {
    for (int node = 0; node < tree.count(); node++) {
      long value = tree.value(node, entries);
      taker.take(isV4, tree.first(node), tree.second(node), tree.length(node), value);
    }
  }

  /** Hands over every entry of every feed; takes time by how many there are. */
  public void forEachEntry(EntryVisitor visitor) {
    forEachNetwork((isV4, first, second, length, value) ->
        entries.forEach(
            value,
            (feed, line, exception) -> {
              if (visitor.wants(feed, exception)) {
                IpPrefix prefix = IpPrefix.around(Words.address(isV4, first, second), length);
                visitor.entry(feed, new ListEntry.Network(prefix, exception, line));
              }
            }));
  }

  /** Tells everything that the filter in front must hold, each key once. */
  public void forEachFilterKey(FilterKeys keys) {
    // Networks come in order, so those that one pivot stands for follow each other.
    long[] last = new long[FilterHashes.V6_NARROW_PIVOT + 1];
    BitSet given = new BitSet();
    forEachNetwork((isV4, first, second, length, value) -> {
      int pivot = FilterHashes.pivot(isV4, length);
      // Exceptions list nothing, so the filter need not hit for them.
      if (pivot == FilterHashes.NO_PIVOT || !entries.lists(value)) {
        return;
      }
      boolean host = FilterHashes.isHost(pivot);
      IpAddress key = Words.address(isV4, first & Words.leading(pivot), host ? second : 0);
      if (host || !given.get(pivot) || last[pivot] != first >>> (Long.SIZE - pivot)) {
        keys.take(key.high(), key.low(), pivot);
      }
      if (!host) {
        given.set(pivot);
        last[pivot] = first >>> (Long.SIZE - pivot);
      }
    });
  }
}
