package io.bloomgate.blocklists.filter.kinds;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.filter.FilterBuildException;
import io.bloomgate.blocklists.filter.FilterKind;
import io.bloomgate.blocklists.filter.HashSource;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The frozen filters: every key found, the rate of their width, and builds that end. */
@Tag("filters")
class FuseFilterTest {

  private static long[] hashes(long seed, int count) {
    return new SplittableRandom(seed).longs(count).toArray();
  }

  private static HashSource source(long... hashes) {
    return sink -> Arrays.stream(hashes).forEach(sink);
  }

  private static FuseFilter build(FilterKind kind, long... hashes) throws FilterBuildException {
    FilterRequest request = new FilterRequest(hashes.length, 0.01);
    return FuseFilter.Builder.build(kind, request, source(hashes));
  }

  private static void assertFindsAll(FuseFilter filter, long[] hashes, String what) {
    for (int i = 0; i < hashes.length; i++) {
      assertEquals(1, filter.probe(hashes[i]), what + ", hash " + i);
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"FUSE8", "FUSE16"})
  void everyNumberOfKeysIsBuiltAndFound(FilterKind kind) throws Exception {
    // At 11,511 and similar numbers the segment length doubles: the published constants fail.
    IntStream counts =
        IntStream.concat(
            IntStream.rangeClosed(1, 300),
            IntStream.of(1000, 3361, 3362, 5000, 11_191, 11_300, 11_511, 37_263, 37_300, 124_300));
    for (int count : counts.toArray()) {
      long[] hashes = hashes(count, count);
      FuseFilter filter = build(kind, hashes);
      assertFindsAll(filter, hashes, "seed and keys " + count);
      assertEquals(count, filter.shape().entries());
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"FUSE8", "FUSE16"})
  void theRateIsThatOfTheWidth(FilterKind kind) throws Exception {
    FuseFilter filter = build(kind, hashes(3, 20_000));
    double expected = kind == FilterKind.FUSE8 ? 1 / 256.0 : 1 / 65_536.0;
    assertEquals(expected, filter.expectedRate());
    int probes = 2_000_000;
    long hits = new SplittableRandom(-3).longs(probes).filter(filter::mightContain).count();
    double noise = 5 / Math.sqrt(expected * probes);
    assertEquals(1, hits / (expected * probes), noise, "seed -3, hits " + hits);
  }

  @Test
  void manyKeysNeedLittleSpace() throws Exception {
    long[] hashes = hashes(5, 1 << 20);
    FuseFilter filter = build(FilterKind.FUSE8, hashes);
    assertFindsAll(filter, hashes, "seed 5");
    assertTrue(filter.shape().bitsPerEntry() < 9.1, filter.shape().toString());
  }

  @Test
  void hashesThatAreNotRandomAreBuiltAsWell() throws Exception {
    long[] hashes = IntStream.range(0, 100_000).mapToLong(i -> i).toArray();
    assertFindsAll(build(FilterKind.FUSE8, hashes), hashes, "counted");
    assertFindsAll(build(FilterKind.FUSE16, hashes), hashes, "counted");
  }

  @Test
  void aSourceThatChangesIsNoticed() {
    long[] calls = {0};
    HashSource growing = sink -> source(hashes(11, 10 + (int) calls[0]++)).forEach(sink);
    FilterRequest request = new FilterRequest(10, 0.01);
    assertThrows(
        IllegalStateException.class,
        () -> FuseFilter.Builder.build(FilterKind.FUSE8, request, growing));
  }
}
