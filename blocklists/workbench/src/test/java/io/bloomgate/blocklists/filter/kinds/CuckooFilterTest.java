package io.bloomgate.blocklists.filter.kinds;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.filter.AddableFilter;
import io.bloomgate.blocklists.filter.FilterBuildException;
import io.bloomgate.blocklists.filter.FilterShape;
import io.bloomgate.blocklists.filter.HashSource;
import io.bloomgate.blocklists.filter.RandomHashes;
import io.bloomgate.blocklists.filter.RemovableFilter.Removal;
import io.bloomgate.blocklists.filter.WordBody;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Buckets of fingerprints: full is said, nothing is lost, what is removed is gone. */
@Tag("filters")
class CuckooFilterTest {

  private static HashSource hashes(long seed, int count) {
    return RandomHashes.of(seed, count);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3, 5, 8, 13, 21, 40, 100, 300, 1000})
  void everyTableOfItsSizeHoldsItsCapacity(int entries) throws Exception {
    for (long seed = 1; seed <= 20; seed++) {
      for (double rate : new double[] {0.5, 0.01}) {
        CuckooFilter filter =
            AddableFilter.fill(new CuckooFilter(entries, rate), hashes(seed, entries));
        assertEquals(entries, filter.shape().entries(), "seed " + seed);
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"0.5", "0.1", "0.03", "0.01", "0.001", "0.000001", "0.000000002"})
  void everyWidthKeepsItsRateAtFullLoad(double rate) throws Exception {
    int entries = 10_000;
    CuckooFilter filter = AddableFilter.fill(new CuckooFilter(entries, rate), hashes(5, entries));
    assertTrue(filter.expectedRate() <= rate, "expected " + filter.expectedRate());
    assertTrue(filter.shape().fill() > 0.8, "fill " + filter.shape().fill());
    RandomHashes.assertRate(filter, filter.expectedRate(), 200_000);
  }

  @Test
  void aFullFilterSaysSoAndStaysAsItIs() throws Exception {
    CuckooFilter filter = new CuckooFilter(5_000, 0.01);
    SplittableRandom random = new SplittableRandom(4);
    long[] inside = new long[filter.table().buckets() * CuckooTable.SLOTS];
    int count = 0;
    int refused = 0;
    while (refused < 50) {
      long hash = random.nextLong();
      long[] before = filter.table().words().toArray(WordBody.WORD);
      FilterShape shape = filter.shape();
      if (filter.add(hash)) {
        inside[count++] = hash;
      } else {
        refused++;
        assertArrayEquals(
            before, filter.table().words().toArray(WordBody.WORD), "refusal " + refused);
        assertEquals(shape, filter.shape());
      }
    }
    assertTrue(count >= 5_000, "took " + count);
    for (int i = 0; i < count; i++) {
      assertTrue(filter.mightContain(inside[i]), "entry " + i);
    }
    assertEquals(Removal.REMOVED, filter.remove(inside[7]));
    assertTrue(filter.add(inside[7]), "the slot is free again");
  }

  @Test
  void moreThanTheCapacityIsTakenOnlyWhileTheRateHolds() throws Exception {
    for (double rate : new double[] {0.02, 0.0075, 0.001}) {
      CuckooFilter filter = new CuckooFilter(2_000, rate);
      SplittableRandom random = new SplittableRandom(6);
      while (filter.add(random.nextLong())) {
        // Until it is full.
      }
      assertTrue(filter.shape().entries() >= 2_000, "rate " + rate);
      assertTrue(filter.expectedRate() <= rate * 1.001, "rate " + rate);
    }
  }

  @Test
  void whatCannotBeBuiltIsRefusedWithAdvice() {
    assertRefused("classic", () -> new CuckooFilter(10, 1e-9));
    assertRefused("too large", () -> new CuckooFilter(1L << 40, 0.01));
    assertRefused("too large", () -> new CuckooFilter(Long.MAX_VALUE, 0.01));
    assertRefused(
        "is full", () -> AddableFilter.fill(new CuckooFilter(100, 0.01), hashes(1, 10_000)));
  }

  private static void assertRefused(String word, Executable build) {
    String message = String.valueOf(assertThrows(FilterBuildException.class, build).getMessage());
    assertTrue(message.contains(word), message);
  }

  @Test
  void theSlotsOfAHashNeverChange() {
    // Golden: files that are kept were filled like this.
    CuckooTable table = new CuckooTable(1001, 12, MemorySegment.NULL);
    long hash = 0x9e3779b97f4a7c15L;
    long fingerprint = table.fingerprint(hash);
    assertEquals(
        "618 2037 906",
        table.bucket(hash) + " " + fingerprint + " " + table.other(618, fingerprint));
  }

  @Test
  void fingerprintsOfEveryWidthAreKeptApart() {
    SplittableRandom random = new SplittableRandom(2);
    for (int width = 1; width <= CuckooTable.MAX_WIDTH; width++) {
      long[] words = new long[(int) CuckooTable.words(25, width)];
      CuckooTable table = new CuckooTable(25, width, MemorySegment.ofArray(words));
      long[] expected = new long[100];
      for (int i = 0; i < 2_000; i++) {
        int at = random.nextInt(expected.length);
        expected[at] = random.nextLong() >>> (Long.SIZE - width);
        table.set(at, expected[at]);
      }
      long[] read = new long[expected.length];
      Arrays.setAll(read, table::get);
      assertArrayEquals(expected, read, "width " + width);
      assertEquals(0, words[words.length - 1], "the spare word stays empty");
    }
  }
}
