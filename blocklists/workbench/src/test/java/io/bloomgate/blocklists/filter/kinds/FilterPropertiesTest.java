package io.bloomgate.blocklists.filter.kinds;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.file.DamagedFileException;
import io.bloomgate.blocklists.file.Keying;
import io.bloomgate.blocklists.file.PagedFile;
import io.bloomgate.blocklists.filter.AddableFilter;
import io.bloomgate.blocklists.filter.FilterBuildException;
import io.bloomgate.blocklists.filter.FilterFile;
import io.bloomgate.blocklists.filter.FilterKind;
import io.bloomgate.blocklists.filter.FilterShape;
import io.bloomgate.blocklists.filter.HashSource;
import io.bloomgate.blocklists.filter.MembershipFilter;
import io.bloomgate.blocklists.filter.RandomHashes;
import io.bloomgate.config.json.JsonRecords;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.SplittableRandom;
import java.util.function.LongPredicate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** What every kind of filter keeps, whatever it is made of; the classic filter is the oracle. */
@Tag("filters")
class FilterPropertiesTest {

  private static final Keying KEYING = new Keying(1, 1, 11, 12);
  private static final double RATE = 0.01;

  @TempDir Path dir;

  private static MembershipFilter build(FilterKind kind, long seed, int count)
      throws FilterBuildException {
    return build(kind, count, RandomHashes.of(seed, count));
  }

  private static MembershipFilter build(FilterKind kind, int capacity, HashSource hashes)
      throws FilterBuildException {
    return FilterKinds.build(kind, new FilterRequest(capacity, RATE), hashes);
  }

  /** The same with known-good hashes, which cascades leave out. */
  private static MembershipFilter beside(FilterKind kind, int count, HashSource good)
      throws FilterBuildException {
    return FilterKinds.build(kind, new FilterRequest(count, RATE, good), RandomHashes.of(8, count));
  }

