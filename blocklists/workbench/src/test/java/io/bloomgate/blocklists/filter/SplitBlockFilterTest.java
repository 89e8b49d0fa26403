package io.bloomgate.blocklists.filter;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The bits of the default filter, and several threads that fill one. */
@Tag("filters")
class SplitBlockFilterTest {

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

  /**
   * Threads that each fill from a part of ascending hashes make the filter of one thread. Few
   * hashes are in one line or two, which the parts share; in large filters they meet once.
   */
  @ParameterizedTest
  @CsvSource({"2, 3", "7, 400", "3, 3000", "8, 300000"})
  void threadsMakeTheFilterOfOneThread(int threads, int entries) throws Exception {
    FilterSizing.Size size = FilterSizing.splitBlock(entries, 0.01);
    long[] hashes =
        new SplittableRandom(entries)
            .longs(entries)
            .boxed()
            .sorted(Long::compareUnsigned)
            .mapToLong(Long::longValue)
            .toArray();
    SplitBlockFilterBuilder single = new SplitBlockFilterBuilder(size);
    Arrays.stream(hashes).forEach(single::add);
    SplitBlockFilter expected = single.build(entries);
    SplitBlockFilterBuilder shared = new SplitBlockFilterBuilder(size);
    shared.addAll(
        IntStream.range(0, threads)
            .<HashSource>mapToObj(t ->
                sink ->
                    Arrays.stream(hashes, entries * t / threads, entries * (t + 1) / threads)
                        .forEach(sink))
            .toList());
    SplitBlockFilter filter = shared.build(entries);
    assertEquals(expected.shape(), filter.shape());
    assertEquals(-1, expected.lines().mismatch(filter.lines()));
  }
}
