package io.bloomgate.blocklists.index;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.entry.ListEntry;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.name.IpPrefix;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Networks at the ends, nested as deep as can be, crowded and sparse. */
class NetworkShapesTest {

  private static final int MANY_HOSTS = 300_000;

  @TempDir Path dir;

  @Test
  void aChainOfEveryLengthAnswersAtEveryDepth() throws Exception {
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
        new BuiltNetworks(dir.resolve("index"), List.of(listings, excepted), "chain");
    built.compareContents();
    built.oracle().edges().forEach(built::compare);
  }

  @Test
  void aFullBlockOfHostsIsFoundToTheLast() throws Exception {
    List<ListEntry.Network> hosts = new ArrayList<>();
    // A /18 with every host, and a lone host on either side.
    int start = 0xc0004000;
    hosts.add(host(start - 0x4000, 1));
    for (int i = 0; i < 1 << 14; i++) {
      hosts.add(host(start + i, i + 2));
    }
    hosts.add(host(start + 0x7fff, 7));
    BuiltNetworks built = new BuiltNetworks(dir.resolve("index"), List.of(hosts), "full");
    for (int address = start - 0x4000; address < start + 0x8000; address++) {
      boolean expected =
          address == start - 0x4000
              || (address >= start && address < start + 0x4000)
              || address == start + 0x7fff;
      assertEquals(
          expected, built.index.covering(IpAddress.ofV4(address)).listed(), "address " + address);
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
  void manyHostsTakeFewOctetsEach() throws Exception {
    SplittableRandom random = new SplittableRandom(6);
    NetworkIndexBuilder builder = new NetworkIndexBuilder(new EntryTally(1), Long.MAX_VALUE);
    int[] bits = new int[MANY_HOSTS];
    for (int i = 0; i < bits.length; i++) {
      bits[i] = random.nextInt(1 << 26);
      builder.add(0, host(bits[i], i + 1));
    }
    Path path = dir.resolve("index");
    builder.write(path, BuiltNetworks.KEYING);
    NetworkIndex index = NetworkIndex.open(path, BuiltNetworks.names(1));
    long octets = index.file().body().byteSize();
    // Two for the address, four for feed and line, and the directory of 256 KiB.
    assertTrue(octets < MANY_HOSTS * 6L + (1 << 19), "octets " + octets);
    for (int address : bits) {
      assertTrue(index.covering(IpAddress.ofV4(address)).listed(), "address " + address);
      IpAddress other = IpAddress.ofV4(address | Integer.MIN_VALUE);
      assertFalse(index.covering(other).listed(), "address " + other);
    }
  }
}