  @ParameterizedTest
  @EnumSource
  void whatWasPutInIsFound(FilterKind kind) throws Exception {
    int[] counts = {0, 1, 2, 3, 7, 64, 1000, 20_000};
    for (int count : counts) {
      for (long seed = 1; seed <= 3; seed++) {
        String what = kind + ", seed " + seed + ", entries " + count;
        MembershipFilter oracle = build(FilterKind.CLASSIC, seed, count);
        MembershipFilter filter = build(kind, seed, count);
        RandomHashes.of(seed, count)
            .forEach(hash -> {
              assertEquals(1, oracle.probe(hash), what);
              assertEquals(1, filter.probe(hash), what);
            });
        assertEquals(count, filter.shape().entries(), what);
        assertEquals(kind, filter.shape().kind());
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void anEmptyFilterKeepsItsRate(FilterKind kind) throws Exception {
    assertTrue(hits(build(kind, 1, 0), 9, 20_000) <= 1.3 * RATE * 20_000, kind.word());
  }

  @ParameterizedTest
  @EnumSource
  void aHashAddedTwiceDoesNoHarm(FilterKind kind) throws Exception {
    HashSource once = RandomHashes.of(6, 500);
    HashSource twice =
        target -> {
          once.forEach(target);
          once.forEach(target);
        };
    // Room for more than the thousand: twins have the same few places in a cuckoo filter.
    MembershipFilter filter = build(kind, 2000, twice);
    once.forEach(hash -> assertEquals(1, filter.probe(hash), kind.word()));
    assertTrue(hits(filter, 9, 100_000) <= 1.1 * RATE * 100_000, kind.word());
  }

  /** Bounds are four standard deviations of the count of hits. */
  @ParameterizedTest
  @EnumSource
  void theMeasuredRateIsTheExpectedOneAndNotAboveTheAskedOne(FilterKind kind) throws Exception {
    int probes = 500_000;
    for (int count : new int[] {1000, 50_000}) {
      MembershipFilter filter = build(kind, 77, count);
      double measured = hits(filter, 78, probes) / (double) probes;
      double noise = 4 * Math.sqrt(measured / probes);
      String what = kind + ", entries " + count + ", measured " + measured + ", " + filter.shape();
      assertEquals(filter.expectedRate(), measured, noise + 0.03 * measured, what);
      assertTrue(measured <= RATE * (count == 1000 ? 1.15 : 1.03) + noise, what);
    }
  }

  /** One small build may lie off the mean. */
  @ParameterizedTest
  @CsvSource({
    "SPLIT_BLOCK,1000,0.01,200",
    "SPLIT_BLOCK,10000,0.1,20",
    "SPLIT_BLOCK,100000,0.001,4",
    "CLASSIC,1000,0.001,200",
    "CLASSIC,100000,0.05,3",
    "COUNTING,1000,0.01,100",
    "COUNTING,10000,0.001,20"
  })
  void theMeanRateIsWhatWasAskedAndWhatTheBitsSay(
      FilterKind kind, int entries, double asked, int seeds) throws Exception {
    int probes = 1_000_000 / seeds;
    long hits = 0;
    double expected = 0;
    for (long seed = 1; seed <= seeds; seed++) {
      HashSource hashes = RandomHashes.of(seed, entries);
      MembershipFilter filter = FilterKinds.build(kind, new FilterRequest(entries, asked), hashes);
      expected += filter.expectedRate() / seeds;
      hits += hits(filter, -seed, probes);
    }
    double measured = hits / ((double) probes * seeds);
    double noise = 4 / Math.sqrt((double) hits);
    String what = "asked " + asked + " expected " + expected + " measured " + measured;
    assertEquals(1, measured / expected, noise + 0.01, what);
    assertTrue(expected <= asked * 1.03, what);
    assertTrue(expected >= asked * (kind == FilterKind.SPLIT_BLOCK ? 0.93 : 0.9), what);
  }

  private static long hits(MembershipFilter filter, long seed, int probes) {
    return new SplittableRandom(seed).longs(probes).filter(filter::mightContain).count();
  }

  @ParameterizedTest
  @EnumSource
  void aBatchAnswersLikeItsProbes(FilterKind kind) throws Exception {
    MembershipFilter filter = beside(kind, 3000, RandomHashes.of(5, 3000));
    SplittableRandom random = new SplittableRandom(5);
    for (int count = 0; count <= 64; count++) {
      long[] batch = new long[64];
      long expected = 0;
      for (int i = 0; i < 64; i++) {
        batch[i] = i % 3 == 0 ? random.nextLong() : ~random.nextLong();
        expected |= i < count ? (long) filter.probe(batch[i]) << i : 0;
      }
      assertEquals(expected, filter.probeAll(batch, count), kind + ", batch of " + count);
    }
  }

  @ParameterizedTest
  @EnumSource
  void whatIsReadAnswersLikeWhatWasWritten(FilterKind kind) throws Exception {
    for (int count : new int[] {0, 1, 30_000}) {
      MembershipFilter filter = beside(kind, count, RandomHashes.of(9, count));
      Path path = dir.resolve("f");
      String digest = FilterFile.write(path, filter, KEYING);
      FilterFile read = FilterKinds.read(path);
      assertEquals(digest, read.digest());
      assertEquals(KEYING, read.keying());
      assertEquals(filter.shape(), read.filter().shape());
      assertEquals(
          filter.shape(),
          JsonRecords.tryRead(FilterShape.class, filter.shape().toJson()).orElseThrow(),
          kind.word());
      SplittableRandom random = new SplittableRandom(8);
      for (int i = 0; i < 100_000; i++) {
        long hash = random.nextLong();
        assertEquals(filter.probe(hash), read.filter().probe(hash), kind + ", hash " + i);
      }
    }
  }

  /** A question to the file needs no heap for the filter, and has the answer of the filter. */
  @ParameterizedTest
  @EnumSource
  void theMappedFileAnswersAsTheFilter(FilterKind kind) throws Exception {
    for (int count : new int[] {0, 1, 30_000}) {
      // The kinds that grow come to several slices.
      MembershipFilter filter =
          kind == FilterKind.SCALABLE || kind == FilterKind.SCALABLE_COUNTING
              ? build(kind, 1, RandomHashes.of(8, count))
              : beside(kind, count, RandomHashes.of(9, 500));
      Path path = dir.resolve("f");
      FilterFile.write(path, filter, KEYING);
      LongPredicate mapped = FilterKinds.mapped(PagedFile.open(path));
      RandomHashes.of(8, count).forEach(hash -> assertTrue(mapped.test(hash), kind.word()));
      SplittableRandom random = new SplittableRandom(10);
      for (int i = 0; i < 50_000; i++) {
        long hash = random.nextLong();
        assertEquals(filter.mightContain(hash), mapped.test(hash), kind + ", hash " + i);
      }
    }
  }

  /** The promise of the header is kept: no key more than that, and every key found. */
  @ParameterizedTest
  @EnumSource(names = {"SPLIT_BLOCK", "CLASSIC"})
  void aFilterTakesKeysUpToItsCapacity(FilterKind kind) throws Exception {
    MembershipFilter built = build(kind, 2_000, RandomHashes.of(1, 500));
    AddableFilter open = (AddableFilter) FilterKinds.open(built);
    int taken = 500;
    SplittableRandom random = new SplittableRandom(2);
    long hash = random.nextLong();
    while (open.add(hash)) {
      taken += open.shape().entries() > taken ? 1 : 0;
      hash = random.nextLong();
    }
    assertEquals(2_000, taken);
    assertEquals(2_000, open.shape().entries());
    assertFalse(open.mightContain(hash), "the refused one");
    assertTrue(open.expectedRate() <= 1.1 * RATE, open.shape().toString());
    FilterFile.write(dir.resolve("f"), open, KEYING);
    MembershipFilter read = FilterKinds.read(dir.resolve("f")).filter();
    assertEquals(open.shape(), read.shape());
    new SplittableRandom(2)
        .longs(1_500)
        .forEach(added -> assertEquals(open.probe(added), read.probe(added)));
  }

  @ParameterizedTest
  @EnumSource
  void equalInputGivesEqualFilesThatOnlyTheirOwnerReads(FilterKind kind) throws Exception {
    Path path = dir.resolve("f");
    String one = FilterFile.write(path, build(kind, 8, 2000), KEYING);
    assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(path)));
    byte[] octets = Files.readAllBytes(path);
    String two = FilterFile.write(path, build(kind, 8, 2000), KEYING);
    assertEquals(one, two);
    assertEquals(ByteBuffer.wrap(octets), ByteBuffer.wrap(Files.readAllBytes(path)));
    String other = FilterFile.write(path, build(kind, 8, 2000), new Keying(1, 1, 11, 13));
    assertFalse(one.equals(other), "the seed is part of the file");
  }

  @ParameterizedTest
  @EnumSource
  void aFlippedBitInAnyOctetAndEveryTruncationAreRefused(FilterKind kind) throws Exception {
    Path path = dir.resolve("f");
    FilterFile.write(path, build(kind, 8, 20), KEYING);
    byte[] whole = Files.readAllBytes(path);
    try (FileChannel file = FileChannel.open(path, StandardOpenOption.WRITE)) {
      for (int octet = 0; octet < whole.length; octet++) {
        put(file, octet, whole[octet] ^ 1 << octet % 8);
        refused(path, kind + ", octet " + octet);
        put(file, octet, whole[octet]);
      }
      assertEquals(20, FilterKinds.read(path).filter().shape().entries());
      put(file, whole.length, 0);
      refused(path, kind + ", an octet too many");
      for (int length = whole.length - 1; length >= 0; length--) {
        file.truncate(length);
        refused(path, kind + ", length " + length);
      }
    }
  }

  private static void put(FileChannel file, int at, int octet) throws IOException {
    file.write(ByteBuffer.wrap(new byte[] {(byte) octet}), at);
  }

  private static void refused(Path path, String what) {
    assertThrows(DamagedFileException.class, () -> FilterKinds.read(path), what);
  }
}
