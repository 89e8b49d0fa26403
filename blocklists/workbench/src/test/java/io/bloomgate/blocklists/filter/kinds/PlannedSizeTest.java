package io.bloomgate.blocklists.filter.kinds;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.filter.FilterBuildException;
import io.bloomgate.blocklists.filter.FilterKind;
import io.bloomgate.blocklists.filter.MembershipFilter;
import io.bloomgate.blocklists.filter.RandomHashes;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Sizes that were computed, against filters that were built. */
@Tag("filters")
class PlannedSizeTest {

  private static final int KEYS = 20_000;

  private static final double RATE = 0.01;

  @ParameterizedTest
  @EnumSource
  void aBuiltFilterHasTheSizeAndTheRate(FilterKind kind) throws Exception {
    double rate = Math.max(RATE, FilterKinds.lowestRate(kind));
    PlannedSize planned = PlannedSize.byRate(kind, KEYS, rate, 0);
    MembershipFilter built =
        FilterKinds.build(kind, new FilterRequest(KEYS, rate), RandomHashes.of(1, KEYS));
    assertEquals(built.shape().bits(), planned.bits());
    assertEquals(built.shape().hashes(), planned.hashes());
    assertEquals(
        built.expectedRate(),
        planned.rate(),
        (kind == FilterKind.SPLIT_BLOCK ? 0.05 : 0.1) * planned.rate());
  }

  @ParameterizedTest
  @EnumSource
  void theBestFilterOfAMemoryFitsAndALittleBetterDoesNot(FilterKind kind) throws Exception {
    long memory = 60L * KEYS;
    PlannedSize planned = PlannedSize.byBits(kind, KEYS, memory, 0);
    assertTrue(planned.bits() <= memory, planned.toString());
    double better = planned.rate() * 0.5;
    if (better > FilterKinds.lowestRate(kind) && kind != FilterKind.CLASSIC) {
      assertTrue(PlannedSize.byRate(kind, KEYS, better, 0).bits() > memory, planned.toString());
    }
    assertThrows(FilterBuildException.class, () -> PlannedSize.byRate(kind, KEYS, 1e-12, 0));
  }

  @Test
  void theNumberOfTestsIsTaken() throws Exception {
    PlannedSize four = PlannedSize.byRate(FilterKind.CLASSIC, KEYS, RATE, 4);
    assertEquals(4, four.hashes());
    assertTrue(four.bits() > PlannedSize.byRate(FilterKind.CLASSIC, KEYS, RATE, 0).bits());
    assertEquals(RATE, four.rate(), 1e-5);
  }

  /** Rows of the table in Cassandra's class, and of "Bloom Filters - the math" before it. */
  @ParameterizedTest
  @CsvSource({
    "0.01, 10, 5",
    "0.001, 15, 7",
    "0.1, 5, 3",
    "0.05, 7, 3",
    "0.0000671, 20, 14",
    "0.4, 1, 2"
  })
  void cassandraTakesTheFewestBitsThenTheFewestTests(double rate, int bits, int hashes)
      throws Exception {
    assertEquals(
        new PlannedSize.Cassandra.Choice(bits, hashes), PlannedSize.Cassandra.byRate(rate));
  }

  @ParameterizedTest
  @CsvSource({"1, 1", "2, 1", "4, 3", "8, 6", "10, 7", "16, 11", "20, 14", "99, 14"})
  void cassandraTakesTheBestNumberOfTestsForBits(int bits, int hashes) throws Exception {
    assertEquals(
        new PlannedSize.Cassandra.Choice(Math.min(bits, 20), hashes),
        PlannedSize.Cassandra.byBits(bits));
  }

  @Test
  void cassandraRefusesWhatItsTableHasNot() {
    assertThrows(FilterBuildException.class, () -> PlannedSize.Cassandra.byRate(0.00006));
    assertThrows(FilterBuildException.class, () -> PlannedSize.Cassandra.byBits(0));
  }
}
