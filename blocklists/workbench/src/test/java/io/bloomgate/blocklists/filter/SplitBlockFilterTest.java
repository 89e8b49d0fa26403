package io.bloomgate.blocklists.filter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The default filter: no false negative, and the rate that was promised. */
@Tag("filters")
class SplitBlockFilterTest {

  private static SplitBlockFilter fill(long seed, int entries, double rate) throws Exception {
    SplitBlockFilterBuilder builder =
        new SplitBlockFilterBuilder(FilterSizing.splitBlock(entries, rate));
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < entries; i++) {
      builder.add(random.nextLong());
    }
    return builder.build(entries);
  }

  @ParameterizedTest
  @CsvSource({
    "1000,0.01,200",
    "1000,0.001,200",
    "10000,0.01,20",
    "10000,0.1,20",
    "100000,0.001,4",
    "100000,0.05,4"
  })
  void theRateIsWhatWasAskedAndWhatTheBitsSay(int entries, double asked, int seeds)
      throws Exception {
    int probes = 4_000_000 / seeds;
    long hits = 0;
    double expected = 0;
    for (long seed = 1; seed <= seeds; seed++) {
      SplitBlockFilter filter = fill(seed, entries, asked);
      expected += filter.expectedRate() / seeds;
      SplittableRandom random = new SplittableRandom(-seed);
      for (int i = 0; i < probes; i++) {
        hits += filter.probe(random.nextLong());
      }
    }
    double measured = hits / ((double) probes * seeds);
    double noise = 4 / Math.sqrt((double) hits);
    String what = "asked " + asked + " expected " + expected + " measured " + measured;
    assertEquals(1, measured / expected, noise + 0.01, what);
    assertTrue(expected <= asked * 1.03, what);
    assertTrue(expected >= asked * 0.93, what);
  }

  @Test
  void plannedAndCountedRatesAgree() throws Exception {
    FilterSizing.Size size = FilterSizing.splitBlock(200_000, 0.004);
    SplitBlockFilter filter = fill(3, 200_000, 0.004);
    assertEquals(1, filter.expectedRate() / size.plannedRate(), 0.03);
    assertEquals(size.octets() * 8, filter.shape().bits());
  }

  @Test
  void theSaltsAreThoseOfSplitMix() {
    long state = 0;
    for (long salt : SplitBlockFilter.salts()) {
      state += 0x9e3779b97f4a7c15L;
      long z = (state ^ (state >>> 30)) * 0xbf58476d1ce4e5b9L;
      z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
      assertEquals((z ^ (z >>> 31)) | 1, salt);
    }
  }

  @Test
  void theBitsOfAHashNeverChange() {
    // Golden: files that are kept were filled like this.
    SplitBlockFilterBuilder builder =
        new SplitBlockFilterBuilder(new FilterSizing.Size(24, 1, 0.5, 0.5));
    builder.add(0x9e3779b97f4a7c15L);
    SplitBlockFilter filter = builder.build(1);
    StringBuilder bits = new StringBuilder();
    long[] words = filter.lines().toArray(WordBody.WORD);
    for (int i = 0; i < words.length; i++) {
      if (words[i] != 0) {
        bits.append(i).append(':').append(Long.numberOfTrailingZeros(words[i])).append(' ');
      }
    }
    assertEquals("8:49 9:50 10:18 11:61 12:58 13:47 14:4 15:23", bits.toString().strip());
  }

  @Test
  void hashesInTheSameLineAreDistinguished() {
    SplitBlockFilterBuilder builder =
        new SplitBlockFilterBuilder(new FilterSizing.Size(8, 1, 0.5, 0.5));
    builder.add(1);
    SplitBlockFilter filter = builder.build(1);
    assertTrue(filter.mightContain(1));
    assertFalse(filter.mightContain(0x1234_5678_9abc_def0L));
  }
}
