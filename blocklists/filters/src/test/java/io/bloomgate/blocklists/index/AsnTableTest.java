package io.bloomgate.blocklists.index;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.entry.KeyHash;
import io.bloomgate.blocklists.entry.ListEntry.AsnRow;
import io.bloomgate.blocklists.file.DamagedFileException;
import io.bloomgate.blocklists.file.Keying;
import io.bloomgate.config.name.AsNumber;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.name.IpPrefix;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whose network an address is in: compared with a search of all rows. */
class AsnTableTest {

  private static final long SEED = Long.getLong("seed", 64500);

  @TempDir private Path folder;

  private static AsnRow row(String network, int number, String country) {
    return new AsnRow(
        IpPrefix.parse(network).toOptional().orElseThrow(),
        number == 0 ? null : new AsNumber(number),
        country,
        1);
  }

  private AsnTable table(Map<Integer, List<AsnRow>> unordered) throws IOException {
    Map<Integer, List<AsnRow>> feeds = new TreeMap<>(unordered);
    EntryTally tally = new EntryTally(feeds.size());
    AsnTable.Builder builder = new AsnTable.Builder(tally, feeds.size(), 1 << 24);
    long all = 0;
    for (Map.Entry<Integer, List<AsnRow>> feed : feeds.entrySet()) {
      for (AsnRow row : feed.getValue()) {
        builder.add(feed.getKey(), row);
        all++;
      }
    }
    Map<String, String> digests = new LinkedHashMap<>();
    builder.write(
        folder, new Keying(KeyHash.VERSION, KeyHash.NORMALISATION_VERSION, 1, 2), digests);
    assertEquals(2, digests.size());
    assertEquals(all, tally.total(), "each row is counted once");
    AsnTable table =
        AsnTable.open(folder, feeds.keySet().stream().map(number -> "feed" + number).toList());
    table.verify();
    return table;
  }

  private static List<String> answers(AsnTable table, String asked) {
    return table.of(IpPrefix.parse(asked).toOptional().orElseThrow()).stream()
        .map(answer -> answer.feed() + " " + answer.words() + " " + answer.key())
        .toList();
  }

  @Test
  void theNarrowestRowOfEachTableCounts() throws Exception {
    AsnTable table =
        table(
            Map.of(
                0,
                List.of(
                    row("192.0.0.0/16", 64500, ""),
                    row("192.0.2.0/24", -1, ""),
                    row("192.0.2.0/24", 64510, ""),
                    row("2001:db8::/32", 64501, "")),
                1,
                List.of(row("192.0.2.128/25", 0, "FR"), row("0.0.0.0/0", 0, "IT"))));
    assertEquals(
        List.of("feed1 FR FR", "feed0 AS4294967295 AS4294967295"), answers(table, "192.0.2.200"));
    assertEquals(List.of("feed0 AS64500 AS64500", "feed1 IT IT"), answers(table, "192.0.3.1"));
    assertEquals(List.of("feed0 AS64501 AS64501"), answers(table, "2001:db8:1::1"));
    assertEquals(List.of(), answers(table, "2001:db9::1"));
    assertEquals(List.of("feed0 AS64500 AS64500", "feed1 IT IT"), answers(table, "192.0.4.0/24"));
    assertEquals(List.of(), answers(table, "192.0.2.0/23"), "parts of it are of several");
  }

  @Test
  void randomRowsSayWhatASearchOfAllOfThemSays() throws Exception {
    Random random = new Random(SEED);
    List<AsnRow> rows = new ArrayList<>();
    for (int i = 0; i < 3_000; i++) {
      rows.add(
          new AsnRow(
              IpPrefix.around(address(random), random.nextInt(8, 33)),
              random.nextBoolean() ? new AsNumber(random.nextInt(1, 50)) : null,
              List.of("FR", "IT", "XX").get(random.nextInt(3)),
              i));
    }
    AsnTable table = table(Map.of(0, rows));
    for (int i = 0; i < 20_000; i++) {
      IpAddress asked = address(random);
      @Nullable AsnRow best = null;
      for (AsnRow row : rows) {
        if (row.prefix().contains(asked)
            && (best == null || row.prefix().length() > best.prefix().length())) {
          best = row;
        }
      }
      List<AsnAnswer> expected =
          best == null ? List.of() : List.of(new AsnAnswer("feed0", best.number(), best.country()));
      assertEquals(expected, table.of(IpPrefix.host(asked)), asked + ", -Dseed=" + SEED);
    }
  }

  /** IPv4 and the 32 bits behind 2001:db8, so that rows lie inside one another. */
  private static IpAddress address(Random random) {
    int bits = random.nextInt(256) << 24 | random.nextInt(4) << 22 | random.nextInt(1 << 10);
    return random.nextInt(4) > 0
        ? IpAddress.ofV4(bits)
        : new IpAddress(0x2001_0d00_0000_0000L | (long) random.nextInt(16) << 40, bits);
  }

  @Test
  void anyChangedPageIsDamage() throws Exception {
    table(Map.of(0, List.of(row("192.0.2.0/24", 64500, "FR"))));
    byte[] whole = Files.readAllBytes(folder.resolve(AsnTable.SAID));
    whole[512] ^= 1;
    Files.write(folder.resolve(AsnTable.SAID), whole);
    AsnTable table = AsnTable.open(folder, List.of("feed0"));
    assertThrows(DamagedFileException.class, table::verify);
  }

  @Test
  void withoutRowsThereIsNoFile() throws Exception {
    Map<String, String> digests = new LinkedHashMap<>();
    new AsnTable.Builder(new EntryTally(1), 1, 1 << 20)
        .write(folder, new Keying(KeyHash.VERSION, KeyHash.NORMALISATION_VERSION, 1, 2), digests);
    assertTrue(digests.isEmpty());
    assertFalse(Files.exists(folder.resolve(AsnTable.NETWORKS)));
  }

  @Test
  void theHeapBoundsTheRows() throws Exception {
    AsnTable.Builder builder = new AsnTable.Builder(new EntryTally(1), 1, 100);
    for (int i = 1; i <= 8; i++) {
      builder.add(0, row("192.0.2." + i + "/32", i, "FR"));
    }
    AsnRow oneMore = row("192.0.2.99/32", 99, "FR");
    assertThrows(TooManyEntriesException.class, () -> builder.add(0, oneMore));
  }
}
