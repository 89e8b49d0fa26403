package io.bloomgate.blocklists.filter;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.file.DamagedFileException;
import io.bloomgate.blocklists.file.FileHeader;
import io.bloomgate.blocklists.file.FileKind;
import io.bloomgate.blocklists.file.Keying;
import io.bloomgate.blocklists.file.PagedFileWriter;
import io.bloomgate.blocklists.filter.kinds.FilterKinds;
import io.bloomgate.blocklists.filter.kinds.FilterRequest;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Filters on disk: the files that releases have written, and what none has. */
@Tag("filters")
class FilterFileTest {

  private static final Keying KEYING = new Keying(1, 1, 11, 12);

  @TempDir Path dir;

  /**
   * Files with 500 hashes of seed 500 at 1 %, and how many of the 100,000 hashes of seed 501 hit in
   * them: what changes them needs another number of the format.
   */
  @ParameterizedTest
  @CsvSource({"split-block,5120,1110", "classic,4797,997"})
  void keptFilesAnswerAsWhenTheyWereWritten(String kind, long bits, long hits) throws Exception {
    Path path = dir.resolve(kind);
    try (InputStream stored = FilterFileTest.class.getResourceAsStream(kind + ".filter")) {
      Files.copy(requireNonNull(stored), path);
    }
    FilterFile file = FilterKinds.read(path);
    assertEquals(KEYING, file.keying());
    MembershipFilter filter = file.filter();
    assertEquals(kind, filter.shape().kind().word());
    assertEquals(500, filter.shape().entries());
    assertEquals(bits, filter.shape().bits());
    assertTrue(new SplittableRandom(500).longs(500).allMatch(filter::mightContain));
    assertEquals(
        hits, new SplittableRandom(501).longs(100_000).filter(filter::mightContain).count());
  }

  /** A gateway loads the kinds that it makes itself, and says of others what they are. */
  @ParameterizedTest
  @EnumSource
  void aGatewayReadsOnlyTheKindsThatItMakes(FilterKind kind) throws Exception {
    Path path = dir.resolve("f");
    HashSource hashes = target -> new SplittableRandom(1).longs(8).forEach(target);
    FilterFile.write(path, FilterKinds.build(kind, new FilterRequest(10, 0.125), hashes), KEYING);
    if (Set.of(FilterKind.SPLIT_BLOCK, FilterKind.COUNTING).contains(kind)) {
      assertEquals(kind, FilterFile.read(path).filter().shape().kind());
      return;
    }
    DamagedFileException refusal =
        assertThrows(DamagedFileException.class, () -> FilterFile.read(path));
    String message = String.valueOf(refusal.getMessage());
    assertTrue(message.endsWith("filter, which a gateway does not use"), message);
    assertEquals(kind, FilterKinds.read(path).filter().shape().kind());
  }

  @ParameterizedTest
  @ValueSource(ints = {0, FileHeader.FORMAT + 1})
  void formatsOfOtherReleasesAreNamed(int format) throws Exception {
    Path path = dir.resolve("f");
    try (PagedFileWriter out = PagedFileWriter.create(path)) {
      out.putLong(1);
      out.commit(
          new FileHeader(FileKind.CLASSIC_FILTER, KEYING, 1, 1, 0.1, 0.1, List.of(1L, 1L, 64L)));
    }
    byte[] octets = Files.readAllBytes(path);
    octets[8] = (byte) format;
    Files.write(path, octets);
    DamagedFileException refusal =
        assertThrows(DamagedFileException.class, () -> FilterKinds.read(path));
    assertEquals(
        path + " has format " + format + " of another release; this one reads format 1",
        refusal.getMessage());
  }
}
