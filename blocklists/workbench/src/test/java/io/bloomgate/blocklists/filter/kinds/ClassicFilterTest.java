package io.bloomgate.blocklists.filter.kinds;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.filter.ClassicSizing;
import io.bloomgate.blocklists.filter.FilterBuildException;
import io.bloomgate.blocklists.filter.HashSource;
import io.bloomgate.blocklists.filter.RandomHashes;
import io.bloomgate.blocklists.filter.WordBody;
import java.util.BitSet;
import java.util.List;
import java.util.function.LongConsumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The textbook's filter against the textbook. */
@Tag("filters")
class ClassicFilterTest {

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

  @Test
  void theBitsOfAHashNeverChange() throws Exception {
    // Golden: files that are kept were filled like this.
    ClassicFilter filter =
        ClassicFilter.build(
            ClassicSizing.byRate(100, 0.001), sink -> sink.accept(0x9e3779b97f4a7c15L));
    long[] words = filter.words().toArray(WordBody.WORD);
    assertEquals(
        "{61, 325, 720, 888, 924, 1008, 1140, 1248, 1320}", BitSet.valueOf(words).toString());
  }

  /** Threads that each put in a part make the filter of one thread. */
  @Test
  void partsMakeTheSameFilter() throws Exception {
    ClassicSizing.Size size = ClassicSizing.byRate(40_000, 0.01);
    List<HashSource> parts =
        IntStream.range(0, 8).mapToObj(i -> RandomHashes.of(i, 5_000)).toList();
    HashSource all =
        new HashSource() {
          @Override
          public void forEach(LongConsumer hashes) {
            parts.forEach(part -> part.forEach(hashes));
          }

          @Override
          public List<HashSource> parts() {
            return parts;
          }
        };
    ClassicFilter together = ClassicFilter.build(size, all);
    ClassicFilter alone = ClassicFilter.build(size, hashes -> all.forEach(hashes)); // no parts
    assertEquals(40_000, together.shape().entries());
    assertEquals(-1, alone.words().mismatch(together.words()));
  }
}
