package io.bloomgate.blocklists.workbench;

import static org.junit.jupiter.api.Assertions.assertEquals;
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
class DistinctHashesTest {

  private static final long SEED = 271828;
  private static final long GOLDEN = 0x9e3779b97f4a7c15L;

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
  @CsvSource({"10, 3000", "1000, 1000", "100000, 40000", "700, 20000"})
  void everyHashIsThereOnceInOrder(int room, int count) throws IOException {
    SplittableRandom random = new SplittableRandom(SEED);
    TreeSet<Long> oracle = new TreeSet<>(Long::compareUnsigned);
    try (DistinctHashes hashes = new DistinctHashes(folder, room)) {
      for (int i = 0; i < count; i++) {
        // A third of the hashes are repeats, of hashes that came long ago.
        long hash = random.nextInt(count) * GOLDEN;
        hashes.accept(hash);
        oracle.add(hash);
      }
      assertEquals(oracle.size(), hashes.count(), "seed " + SEED);
      assertEquals(List.copyOf(oracle), all(hashes), "seed " + SEED);
      assertEquals(all(hashes), all(hashes), "it can be asked again");
      List<Long> parts = new ArrayList<>();
      hashes.parts().forEach(part -> parts.addAll(all(part)));
      assertEquals(List.copyOf(oracle), parts, "the parts are all of it");
      assertEquals(0, files(), "the temporary file has no name");
    }
    assertEquals(0, files());
  }

  @ParameterizedTest
  @CsvSource({"50", "100000"})
  void whatAnotherSetLacksIsGiven(int room) throws IOException {
    try (DistinctHashes one = new DistinctHashes(folder, room);
        DistinctHashes other = new DistinctHashes(folder, room)) {
      List<Long> expected = new ArrayList<>();
      for (long i = 0; i < 3_000; i++) {
        one.accept(i * GOLDEN);
        if (i % 3 == 0) {
          other.accept(i * GOLDEN);
        } else {
          expected.add(i * GOLDEN);
        }
        other.accept((i + 5_000) * GOLDEN);
      }
      expected.sort(Long::compareUnsigned);
      assertEquals(expected, all(one.without(other)));
    }
  }

  @Test
  void extremeHashesAreHashes() throws IOException {
    long[] hashes = {0, -1, Long.MIN_VALUE, Long.MAX_VALUE, 0, -1, 1, -2, 0};
    try (DistinctHashes all = new DistinctHashes(folder, 3)) {
      for (long hash : hashes) {
        all.accept(hash);
      }
      assertEquals(List.of(0L, 1L, Long.MAX_VALUE, Long.MIN_VALUE, -2L, -1L), all(all));
    }
  }

  @Test
  void aFewNeedNoFile() throws IOException {
    try (DistinctHashes hashes = new DistinctHashes(folder.resolve("missing"), 100)) {
      for (long i = 0; i < 50; i++) {
        hashes.accept(i);
      }
      assertEquals(50, hashes.count());
      assertThrows(
          UncheckedIOException.class,
          () -> {
            for (long i = 0; i < 500; i++) {
              hashes.accept(i);
            }
          });
      assertTrue(Files.notExists(folder.resolve("missing")));
    }
  }
}
