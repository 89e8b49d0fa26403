package io.bloomgate.blocklists.filter;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Several threads fill one filter, each from a part of ascending hashes. */
@Tag("filters")
class SplitBlockFillersTest {

  /** Few hashes are in one line or two, which the parts share; in large filters they meet once. */
  @ParameterizedTest
  @CsvSource({"2, 3", "4, 40", "7, 400", "3, 3000", "2, 400000", "8, 300000"})
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
