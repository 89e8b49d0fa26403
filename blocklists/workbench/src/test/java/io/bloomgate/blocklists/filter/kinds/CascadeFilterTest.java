package io.bloomgate.blocklists.filter.kinds;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.filter.FilterBuildException;
import io.bloomgate.blocklists.filter.FilterKind;
import io.bloomgate.blocklists.filter.FilterSizing;
import io.bloomgate.blocklists.filter.HashSource;
import io.bloomgate.blocklists.filter.MembershipFilter;
import io.bloomgate.blocklists.filter.RandomHashes;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The filter with exceptions: every listed hash hits, no known-good one does. */
@Tag("filters")
class CascadeFilterTest {

  private static CascadeFilter build(HashSource listed, int count, double rate, HashSource good)
      throws FilterBuildException {
    return (CascadeFilter)
        FilterKinds.build(FilterKind.CASCADE, new FilterRequest(count, rate, good), listed);
  }

  private static HashSource both(HashSource one, HashSource other) {
    return sink -> {
      one.forEach(sink);
      other.forEach(sink);
    };
  }

  private static long hits(MembershipFilter filter, HashSource hashes) {
    long[] hits = {0};
    hashes.forEach(hash -> hits[0] += filter.probe(hash));
    return hits[0];
  }

  @ParameterizedTest
  @CsvSource({
    "1,1,0.5",
    "1000,0,0.01",
    "1,20000,0.9",
    "1000,100000,0.01",
    "100000,100000,0.9",
    "50000,50000,0.000001",
    "300,300,0.5"
  })
  void everyListedHashHitsAndNoKnownGoodOne(int listed, int good, double rate) throws Exception {
    for (long seed = 1; seed <= 1; seed++) {
      HashSource listedHashes = RandomHashes.of(seed, listed);
      HashSource goodHashes = RandomHashes.of(-seed - 100, good);
      CascadeFilter cascade = build(listedHashes, listed, rate, goodHashes);
      String which = "seed " + seed + ", " + cascade.levels().size() + " levels";
      assertEquals(listed, hits(cascade, listedHashes), which);
      assertEquals(0, hits(cascade, goodHashes), which);
      assertEquals(good, cascade.proven(), which);
      assertEquals(listed, cascade.shape().entries(), which);
      assertTrue(cascade.expectedRate() <= rate * 1.1, cascade.shape().toString());
      RandomHashes.assertRate(cascade, cascade.expectedRate(), 200_000);
    }
  }

  @Test
  void aHashOnBothSidesIsRefused() {
    HashSource good = both(RandomHashes.of(6, 300), RandomHashes.of(5, 7));
    assertThrows(FilterBuildException.class, () -> build(RandomHashes.of(5, 200), 200, 0.05, good));
  }

  @Test
  void exceptionsCostLittleSpace() throws Exception {
    int count = 200_000;
    long plain = FilterSizing.splitBlock(count, 0.01).octets() * 8;
    HashSource listed = RandomHashes.of(9, count);
    CascadeFilter tenth = build(listed, count, 0.01, RandomHashes.of(10, count / 10));
    CascadeFilter equal = build(listed, count, 0.01, RandomHashes.of(11, count));
    assertTrue(tenth.shape().bits() < plain * 1.005, tenth.shape() + " over " + plain);
    assertTrue(equal.shape().bits() < plain * 1.03, equal.shape() + " over " + plain);
  }
}
