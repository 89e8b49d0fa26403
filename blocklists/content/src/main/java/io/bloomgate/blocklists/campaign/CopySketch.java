package io.bloomgate.blocklists.campaign;

import com.dynatrace.hash4j.hashing.Hasher64;
import com.dynatrace.hash4j.hashing.Hashing;
import java.util.Arrays;

/**
 * Counts keys within a window: a ring of {@link #SLICES} count-min sketches of {@link #ROWS} rows
 * with 8-bit counters and conservative update (Estan and Varghese 2002, Cormode and Muthukrishnan
 * 2005). The counters of all slices for one place lie beside each other, so that a key is counted
 * and read by one line of memory a row.
 *
 * <p>A count is never below the truth within the window up to {@link #MOST} a slice. Used under the
 * lock of {@link Campaigns}.
 */
final class CopySketch {

  /** Sketches in the ring. */
  static final int SLICES = 6;

  /** Counters of a key in each sketch. */
  static final int ROWS = 3;

  /** The highest value of a counter, where it stays. */
  static final int MOST = 255;

  private static final int LEAST_WIDTH = 1_024;

  /** Keys of a slice for each counter of a row. */
  private static final int KEYS_A_COUNTER = 4;

  /** Keys that are asked to learn how high counters are that belong to other keys. */
  private static final int NOISE_KEYS = 512;

  /** Number of these keys that are left out: they share all counters with frequent keys. */
  private static final int NOISE_OUTLIERS = 10;

  private static final long ROW_STEP = 0x9e37_79b9_7f4a_7c15L;

  private final byte[] counters;
  private final int width;

  /** Makes keys that nobody adds, from numbers. */
  private final Hasher64 others;

  private long asked;

  private int current;

  /**
   * An empty ring.
   *
   * @param keys that are expected in the whole window
   * @param seed of keys that nobody adds, which show how crowded the counters are
   */
  CopySketch(long keys, long seed) {
    long wanted = Math.ceilDiv(keys, (long) SLICES * KEYS_A_COUNTER);
    this.width = Math.clamp(wanted, LEAST_WIDTH, Integer.MAX_VALUE / (SLICES * ROWS));
    this.counters = new byte[SLICES * ROWS * width];
    this.others = Hashing.wyhashFinal4(seed);
  }

  /** The first counter of a key in a row. */
  private int place(long key, int row) {
    // Three independent numbers below the width out of 64 hashed bits.
    long bits = row == 0 ? key & 0xffff_ffffL : (row == 1 ? key : key * ROW_STEP) >>> 32;
    return (row * width + (int) ((bits * width) >>> 32)) * SLICES;
  }

  /** Counts keys once each, and says how often each came within the window. */
  int[] add(long[] keys) {
    return Arrays.stream(keys).mapToInt(this::add).toArray();
  }

  /** Counts a key once, and says how often it came within the window. */
  int add(long key) {
    int least = least(key, current);
    for (int row = 0; row < ROWS && least < MOST; row++) {
      int at = place(key, row) + current;
      if (Byte.toUnsignedInt(counters[at]) == least) {
        counters[at]++;
      }
    }
    return count(key);
  }

  /** Returns how often a key came within the window, or more. */
  int count(long key) {
    int sum = 0;
    for (int slice = 0; slice < SLICES; slice++) {
      sum += least(key, slice);
    }
    return sum;
  }

  private int least(long key, int slice) {
    int least = MOST;
    for (int row = 0; row < ROWS; row++) {
      least = Math.min(least, Byte.toUnsignedInt(counters[place(key, row) + slice]));
    }
    return least;
  }

  /** Drops the oldest slice and begins another one. */
  void turn() {
    current = (current + 1) % SLICES;
    for (int at = current; at < counters.length; at += SLICES) {
      counters[at] = 0;
    }
  }

  /**
   * Returns the count that 49 of 50 keys that never came seem to have at most, because others share
   * their counters.
   */
  int noise() {
    int[] counts = new int[NOISE_KEYS];
    Arrays.setAll(counts, i -> count(others.hashLongToLong(++asked)));
    Arrays.sort(counts);
    return counts[NOISE_KEYS - 1 - NOISE_OUTLIERS];
  }
}
