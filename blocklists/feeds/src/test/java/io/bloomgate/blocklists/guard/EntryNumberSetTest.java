package io.bloomgate.blocklists.guard;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.bloomgate.blocklists.format.FeedSink.TooManyEntriesException;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** The list of numbers behind every comparison of versions. */
class EntryNumberSetTest {

  private static final long SEED = 0x1157;

  private static void check(String what, long... values) {
    EntryNumberSet list = new EntryNumberSet(new EntryLimit(Long.MAX_VALUE));
    for (long value : values) {
      list.add(value);
    }
    assertArrayEquals(
        LongStream.of(values).sorted().distinct().toArray(), list.sortedDistinct(), what);
    assertArrayEquals(new long[0], list.sortedDistinct(), "it is empty afterwards");
  }

  @Test
  void valuesComeOutOnceAndInOrder() {
    check("none");
    check("ends", Long.MAX_VALUE, -1, 0, Long.MIN_VALUE, 1, -1, Long.MAX_VALUE);
    Random random = new Random(SEED);
    check("spread, seed " + SEED, random.longs(50_000).toArray());
    check("in one part, seed " + SEED, random.longs(50_000, 0, 10_000).toArray());
    check("more in one part, seed " + SEED, random.longs(200_000, 0, 100_000).toArray());
  }

  @Test
  void repeatsAreNotKept() {
    EntryNumberSet list = new EntryNumberSet(new EntryLimit(3));
    for (int i = 0; i < 1_000_000; i++) {
      list.add(i % 3);
    }
    list.settle();
    assertArrayEquals(new long[] {0, 1, 2}, list.sortedDistinct());
  }

  @Test
  void theLimitHearsOfEveryDistinctValueOnce() {
    EntryNumberSet list = new EntryNumberSet(new EntryLimit(100_000));
    Random random = new Random(SEED);
    for (int i = 0; i < 100_000; i++) {
      list.add(i);
      list.add(random.nextInt(i + 1));
    }
    list.settle();
    list.add(100_000);
    assertThrows(TooManyEntriesException.class, list::settle);
  }

  @Test
  void tooManyAreNotKeptUntilTheEnd() {
    EntryNumberSet list = new EntryNumberSet(new EntryLimit(100_000));
    assertThrows(
        TooManyEntriesException.class,
        () -> {
          for (int i = 0; i < 300_000; i++) {
            list.add(i);
          }
        });
  }
}
