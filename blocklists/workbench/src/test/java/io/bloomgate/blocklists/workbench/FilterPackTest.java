package io.bloomgate.blocklists.workbench;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.file.Keying;
import io.bloomgate.blocklists.filter.FilterFile;
import io.bloomgate.blocklists.filter.FilterKind;
import io.bloomgate.blocklists.filter.RandomHashes;
import io.bloomgate.blocklists.filter.kinds.FilterKinds;
import io.bloomgate.blocklists.filter.kinds.FilterRequest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Filters packed for transport: smaller where few bits are set, and the same when they are back.
 */
class FilterPackTest {

  @TempDir Path folder;

  private Path filter(FilterKind kind, int capacity, int entries) throws Exception {
    return filter(kind, 0.01, capacity, entries);
  }

  private Path filter(FilterKind kind, double rate, int capacity, int entries) throws Exception {
    Path file = folder.resolve("f");
    FilterFile.write(
        file,
        FilterKinds.build(
            kind,
            new FilterRequest(capacity, rate, RandomHashes.of(2, 50)),
            RandomHashes.of(1, entries)),
        new Keying(1, 2, 3, 4));
    return file;
  }

  @ParameterizedTest
  @EnumSource
  void everyKindComesBackOctetForOctet(FilterKind kind) throws Exception {
    for (int entries : new int[] {0, 1, 300, 20_000}) {
      Path file = filter(kind, 20_000, entries);
      FilterPack.run(file, folder.resolve("packed"));
      assertEquals("", LoadedFilter.damage(folder.resolve("packed")));
      FilterPack.run(folder.resolve("packed"), folder.resolve("back"));
      assertArrayEquals(
          Files.readAllBytes(file), Files.readAllBytes(folder.resolve("back")), kind.word());
    }
  }

  @ParameterizedTest
  @CsvSource({"CLASSIC, 0.01, 500", "CUCKOO, 0.00000001, 10000"})
  void aFilterWithRoomIsSmaller(FilterKind kind, double rate, int entries) throws Exception {
    Path file = filter(kind, rate, 50_000, entries);
    FilterPack.Report report = FilterPack.run(file, folder.resolve("packed"));
    assertEquals(Files.size(file), report.before());
    assertEquals(Files.size(folder.resolve("packed")), report.octets());
    assertTrue(report.ratio() < 0.5, report.toString());
  }

  @Test
  void aDamagedFileIsRefused() throws Exception {
    FilterPack.run(filter(FilterKind.CLASSIC, 2_000, 50), folder.resolve("packed"));
    byte[] whole = Files.readAllBytes(folder.resolve("packed"));
    Path bad = folder.resolve("bad");
    for (int at = 0; at < whole.length; at += 7) {
      byte[] flipped = whole.clone();
      flipped[at] ^= 4;
      Files.write(bad, flipped);
      assertThrows(
          OfflineException.class, () -> FilterPack.run(bad, folder.resolve("out")), "octet " + at);
      Files.write(bad, Arrays.copyOf(whole, at));
      assertThrows(OfflineException.class, () -> FilterPack.run(bad, folder.resolve("out")));
    }
    assertTrue(Files.notExists(folder.resolve("out")));
  }

  /** All sums are right, and the numbers are not: each is refused, or makes some file that ends. */
  @Test
  void numbersOfAPackedFileAreNotTrusted() throws Exception {
    FilterPack.run(filter(FilterKind.CLASSIC, 2_000, 50), folder.resolve("packed"));
    byte[] whole = Files.readAllBytes(folder.resolve("packed"));
    Path bad = folder.resolve("bad");
    for (int at = 88; at < 88 + 6 * 8; at += 8) {
      for (int octet = 0; octet < 8; octet += 7) {
        byte[] changed = whole.clone();
        changed[at + octet] ^= 0x55;
        Files.write(bad, HostileFilterTest.sealed(changed));
        try {
          FilterPack.run(bad, folder.resolve("out"));
          LoadedFilter.damage(folder.resolve("out"));
        } catch (OfflineException refused) {
          assertEquals(1, refused.problem().lines().count(), refused.problem());
        }
      }
    }
  }
}
