package io.bloomgate.blocklists.filter.kinds;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.filter.ClassicSizing;
import io.bloomgate.blocklists.filter.FilterBuildException;
import java.util.BitSet;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The textbook's filter against the textbook. */
@Tag("filters")
class ClassicFilterTest {

  private static ClassicFilter fill(ClassicSizing.Size size, long seed, int entries) {
    ClassicFilter.Builder builder = new ClassicFilter.Builder(size);
    new SplittableRandom(seed).longs(entries).forEach(builder::add);
    return builder.build(entries);
  }

  /** Bits per key of the usual tables (log2(1/rate) / ln 2). */
  @ParameterizedTest
  @CsvSource({"0.01,9.585,7", "0.001,14.378,10", "0.0001,19.170,13", "0.000001,28.755,20"})
  void sizesByRateAreThoseOfTheTables(double rate, double bitsPerKey, int hashes) throws Exception {
    ClassicSizing.Size size = ClassicSizing.byRate(1_000_000, rate);
    assertEquals(bitsPerKey, size.bits() / 1e6, bitsPerKey * 0.002);
    assertEquals(hashes, size.hashes());
    assertTrue(size.plannedRate() <= rate, size::toString);
    assertTrue(ClassicSizing.rate(1_000_000, size.bits() - 20.0, hashes) > rate);
  }

  /** Rates for m/n with the best k, from Broder and Mitzenmacher's survey (2004) and its tables. */
  @ParameterizedTest
  @CsvSource({
    "2,1,0.393",
    "3,2,0.237",
    "4,3,0.147",
    "8,6,0.0216",
    "10,7,0.00819",
    "16,11,0.000459"
  })
  void sizesByBitsPerEntryAreThoseOfTheTables(double bits, int hashes, double rate)
      throws Exception {
    ClassicSizing.Size size = ClassicSizing.byBitsPerEntry(1000, bits);
    assertEquals(hashes, size.hashes());
    assertEquals((long) (1000 * bits), size.bits());
    assertEquals(rate, size.plannedRate(), rate * 0.005);
    assertEquals(size.plannedRate(), size.askedRate(), 1e-12);
  }

  @Test
  void whatCannotBeIsRefused() {
    assertThrows(FilterBuildException.class, () -> ClassicSizing.byRate(Long.MAX_VALUE, 0.01));
    assertThrows(FilterBuildException.class, () -> ClassicSizing.byBitsPerEntry(1L << 40, 10));
    for (double bits : new double[] {0, -1, Double.NaN, Double.POSITIVE_INFINITY}) {
      assertThrows(
          FilterBuildException.class, () -> ClassicSizing.byBitsPerEntry(10, bits), "" + bits);
    }
  }

  @ParameterizedTest
  @CsvSource({"1000,0.01,200", "1000,0.001,200", "10000,0.01,10", "100000,0.05,3"})
  void theMeanRateIsWhatWasAskedAndWhatTheBitsSay(int entries, double asked, int seeds)
      throws Exception {
    int probes = 8_000_000 / seeds;
    long hits = 0;
    double expected = 0;
    for (long seed = 1; seed <= seeds; seed++) {
      ClassicFilter filter = fill(ClassicSizing.byRate(entries, asked), seed, entries);
      expected += filter.expectedRate() / seeds;
      hits += new SplittableRandom(-seed).longs(probes).filter(filter::mightContain).count();
    }
    double measured = hits / ((double) probes * seeds);
    double noise = 3 / Math.sqrt((double) hits);
    String what = "asked " + asked + " expected " + expected + " measured " + measured;
    assertEquals(1, measured / expected, noise + 0.02, what);
    assertTrue(measured >= asked * (0.90 - noise) && measured <= asked * (1.03 + noise), what);
  }

  @Test
  void theBitsOfAHashNeverChange() throws Exception {
    // Golden: files that are kept were filled like this.
    ClassicFilter.Builder builder = new ClassicFilter.Builder(ClassicSizing.byRate(100, 0.001));
    builder.add(0x9e3779b97f4a7c15L);
    ClassicFilter filter = builder.build(1);
    long[] words = new long[filter.words()];
    for (int i = 0; i < words.length; i++) {
      words[i] = filter.word(i);
    }
    assertEquals(
        "{61, 325, 720, 888, 924, 1008, 1140, 1248, 1320}", BitSet.valueOf(words).toString());
  }
}
