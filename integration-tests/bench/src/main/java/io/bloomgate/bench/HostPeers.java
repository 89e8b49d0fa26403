package io.bloomgate.bench;

import io.bloomgate.blocklists.filter.MembershipFilter;
import io.bloomgate.blocklists.index.NetworkIndex;
import io.bloomgate.config.name.IpAddress;
import it.unimi.dsi.fastutil.ints.IntOpenHashSet;
import java.io.IOException;
import java.nio.file.Path;
import java.util.function.IntPredicate;
import org.roaringbitmap.RoaringBitmap;

/**
 * Exact sets of IPv4 addresses: hosts, and the networks of {@link Indexes} where the maker knows
 * ranges.
 */
final class HostPeers {

  private HostPeers() {}

  /** A set of the hosts 0 to {@code hosts - 1}, asked with the bits of an address. */
  static IntPredicate build(String name, Path folder, int hosts) throws IOException {
    return switch (name) {
      case "network-index" -> networkIndex(folder, hosts);
      case "roaring" -> roaring(hosts);
      case "fastutil-hosts-only" -> new IntOpenHashSet(Keys.hosts(hosts))::contains;
      case "split-block-hosts-only" -> filter(hosts);
      default -> throw new IllegalArgumentException("no set of hosts has the name " + name);
    };
  }

  private static IntPredicate networkIndex(Path folder, int hosts) throws IOException {
    NetworkIndex index = Indexes.networks(folder, hosts, Indexes.RANGES);
    return bits -> !index.covering(IpAddress.ofV4(bits)).standing().isEmpty();
  }

  private static IntPredicate roaring(int hosts) {
    RoaringBitmap bitmap = RoaringBitmap.bitmapOfUnordered(Keys.hosts(hosts));
    for (int i = 0; i < Indexes.RANGES; i++) {
      long first = Integer.toUnsignedLong(Indexes.range(i));
      bitmap.add(first, first + (1L << (Integer.SIZE - Indexes.RANGE_LENGTH)));
    }
    bitmap.runOptimize();
    bitmap.trim();
    return bitmap::contains;
  }

  /** What one probe of a filter costs; it knows no ranges and is not exact. */
  private static IntPredicate filter(int hosts) {
    long[] hashes = new long[hosts];
    for (int i = 0; i < hosts; i++) {
      hashes[i] = Keys.mix(Keys.host(i));
    }
    MembershipFilter filter = HashPeers.ours(HashPeers.kind("split-block"), hashes, LookupRun.RATE);
    return bits -> filter.mightContain(Keys.mix(bits));
  }
}
