package io.bloomgate.blocklists.filter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.file.DamagedFileException;
import io.bloomgate.blocklists.file.FileHeader;
import io.bloomgate.blocklists.file.FileKind;
import io.bloomgate.blocklists.file.Keying;
import io.bloomgate.blocklists.file.PagedFileWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Filters on disk. */
class FilterFileTest {

  private static final Keying KEYING = new Keying(1, 1, 11, 12);

  @TempDir Path dir;

  private static SplitBlockFilter filter(int entries) throws Exception {
    SplitBlockFilterBuilder builder =
        new SplitBlockFilterBuilder(FilterSizing.splitBlock(entries, 0.01));
    SplittableRandom random = new SplittableRandom(8);
    for (int i = 0; i < entries; i++) {
      builder.add(random.nextLong());
    }
    return builder.build(entries);
  }

  @Test
  void whatIsReadAnswersLikeWhatWasWritten() throws Exception {
    SplitBlockFilter filter = filter(100_000);
    Path path = dir.resolve("f");
    String digest = FilterFile.write(path, filter, KEYING);
    FilterFile read = FilterFile.read(path);
    assertEquals(digest, read.digest());
    assertEquals(KEYING, read.keying());
    assertEquals(filter.shape(), read.filter().shape());
    SplittableRandom random = new SplittableRandom(8);
    for (int i = 0; i < 300_000; i++) {
      long hash = random.nextLong();
      assertEquals(filter.probe(hash), read.filter().probe(hash), "hash " + i);
    }
    assertEquals(filter.shape(), FilterShape.ofJson(filter.shape().toJson()).orElseThrow());
  }

  @Test
  void everyFlippedBitAndEveryTruncationIsRefused() throws Exception {
    Path path = dir.resolve("f");
    FilterFile.write(path, filter(20), KEYING);
    byte[] whole = Files.readAllBytes(path);
    Path broken = dir.resolve("broken");
    for (int bit = 0; bit < whole.length * 8; bit++) {
      whole[bit / 8] ^= (byte) (1 << bit % 8);
      Files.write(broken, whole);
      assertThrows(DamagedFileException.class, () -> FilterFile.read(broken), "bit " + bit);
      whole[bit / 8] ^= (byte) (1 << bit % 8);
    }
    for (int length = 0; length < whole.length; length++) {
      Files.write(broken, Arrays.copyOf(whole, length));
      assertThrows(DamagedFileException.class, () -> FilterFile.read(broken), "length " + length);
    }
  }

  @Test
  void otherKindsAndImpossibleShapesAreRefused() throws Exception {
    Path path = dir.resolve("f");
    for (FileKind kind : List.of(FileKind.NAME_INDEX, FileKind.SPLIT_BLOCK_FILTER)) {
      try (PagedFileWriter out = PagedFileWriter.create(path)) {
        out.putLong(1);
        out.commit(new FileHeader(kind, KEYING, 1, 1, 0.1, 0.1, List.of(1L, 8L)));
      }
      String message =
          String.valueOf(
              assertThrows(DamagedFileException.class, () -> FilterFile.read(path)).getMessage());
      assertTrue(message.contains("not a filter") || message.contains("shape"), message);
    }
  }

  @Test
  void theSeedIsPartOfTheFile() throws Exception {
    SplitBlockFilter filter = filter(10);
    String one = FilterFile.write(dir.resolve("a"), filter, KEYING);
    String two = FilterFile.write(dir.resolve("b"), filter, new Keying(1, 1, 11, 13));
    assertNotEquals(one, two);
  }
}
