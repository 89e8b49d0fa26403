package io.bloomgate.bench;

import io.bloomgate.blocklists.entry.KeyHash;
import io.bloomgate.blocklists.entry.ListEntry;
import io.bloomgate.blocklists.entry.ListEntry.NameMatch;
import io.bloomgate.blocklists.file.Keying;
import io.bloomgate.blocklists.index.EntryTally;
import io.bloomgate.blocklists.index.NameIndex;
import io.bloomgate.blocklists.index.NameIndexBuilder;
import io.bloomgate.blocklists.index.NetworkIndex;
import io.bloomgate.blocklists.index.NetworkIndexBuilder;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.name.IpPrefix;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Exact indexes of the keys of {@link Keys}, written to a folder and opened as sessions do. */
final class Indexes {

  /** Networks that an index of networks holds besides its hosts. */
  static final int RANGES = 20_000;

  /** Length of those networks. */
  static final int RANGE_LENGTH = 22;

  /** Numbers of {@link Keys#host} from here on are the first addresses of networks. */
  private static final long FIRST_RANGE = Keys.FIRST_ABSENT / 2;

  private static final Keying KEYING =
      new Keying(KeyHash.VERSION, 1, 0x0123456789abcdefL, 0x1032547698badcfeL);
  private static final List<String> FEEDS = List.of("bench");

  private Indexes() {}

  /** First address of a network. */
  static int range(int number) {
    return Keys.host(FIRST_RANGE + number) & -1 << (Integer.SIZE - RANGE_LENGTH);
  }

  /** The hosts 0 to {@code hosts - 1}, and networks when they are wanted. */
  static NetworkIndex networks(Path folder, int hosts, int ranges) throws IOException {
    NetworkIndexBuilder builder = new NetworkIndexBuilder(new EntryTally(1), Long.MAX_VALUE);
    for (int i = 0; i < hosts; i++) {
      builder.add(0, network(IpPrefix.host(IpAddress.ofV4(Keys.host(i))), i));
    }
    for (int i = 0; i < ranges; i++) {
      builder.add(0, network(IpPrefix.around(IpAddress.ofV4(range(i)), RANGE_LENGTH), hosts + i));
    }
    Path file = folder.resolve("networks");
    builder.write(file, KEYING);
    return NetworkIndex.open(file, FEEDS);
  }

  private static ListEntry.Network network(IpPrefix prefix, int number) {
    return new ListEntry.Network(prefix, false, number + 1);
  }

  /** The names 0 to {@code count - 1}. */
  static NameIndex names(Path folder, int count) throws IOException {
    Path file = folder.resolve("names");
    try (NameIndexBuilder builder =
        NameIndexBuilder.create(
            new EntryTally(1), Long.MAX_VALUE, KEYING, folder.resolve("names.tmp"))) {
      for (int i = 0; i < count; i++) {
        builder.add(
            0, new ListEntry.Domain(NamePeers.parse(Keys.name(i)), NameMatch.SUFFIX, false, i + 1));
      }
      builder.write(file);
    }
    return NameIndex.open(file, FEEDS);
  }
}
