package io.bloomgate.blocklists.workbench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.filter.HashSource;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The hashes of a build, in memory and in a file, with a sorted set as the oracle. */
class HashSpoolTest {

  private static final long SEED = 271828;

  @TempDir Path folder;

  private static List<Long> all(HashSource source) {
    List<Long> hashes = new ArrayList<>();
    source.forEach(hashes::add);
    return hashes;
  }

  private long files() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.count();
    }
  }

  @ParameterizedTest
  @CsvSource({"10, 3000", "1000, 1000", "1000, 40000", "100000, 40000", "700, 100000"})
  void everyHashIsThereOnceInOrder(int room, int count) throws IOException {
    SplittableRandom random = new SplittableRandom(SEED);
    TreeSet<Long> oracle = new TreeSet<>(Long::compareUnsigned);
    try (HashSpool spool = new HashSpool(folder, room, Long.MAX_VALUE)) {
      for (int i = 0; i < count; i++) {
        // A third of the hashes are repeats, of hashes that came long ago.
        long hash = random.nextInt(count) * 0x9e3779b97f4a7c15L;
        spool.accept(hash);
        oracle.add(hash);
      }
      HashSource distinct = spool.distinct();
      assertEquals(oracle.size(), distinct.count(), "seed " + SEED);
      List<Long> first = all(distinct);
      first.sort(Long::compareUnsigned);
      assertEquals(List.copyOf(oracle), first, "seed " + SEED);
      assertEquals(all(distinct), all(distinct), "it can be asked again");
      assertFalse(spool.overfull());
      assertEquals(0, files(), "the temporary file has no name");
    }
    assertEquals(0, files());
  }

  @Test
  void extremeHashesAreHashes() throws IOException {
    long[] hashes = {0, -1, Long.MIN_VALUE, Long.MAX_VALUE, 0, -1, 1, -2, 0};
    try (HashSpool spool = new HashSpool(folder, 3, Long.MAX_VALUE)) {
      for (long hash : hashes) {
        spool.accept(hash);
      }
      assertEquals(6, spool.distinct().count());
    }
  }

  @Test
  void moreThanTheLimitAreReported() throws IOException {
    try (HashSpool spool = new HashSpool(folder, 100, 1000)) {
      for (long i = 0; i < 5000; i++) {
        spool.accept(i * 0x9e3779b97f4a7c15L);
      }
      assertTrue(spool.overfull());
    }
  }

  @Test
  void aFewNeedNoFile() throws IOException {
    try (HashSpool spool = new HashSpool(folder.resolve("missing"), 100, 1000)) {
      for (long i = 0; i < 50; i++) {
        spool.accept(i);
      }
      assertEquals(50, spool.distinct().count());
      assertThrows(
          UncheckedIOException.class,
          () -> {
            for (long i = 0; i < 500; i++) {
              spool.accept(i);
            }
          });
    }
  }
}
