package io.bloomgate.blocklists.file;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.function.LongUnaryOperator;
import org.junit.jupiter.api.Test;

/** The sort of unsigned values, against the JDK's, for sizes and values of every kind. */
class LongsTest {

  private static final int SIZE = 50_000;

  private static void sortsLikeTheJdk(int size, LongUnaryOperator values) {
    Longs list = new Longs();
    long[] expected = new long[size];
    for (int i = 0; i < size; i++) {
      long value = values.applyAsLong(i);
      list.add(value);
      expected[i] = value ^ Long.MIN_VALUE;
    }
    list.sort();
    Arrays.sort(expected);
    long[] sorted = new long[size];
    Arrays.setAll(sorted, i -> list.get(i) ^ Long.MIN_VALUE);
    assertArrayEquals(expected, sorted);
  }

  @Test
  void sortsAnyOrderAsUnsignedNumbers() {
    SplittableRandom random = new SplittableRandom(1);
    for (int size : new int[] {0, 1, 2, 2048, 2049, SIZE}) {
      sortsLikeTheJdk(size, i -> random.nextLong());
      sortsLikeTheJdk(size, i -> i);
      sortsLikeTheJdk(size, i -> -i);
      sortsLikeTheJdk(size, i -> 7);
      sortsLikeTheJdk(size, i -> random.nextLong(3));
      sortsLikeTheJdk(size, i -> random.nextLong() & 0xff00_0000_0000_00ffL);
    }
  }

  @Test
  void eachValueComesOutOnceInSignedOrder() {
    Longs list = new Longs();
    for (int i = 0; i < SIZE; i++) {
      list.add(i % 7 - 3);
    }
    assertArrayEquals(new long[] {-3, -2, -1, 0, 1, 2, 3}, list.sortedDistinct());
    assertArrayEquals(new long[0], new Longs().sortedDistinct());
  }

  @Test
  void whatWasDroppedIsGoneAndTheRestStays() {
    Longs list = new Longs();
    for (int i = 0; i < SIZE; i++) {
      list.add(i);
    }
    list.truncate(SIZE / 2);
    list.add(-1);
    long[] kept = new long[list.size()];
    Arrays.setAll(kept, list::get);
    long[] expected = new long[SIZE / 2 + 1];
    Arrays.setAll(expected, i -> i < SIZE / 2 ? i : -1);
    assertArrayEquals(expected, kept);
  }
}
