package io.bloomgate.blocklists.filter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.function.LongUnaryOperator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Several threads fill one filter, from sorted and from unsorted parts of a stream. */
@Tag("filters")
class SplitBlockFillersTest {

  @ParameterizedTest
  @CsvSource({"1, 1000", "2, 3", "2, 400000", "3, 300000"})
  void threadsMakeTheFilterOfOneThread(int threads, int entries) throws Exception {
    FilterSizing.Size size = FilterSizing.splitBlock(entries, 0.01);
    SplitBlockFilterBuilder single = new SplitBlockFilterBuilder(size);
    for (int i = 0; i < entries; i++) {
      single.add(hash(i));
    }
    SplitBlockFilter expected = single.build(entries);
    SplitBlockFilterBuilder shared = new SplitBlockFilterBuilder(size);
    fill(shared, threads, entries, SplitBlockFillersTest::hash);
    SplitBlockFilter filter = shared.build(entries);
    assertEquals(expected.shape(), filter.shape());
    for (int i = 0; i < expected.words(); i++) {
      assertEquals(expected.word(i), filter.word(i), "word " + i);
    }
  }

  /** Sorted hashes come from one end of the filter to the other, and bursts meet all the time. */
  @ParameterizedTest
  @CsvSource({"2, 200000"})
  void sortedHashesAreNoTrouble(int threads, int entries) throws Exception {
    long[] sorted = new long[entries];
    for (int i = 0; i < entries; i++) {
      sorted[i] = (long) i * (-1L >>> 1) / entries * 2;
    }
    SplitBlockFilterBuilder shared =
        new SplitBlockFilterBuilder(FilterSizing.splitBlock(entries, 0.01));
    fill(shared, threads, entries, i -> sorted[(int) i]);
    SplitBlockFilter filter = shared.build(entries);
    for (long hash : sorted) {
      assertTrue(filter.mightContain(hash));
    }
  }

  private static void fill(
      SplitBlockFilterBuilder shared, int threads, int entries, LongUnaryOperator hashes)
      throws InterruptedException {
    List<SplitBlockFilterBuilder.Filler> fillers = shared.fillers(threads);
    List<Thread> running = new ArrayList<>();
    for (int t = 0; t < threads; t++) {
      int first = t;
      running.add(
          Thread.ofPlatform()
              .start(() -> {
                try (SplitBlockFilterBuilder.Filler filler = fillers.get(first)) {
                  for (int i = first; i < entries; i += threads) {
                    filler.add(hashes.applyAsLong(i));
                  }
                }
              }));
    }
    for (Thread thread : running) {
      thread.join();
    }
  }

  private static long hash(long i) {
    return SplitMix.mix(i * 0x9e3779b97f4a7c15L + 1);
  }
}
