package io.bloomgate.blocklists.index;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.entry.ListEntry;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.name.IpPrefix;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Random networks that overlap, repeat and except one another, against big numbers. */
class NetworkIndexTest {

  private static final int ADDRESSES = 600;
  private static final int FEEDS = 4;

  @TempDir Path dir;

  @ParameterizedTest
  @CsvSource({"1,10", "4,150", "5,0", "7,150", "9,400"})
  void everyAnswerIsThatOfReadingEveryEntry(long seed, int size) throws Exception {
    SplittableRandom random = new SplittableRandom(seed);
    List<List<ListEntry.Network>> feeds = new ArrayList<>();
    for (int feed = 0; feed < FEEDS; feed++) {
      feeds.add(feed(random, size));
    }
    String what = "seed " + seed;
    BuiltNetworks built = new BuiltNetworks(dir.resolve("index"), feeds, what);
    built.compareContents();
    int listed = 0;
    for (int i = 0; i < ADDRESSES; i++) {
      listed += built.compare(address(random)) ? 1 : 0;
    }
    assertTrue(size == 0 || (listed > 0 && listed < ADDRESSES), what + " listed " + listed);
    built.oracle().edges().forEach(built::compare);
    absentEntriesHaveNoLine(built, random, what);
    rangesAreCounted(built, random, what);
  }

  private static void rangesAreCounted(BuiltNetworks built, SplittableRandom random, String what) {
    for (int i = 0; i < ADDRESSES / 4; i++) {
      IpPrefix one = entry(random, 1).prefix();
      IpPrefix range =
          i % 2 == 0 ? one : IpPrefix.around(one.network(), random.nextInt(one.length() + 1));
      Set<String> inside = new HashSet<>();
      Set<String> around = new HashSet<>();
      built.oracle().rows().stream()
          .filter(row -> !row.entry().exception())
          .filter(row -> row.entry().prefix().isV4() == range.isV4())
          .filter(row -> row.entry().prefix().overlaps(range))
          .forEach(row ->
              (row.entry().prefix().length() > range.length() ? inside : around)
                  .add(row.feed() + " " + row.entry().prefix()));
      RangeTally tally = built.index.within(range);
      assertEquals(inside.size(), tally.insideAll(), what + " inside " + range);
      assertEquals(around.size(), tally.aroundAll(), what + " around " + range);
      assertEquals(Math.min(RangeTally.MAX_NAMED, inside.size()), tally.first().size(), what);
    }
  }

  @Test
  void moreThanThereIsRoomForIsRefused() throws Exception {
    NetworkIndexBuilder builder = new NetworkIndexBuilder(new EntryTally(2), 100 * 8 + 32);
    for (int i = 0; i < 100; i++) {
      builder.add(i / 60, BuiltNetworks.entry("192.0.2." + i, 1 + i));
    }
    TooManyEntriesException refused =
        assertThrows(
            TooManyEntriesException.class,
            () -> {
              for (int i = 0; i < 5; i++) {
                builder.add(1, BuiltNetworks.entry("198.51.100." + i, 101 + i));
              }
            });
    assertTrue(
        String.valueOf(refused.getMessage()).startsWith("all feeds together"),
        refused.getMessage());
  }

  private static void absentEntriesHaveNoLine(
      BuiltNetworks built, SplittableRandom random, String what) {
    for (int i = 0; i < ADDRESSES; i++) {
      ListEntry.Network asked = entry(random, 1);
      int feed = random.nextInt(FEEDS);
      OptionalInt expected =
          built.oracle().rows().stream()
              .filter(r -> r.feed() == feed && r.entry().prefix().equals(asked.prefix()))
              .filter(r -> r.entry().exception() == asked.exception())
              .mapToInt(r -> r.entry().line())
              .findFirst();
      assertEquals(expected, built.index.line(feed, asked), what + " asked " + asked);
    }
  }

  private static List<ListEntry.Network> feed(SplittableRandom random, int size) {
    List<ListEntry.Network> entries = new ArrayList<>();
    for (int line = 1; line <= size; line++) {
      entries.add(entry(random, 200 * line + random.nextInt(200)));
    }
    return entries;
  }

  private static ListEntry.Network entry(SplittableRandom random, int line) {
    IpAddress address = address(random);
    int longest = address.isV4() ? 32 : 128;
    int length =
        switch (random.nextInt(8)) {
          case 0 -> random.nextInt(6, longest + 1);
          case 1, 2, 3 -> random.nextInt(longest - 10, longest + 1);
          default -> longest;
        };
    boolean exception = random.nextInt(5) == 0;
    return new ListEntry.Network(IpPrefix.around(address, length), exception, line);
  }

  /** Crowded around few places, the ends of both families among them; a few anywhere. */
  private static IpAddress address(SplittableRandom random) {
    if (random.nextInt(16) == 0) {
      return random.nextBoolean()
          ? IpAddress.ofV4(random.nextInt())
          : new IpAddress(random.nextLong(), random.nextLong());
    }
    if (random.nextBoolean()) {
      int[] nets = {0, 0x0a000000, 0xc0000200, 0xcb007100, 0xffffff00, 0x7fffff00, 0x80000000};
      return IpAddress.ofV4(nets[random.nextInt(nets.length)] ^ random.nextInt(1 << 9));
    }
    long[] highs = {0, 0x20010db8_00000000L, 0x2a001450_40010800L, -1L, Long.MIN_VALUE};
    long high = highs[random.nextInt(highs.length)] ^ (random.nextLong() & 0x1_0003L);
    long low = random.nextBoolean() ? random.nextLong(1 << 6) : ~random.nextLong(1 << 4);
    return new IpAddress(high, low);
  }
}
