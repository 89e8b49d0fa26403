package io.bloomgate.blocklists.filter.kinds;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.file.Keying;
import io.bloomgate.blocklists.filter.FilterBuildException;
import io.bloomgate.blocklists.filter.FilterFile;
import io.bloomgate.blocklists.filter.FilterKind;
import io.bloomgate.blocklists.filter.HashSource;
import io.bloomgate.blocklists.filter.MembershipFilter;
import io.bloomgate.blocklists.filter.RandomHashes;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Distinct keys by fill, against what was put in. */
@Tag("filters")
class FillEstimateTest {

  private static final Keying KEYING = new Keying(1, 1, 0x5eed_5eedL, 12);

  /** Chance passes these deviations about once in a million times. */
  private static final int DEVIATIONS = 5;

  private static FilterFile file(MembershipFilter filter) {
    return new FilterFile(filter, KEYING, "");
  }

  private static MembershipFilter build(FilterKind kind, int capacity, HashSource hashes)
      throws FilterBuildException {
    return FilterKinds.build(kind, new FilterRequest(capacity, 0.01), hashes);
  }

  private static void assertNear(double expected, FillEstimate estimate, String what) {
    assertTrue(
        Math.abs(estimate.keys() - expected) <= DEVIATIONS * estimate.deviation() + 1,
        what + ": " + expected + " keys, " + estimate);
  }

  @ParameterizedTest
  @EnumSource(names = {"SPLIT_BLOCK", "CLASSIC", "COUNTING", "SCALABLE", "SCALABLE_COUNTING"})
  void theEstimateIsNearTheTruth(FilterKind kind) throws Exception {
    for (int n : new int[] {0, 1, 10, 1_000, 20_000}) {
      MembershipFilter filter = build(kind, 20_000, RandomHashes.of(n + 1, n));
      assertNear(n, FillEstimate.of(filter).orElseThrow(), kind + " of " + n);
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"SPLIT_BLOCK", "CLASSIC", "COUNTING"})
  void theOverlapIsNearTheTruth(FilterKind kind) throws Exception {
    MembershipFilter one =
        build(
            kind,
            20_000,
            target -> {
              RandomHashes.of(1, 6000).forEach(target);
              RandomHashes.of(2, 4000).forEach(target);
            });
    MembershipFilter other =
        FilterKinds.buildLike(
            one,
            target -> {
              RandomHashes.of(2, 4000).forEach(target);
              RandomHashes.of(3, 5000).forEach(target);
            });
    assertNear(4000, FilterMerge.overlap(file(one), file(other)), kind + " overlap");
    assertNear(10_000, FilterMerge.overlap(file(one), file(one)), kind + " with itself");
    MembershipFilter apart = FilterKinds.buildLike(one, RandomHashes.of(4, 5000));
    assertNear(0, FilterMerge.overlap(file(one), file(apart)), kind + " apart");
  }

  @Test
  void aFullFilterMayHoldAnyNumber() {
    FillEstimate full = FillEstimate.ofPlaces(1, 64, 3);
    assertTrue(Double.isInfinite(full.keys()), full.toString());
  }

  @ParameterizedTest
  @EnumSource(names = {"FUSE8", "FUSE16", "CUCKOO", "CASCADE"})
  void otherKindsShowNoFill(FilterKind kind) throws Exception {
    assertEquals(Optional.empty(), FillEstimate.of(build(kind, 100, RandomHashes.of(1, 100))));
  }

  @ParameterizedTest
  @EnumSource(names = {"SPLIT_BLOCK", "CLASSIC"})
  void theIntersectionMissesNothingThatBothHold(FilterKind kind) throws Exception {
    MembershipFilter one =
        build(
            kind,
            5000,
            target -> {
              RandomHashes.of(1, 2000).forEach(target);
              RandomHashes.of(2, 1000).forEach(target);
            });
    MembershipFilter other = FilterKinds.buildLike(one, RandomHashes.of(2, 1000));
    MembershipFilter both = FilterMerge.and(file(one), file(other));
    RandomHashes.of(2, 1000).forEach(hash -> assertTrue(both.mightContain(hash)));
    RandomHashes.of(9, 50_000)
        .forEach(hash ->
            assertTrue(
                both.probe(hash) <= (one.probe(hash) & other.probe(hash)), "a hit of both only"));
    assertEquals(1000, (double) both.shape().entries(), 200);
  }

  @Test
  void countersAreAddedAndStopAtTheirEnd() throws Exception {
    HashSource tenTimes =
        target -> {
          for (int i = 0; i < 10; i++) {
            RandomHashes.of(5, 3).forEach(target);
          }
        };
    MembershipFilter one = build(FilterKind.COUNTING, 100, tenTimes);
    var sum = (io.bloomgate.blocklists.filter.CountingFilter) FilterMerge.or(file(one), file(one));
    assertEquals(60, sum.shape().entries());
    assertTrue(sum.array().overflowed() >= sum.array().hashes());
    assertThrows(FilterBuildException.class, () -> FilterMerge.and(file(one), file(one)));
    MembershipFilter larger = build(FilterKind.COUNTING, 200, tenTimes);
    FilterBuildException refused =
        assertThrows(FilterBuildException.class, () -> FilterMerge.or(file(one), file(larger)));
    assertTrue(String.valueOf(refused.getMessage()).contains("number of counters: "));
  }
}
