package io.bloomgate.blocklists.filter.kinds;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.file.DamagedFileException;
import io.bloomgate.blocklists.file.FileHeader;
import io.bloomgate.blocklists.file.FileKind;
import io.bloomgate.blocklists.file.Keying;
import io.bloomgate.blocklists.file.PagedFileWriter;
import io.bloomgate.blocklists.filter.AddableFilter;
import io.bloomgate.blocklists.filter.FilterFile;
import io.bloomgate.blocklists.filter.FilterKind;
import io.bloomgate.blocklists.filter.HashSource;
import io.bloomgate.blocklists.filter.MembershipFilter;
import io.bloomgate.blocklists.filter.RandomHashes;
import io.bloomgate.blocklists.filter.RemovableFilter;
import io.bloomgate.blocklists.filter.RemovableFilter.Removal;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Filters on disk: the files that releases have written, and what none has; those that change go on
 * where they stopped.
 */
@Tag("filters")
class FilterFileTest {

  private static final Keying KEYING = new Keying(1, 1, 11, 12);
  private static final int HEADER_OCTETS = 512;

  @TempDir Path dir;

  /**
   * Files with 500 hashes of seed 500 at 1 %, and how many of the 100,000 hashes of seed 501 hit in
   * them: what changes them needs another number of the format.
   */
  @ParameterizedTest
  @CsvSource({
    "split-block,5120,1110",
    "classic,4797,997",
    "counting,19188,997",
    "scalable,14336,664",
    "scalable-counting,43428,634",
    "cuckoo,5720,654"
  })
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
    RandomHashes.of(500, 500).forEach(hash -> assertEquals(1, filter.probe(hash)));
    assertEquals(
        hits, new SplittableRandom(501).longs(100_000).filter(filter::mightContain).count());
    if (!kind.equals("classic") && filter instanceof AddableFilter addable) {
      assertTrue(addable.add(1) && filter.mightContain(1));
    }
    if (filter instanceof RemovableFilter removable) {
      assertEquals(Removal.REMOVED, removable.remove(1));
    }
    RandomHashes.of(500, 500).forEach(hash -> assertEquals(1, filter.probe(hash)));
  }

  /** What changes the octets behind the header needs another number of the format. */
  @ParameterizedTest
  @CsvSource({
    "FUSE8,4,0,0.01,56f81763b199696a9aa7c8c083d94e3b5648695118a0927ea08ce8d38e4f9117",
    "FUSE16,4,0,0.01,2b04f91eb2101306ad8271a892fee3be69fcf41b929ddba0bab52c6cad841fe9",
    "CASCADE,18,1000,0.1,c4e3d580b1671e859f120422c860f2b53454e6f2f1f50315cceb5c699c75a23a"
  })
  void theBodyIsTheSameInOneFormat(FilterKind kind, long seed, int good, double rate, String sha256)
      throws Exception {
    Path path = dir.resolve("f");
    FilterRequest request = new FilterRequest(1000, rate, RandomHashes.of(19, good));
    FilterFile.write(path, FilterKinds.build(kind, request, RandomHashes.of(seed, 1000)), KEYING);
    MessageDigest sha = MessageDigest.getInstance("SHA-256");
    byte[] file = Files.readAllBytes(path);
    sha.update(file, HEADER_OCTETS, file.length - HEADER_OCTETS);
    assertEquals(sha256, HexFormat.of().formatHex(sha.digest()));
  }

  /** A gateway loads the kinds that it makes itself, and says of others what they are. */
  @ParameterizedTest
  @EnumSource
  void aGatewayReadsOnlyTheKindsThatItMakes(FilterKind kind) throws Exception {
    Path path = dir.resolve("f");
    FilterRequest request = new FilterRequest(10, 0.125);
    FilterFile.write(path, FilterKinds.build(kind, request, RandomHashes.of(1, 8)), KEYING);
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

  /** The kinds that grow come to several slices. */
  private static AddableFilter filled(FilterKind kind) throws Exception {
    int capacity = kind == FilterKind.COUNTING || kind == FilterKind.CUCKOO ? 500 : 100;
    return AddableFilter.fill(
        (AddableFilter) FilterKinds.build(kind, new FilterRequest(capacity, 0.01), HashSource.NONE),
        RandomHashes.of(5, 500));
  }

  @ParameterizedTest
  @EnumSource(names = {"COUNTING", "SCALABLE", "SCALABLE_COUNTING", "CUCKOO"})
  void itGoesOnWhereItStopped(FilterKind kind) throws Exception {
    FilterFile.write(dir.resolve("f"), filled(kind), KEYING);
    AddableFilter read = (AddableFilter) FilterKinds.read(dir.resolve("f")).filter();
    AddableFilter twin = filled(kind);
    SplittableRandom random = new SplittableRandom(6);
    for (int i = 0; i < 2_000; i++) {
      long hash = random.nextLong();
      assertEquals(twin.add(hash), read.add(hash), "hash " + i);
    }
    assertEquals(twin.shape(), read.shape());
    String one = FilterFile.write(dir.resolve("one"), read, KEYING);
    assertEquals(one, FilterFile.write(dir.resolve("two"), twin, KEYING));
  }

  @Test
  void theCountOfKeptRemovalsIsKept() throws Exception {
    ScalableCountingFilter filter =
        AddableFilter.fill(new ScalableCountingFilter(100, 0.3), RandomHashes.of(5, 2_000));
    RandomHashes.of(5, 500).forEach(filter::remove);
    assertTrue(filter.kept() > 0);
    FilterFile.write(dir.resolve("f"), filter, KEYING);
    ScalableCountingFilter read =
        (ScalableCountingFilter) FilterKinds.read(dir.resolve("f")).filter();
    assertEquals(filter.kept(), read.kept());
    assertEquals(filter.slices(), read.slices());
  }
}
