package io.bloomgate.blocklists.index;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.bloomgate.blocklists.entry.ListEntry;
import io.bloomgate.blocklists.file.Keying;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.name.IpPrefix;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;

/** An index built out of feeds, and its comparison with the oracle. */
final class BuiltNetworks {

  static final Keying KEYING = new Keying(1, 1, 2, 3);

  final NetworkIndex index;
  final EntryTally tally;
  private final NetworkOracle oracle;
  private final String what;
  private final int feeds;

  /**
   * Builds and opens an index.
   *
   * @param what for messages: the seed
   */
  BuiltNetworks(Path path, List<List<ListEntry.Network>> feeds, String what) throws IOException {
    this.tally = new EntryTally(feeds.size());
    NetworkIndexBuilder builder = new NetworkIndexBuilder(tally, Long.MAX_VALUE);
    for (int feed = 0; feed < feeds.size(); feed++) {
      for (ListEntry.Network entry : feeds.get(feed)) {
        builder.add(feed, entry);
      }
    }
    builder.write(path, KEYING);
    this.index = NetworkIndex.open(path, names(feeds.size()));
    this.oracle = new NetworkOracle(feeds);
    this.what = what;
    this.feeds = feeds.size();
  }

  static List<String> names(int feeds) {
    return IntStream.range(0, feeds).mapToObj(Integer::toString).toList();
  }

  static ListEntry.Network entry(String text, int line) {
    return new ListEntry.Network(prefix(text), false, line);
  }

  static ListEntry.Network except(String text, int line) {
    return new ListEntry.Network(prefix(text), true, line);
  }

  static IpPrefix prefix(String text) {
    return IpPrefix.parse(text).toOptional().orElseThrow();
  }

  static IpAddress address(String text) {
    return IpAddress.parse(text).toOptional().orElseThrow();
  }

  NetworkOracle oracle() {
    return oracle;
  }

  /** Compares what is said of an address; true when it is listed. */
  boolean compare(IpAddress address) {
    String asked = what + " asked " + address;
    Coverage coverage = index.covering(address);
    List<String> expected = oracle.standing(address);
    assertEquals(expected, listings(coverage), asked);
    assertEquals(oracle.lists(address), coverage.listed(), asked);
    assertEquals(oracle.wide(address), index.inWideRange(address), asked);
    return coverage.listed();
  }

  /** {@code feed line text} of each listing that counts. */
  static List<String> listings(Coverage coverage) {
    return coverage.standing().stream()
        .map(l -> l.feed() + " " + l.entry().line() + " " + l.entry().text())
        .toList();
  }

  /** Compares everything but addresses: entries, filter keys, lengths and counts. */
  void compareContents() throws IOException {
    index.verify();
    for (NetworkOracle.Row row : oracle.rows()) {
      assertEquals(
          OptionalInt.of(row.entry().line()),
          index.line(row.feed(), row.entry()),
          what + " entry " + row);
    }
    List<String> keys = filterKeys();
    Set<String> distinct = new TreeSet<>(keys);
    assertEquals(oracle.filterKeys(), distinct, what);
    assertEquals(distinct.size(), keys.size(), what + ": a key comes twice");
    for (int pivot : List.of(24, 32, 48, 64, 128)) {
      assertEquals(
          keys.stream().anyMatch(key -> key.endsWith("/" + pivot)),
          index.hasPivot(pivot),
          what + " pivot " + pivot);
    }
    assertEquals(oracle.rows().size(), index.file().header().entries(), what);
    long duplicates =
        IntStream.range(0, feeds).mapToLong(f -> tally.of(f, EntryTally.Kind.DUPLICATE)).sum();
    assertEquals(oracle.duplicates(), duplicates, what);
    assertEquals(oracle.rows().size() + duplicates, tally.total(), what);
  }

  private List<String> filterKeys() {
    List<String> keys = new ArrayList<>();
    index.forEachFilterKey((high, low, length) -> {
      keys.add(new IpAddress(high, low) + "/" + length);
    });
    return keys;
  }
}
