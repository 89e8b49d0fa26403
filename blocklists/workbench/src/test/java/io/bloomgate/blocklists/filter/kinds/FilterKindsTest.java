package io.bloomgate.blocklists.filter.kinds;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.filter.FilterBuildException;
import io.bloomgate.blocklists.filter.FilterKind;
import io.bloomgate.blocklists.filter.FilterShape;
import io.bloomgate.blocklists.filter.HashSource;
import io.bloomgate.blocklists.filter.MembershipFilter;
import io.bloomgate.blocklists.filter.RandomHashes;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What the one entry builds, and what it refuses with which words. */
@Tag("filters")
class FilterKindsTest {

  private static final HashSource HASHES = RandomHashes.of(4, 300);

  private static String refusal(FilterKind kind, long capacity, double rate) {
    return String.valueOf(
        assertThrows(
                FilterBuildException.class,
                () -> FilterKinds.build(kind, new FilterRequest(capacity, rate), HASHES),
                kind.word())
            .getMessage());
  }

  @ParameterizedTest
  @EnumSource
  void aRateOutOfReachIsRefusedWithTheKindsThatReachIt(FilterKind kind) throws Exception {
    double lowest = FilterKinds.lowestRate(kind);
    assertTrue(FilterKinds.kindsReaching(lowest).contains(kind));
    FilterKinds.build(kind, new FilterRequest(300, lowest), HASHES);
    String message = refusal(kind, 300, lowest * 0.99);
    List<FilterKind> reaching = FilterKinds.kindsReaching(lowest * 0.99);
    assertFalse(reaching.contains(kind));
    for (FilterKind other : reaching) {
      assertTrue(message.contains(other.word()), message);
    }
  }

  @Test
  void aRateThatNoKindReachesIsRefused() {
    assertEquals(List.of(), FilterKinds.kindsReaching(1e-30));
    for (FilterKind kind : FilterKind.values()) {
      assertTrue(refusal(kind, 300, 1e-30).contains("no kind reaches it"));
    }
  }

  /**
   * More than an array or this heap holds, up to numbers that overflow a long. Fuse filters are as
   * large as their hashes, whatever the capacity.
   */
  @ParameterizedTest
  @EnumSource(
      mode = EnumSource.Mode.EXCLUDE,
      names = {"FUSE8", "FUSE16"})
  void aSizeThatCannotBeIsRefused(FilterKind kind) {
    for (long capacity : new long[] {20_000_000_000L, 1L << 45, Long.MAX_VALUE}) {
      refusal(kind, capacity, 0.01);
    }
  }

  @ParameterizedTest
  @EnumSource
  void aFilterLikeAnotherHasItsKindAndCapacity(FilterKind kind) throws Exception {
    MembershipFilter first = FilterKinds.build(kind, new FilterRequest(1000, 0.01), HASHES);
    FilterShape like = FilterKinds.buildLike(first, RandomHashes.of(9, 10)).shape();
    assertEquals(kind, like.kind());
    assertEquals(10, like.entries());
    assertEquals(1000, like.capacity());
    assertEquals(first.shape().hashes(), like.hashes());
  }
}
