package io.bloomgate.blocklists.index;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import io.bloomgate.blocklists.entry.ListEntry;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.name.IpPrefix;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Networks at the ends, nested as deep as can be, crowded and sparse. */
class NetworkShapesTest {

  private static final int MANY_HOSTS = 1_200_000;

  @TempDir Path dir;

  @ParameterizedTest
  @EnumSource
  void aChainOfEveryLengthAnswersAtEveryDepth(HostLayout layout) throws Exception {
    List<ListEntry.Network> listings = new ArrayList<>();
    List<ListEntry.Network> excepted = new ArrayList<>();
    for (String text : List.of("203.0.113.255", "0.0.0.0", "2001:db8::ffff", "::")) {
      IpAddress address = BuiltNetworks.address(text);
      for (int length = 0; length <= (address.isV4() ? 32 : 128); length++) {
        IpPrefix prefix = IpPrefix.around(address, length);
        listings.add(new ListEntry.Network(prefix, false, listings.size() + 1));
        excepted.add(new ListEntry.Network(prefix, length > 20, excepted.size() + 1));
      }
    }
    BuiltNetworks built =
        new BuiltNetworks(dir.resolve("index"), List.of(listings, excepted), layout, "chain");
    built.compareContents();
    built.oracle().edges().forEach(built::compare);
  }

  @ParameterizedTest
  @EnumSource
  void theWholeOfBothFamiliesCanBeListed(HostLayout layout) throws Exception {
    List<ListEntry.Network> all =
        List.of(
            BuiltNetworks.entry("0.0.0.0/0", 1),
            BuiltNetworks.entry("::/0", 2),
            BuiltNetworks.except("198.51.100.7", 3),
            BuiltNetworks.except("2001:db8::/32", 4));
    BuiltNetworks built = new BuiltNetworks(dir.resolve("index"), List.of(all), layout, "all");
    built.compareContents();
    built.oracle().edges().forEach(built::compare);
    assertFalse(built.index.listed(BuiltNetworks.address("198.51.100.7")));
    assertTrue(built.index.listed(BuiltNetworks.address("198.51.100.8")));
    assertTrue(built.index.listed(BuiltNetworks.address("::1")));
  }

  @ParameterizedTest
  @EnumSource
  void aFullBlockOfHostsIsFoundToTheLast(HostLayout layout) throws Exception {
    List<ListEntry.Network> hosts = new ArrayList<>();
    // A /18 with every host, and a lone host on either side.
    int start = 0xc0004000;
    hosts.add(host(start - 0x4000, 1));
    for (int i = 0; i < 1 << 14; i++) {
      hosts.add(host(start + i, i + 2));
    }
    hosts.add(host(start + 0x7fff, 7));
    BuiltNetworks built = new BuiltNetworks(dir.resolve("index"), List.of(hosts), layout, "full");
    for (int address = start - 0x4000; address < start + 0x8000; address++) {
      boolean expected =
          address == start - 0x4000
              || (address >= start && address < start + 0x4000)
              || address == start + 0x7fff;
      assertEquals(expected, built.index.listedV4(address), "address " + address);
    }
    for (ListEntry.Network entry : hosts) {
      assertEquals(
          List.of("0 " + entry.line() + " " + entry.text()),
          BuiltNetworks.listings(built.index.covering(entry.prefix().network())));
    }
  }

  private static ListEntry.Network host(int bits, int line) {
    return new ListEntry.Network(IpPrefix.host(IpAddress.ofV4(bits)), false, line);
  }

  @Test
  void manyHostsMakeATableOfFewOctetsEach() throws Exception {
    SplittableRandom random = new SplittableRandom(6);
    NetworkIndexBuilder builder = new NetworkIndexBuilder(new EntryTally(1));
    int[] bits = new int[MANY_HOSTS];
    for (int i = 0; i < bits.length; i++) {
      bits[i] = random.nextInt(1 << 26);
      builder.add(0, host(bits[i], i + 1));
    }
    Path path = dir.resolve("index");
    builder.write(path, BuiltNetworks.KEYING);
    NetworkIndex index = NetworkIndex.open(path, BuiltNetworks.names(1));
    assertEquals(HostLayout.TABLE, index.hostLayout());
    long octets = index.file().body().byteSize();
    // Three for the line, little more than one for the address, and the table of 8 MiB.
    assertTrue(octets < MANY_HOSTS * 4.4 + (8 << 20), "octets " + octets);
    for (int address : bits) {
      assertTrue(index.listedV4(address), "address " + address);
      assertFalse(index.listedV4(address | Integer.MIN_VALUE), "address " + address);
    }
  }

  @Test
  void fewHostsAreRanges() throws Exception {
    List<ListEntry.Network> hosts = List.of(host(0x7f000001, 1), host(-1, 2), host(0, 3));
    BuiltNetworks built = new BuiltNetworks(dir.resolve("index"), List.of(hosts), null, "few");
    assertEquals(HostLayout.RANGES, built.index.hostLayout());
    built.oracle().edges().forEach(built::compare);
    assertTrue(built.index.file().body().byteSize() < 1024);
  }

  @Test
  void theChoiceIsWhatMakesTheSmallerFile() throws Exception {
    for (int hosts : new int[] {850_000, 1_050_000}) {
      SplittableRandom random = new SplittableRandom(hosts);
      HostLayout other = hosts < 900_000 ? HostLayout.TABLE : HostLayout.RANGES;
      NetworkIndexBuilder chosen = new NetworkIndexBuilder(new EntryTally(1));
      NetworkIndexBuilder forced =
          new NetworkIndexBuilder(new EntryTally(1), Long.MAX_VALUE, other);
      for (int i = 0; i < hosts; i++) {
        ListEntry.Network host = host(random.nextInt(1 << 25), i);
        chosen.add(0, host);
        forced.add(0, host);
      }
      assertTrue(octets(chosen) < octets(forced), hosts + " hosts");
    }
  }

  private long octets(NetworkIndexBuilder builder) throws Exception {
    Path path = dir.resolve("sized");
    builder.write(path, BuiltNetworks.KEYING);
    return NetworkIndex.open(path, BuiltNetworks.names(1)).file().body().byteSize();
  }

  @ParameterizedTest
  @EnumSource
  void aVerdictAllocatesNothing(HostLayout layout) throws Exception {
    List<ListEntry.Network> entries =
        List.of(
            BuiltNetworks.entry("203.0.113.7", 1),
            BuiltNetworks.entry("198.51.100.0/22", 2),
            BuiltNetworks.except("198.51.100.9", 3),
            BuiltNetworks.entry("2001:db8::/32", 4));
    BuiltNetworks built = new BuiltNetworks(dir.resolve("index"), List.of(entries), layout, "own");
    List<IpAddress> addresses = built.oracle().edges();
    // Twice, so that the compiler has done its work.
    verdicts(built.index, addresses);
    verdicts(built.index, addresses);
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long before = threads.getCurrentThreadAllocatedBytes();
    long cost = threads.getCurrentThreadAllocatedBytes() - before;
    before = threads.getCurrentThreadAllocatedBytes();
    int listed = verdicts(built.index, addresses);
    long after = threads.getCurrentThreadAllocatedBytes();
    assertEquals(0, after - before - cost);
    assertTrue(listed > 0);
  }

  private static int verdicts(NetworkIndex index, List<IpAddress> addresses) {
    int listed = 0;
    for (int round = 0; round < 20_000; round++) {
      for (int i = 0; i < addresses.size(); i++) {
        listed += index.listed(addresses.get(i)) ? 1 : 0;
      }
    }
    return listed;
  }
}
