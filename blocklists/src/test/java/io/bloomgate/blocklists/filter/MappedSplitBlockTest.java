package io.bloomgate.blocklists.filter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.entry.KeyHash;
import io.bloomgate.blocklists.file.DamagedFileException;
import io.bloomgate.blocklists.file.FileHeader;
import io.bloomgate.blocklists.file.Keying;
import io.bloomgate.blocklists.file.PagedFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A filter in its file answers as the same filter in memory. */
@Tag("filters")
final class MappedSplitBlockTest {

  private static final int ENTRIES = 400_000;

  /** Each question proves a page, which takes some microseconds. */
  private static final int ASKED = 10_000;

  @TempDir private Path directory;
  private final long seed = System.nanoTime();

  private SplitBlockFilter write(Path file) throws Exception {
    SplitBlockFilterBuilder builder =
        new SplitBlockFilterBuilder(FilterSizing.splitBlock(ENTRIES, 0.05));
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < ENTRIES; i++) {
      builder.add(random.nextLong());
    }
    SplitBlockFilter filter = builder.build(ENTRIES);
    FilterFile.write(
        file, filter, new Keying(KeyHash.VERSION, KeyHash.NORMALISATION_VERSION, 1, 2));
    return filter;
  }

  @Test
  void everyPageAnswersAsInMemory() throws Exception {
    Path path = directory.resolve("filter");
    SplitBlockFilter filter = write(path);
    PagedFile file = PagedFile.open(path);
    assertTrue(file.pages() >= 4, file.pages() + " pages");
    MappedSplitBlock mapped = MappedSplitBlock.of(file);
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < ASKED; i++) {
      assertTrue(mapped.mightContain(random.nextLong()), "seed " + seed + " entry " + i);
    }
    SplittableRandom other = new SplittableRandom(~seed);
    int hits = 0;
    for (int i = 0; i < ASKED; i++) {
      long hash = other.nextLong();
      boolean found = mapped.mightContain(hash);
      assertEquals(filter.mightContain(hash), found, "seed " + seed + " hash " + hash);
      hits += found ? 1 : 0;
    }
    assertTrue(hits > 0 && hits < ASKED / 10, hits + " hits, seed " + seed);
  }

  @Test
  void onlyTheDamagedPageIsNotAnswered() throws Exception {
    Path path = directory.resolve("filter");
    SplitBlockFilter filter = write(path);
    byte[] octets = Files.readAllBytes(path);
    PagedFile whole = PagedFile.open(path);
    long header = octets.length - whole.body().byteSize() - (long) whole.pages() * Integer.BYTES;
    octets[(int) header + FileHeader.PAGE_OCTETS + 7] ^= 1;
    Files.write(path, octets);
    PagedFile file = PagedFile.open(path);
    MappedSplitBlock mapped = MappedSplitBlock.of(file);
    SplittableRandom random = new SplittableRandom(seed);
    int damaged = 0;
    for (int i = 0; i < 1_000; i++) {
      long hash = random.nextLong();
      try {
        assertEquals(filter.mightContain(hash), mapped.mightContain(hash), "seed " + seed);
      } catch (DamagedFileException e) {
        damaged++;
      }
    }
    String what = damaged + " of 1000 in " + file.pages() + " pages, seed " + seed;
    assertEquals(1.0 / file.pages(), damaged / 1000.0, 0.1, what);
    assertTrue(damaged > 0, what);
  }
}
