package io.bloomgate.blocklists.campaign;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;

/**
 * How often keys came within a window: a ring of {@link #SLICES} count-min sketches of {@link
 * #ROWS} rows with 8-bit counters and conservative update (Estan and Varghese 2002, Cormode and
 * Muthukrishnan 2005). The counters of all slices for one place lie beside each other, so that a
 * key is counted and read by one line of memory a row.
 *
 * <p>Sessions add and read on any thread and never wait; one chore turns the ring. A count is never
 * below the truth within the window up to {@link #MOST} a slice, whatever threads do at the same
 * time: a counter grows only from the value that was read, and a thread that finds another value
 * begins again. What two threads at one key cost is a counter that is one too high in one row; the
 * other rows bound it. A thread that was stopped while the ring turned counts in the slice before,
 * and a read during the turn may miss what the oldest slice had.
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

  /** Of these keys, the ones that are left out: they share all counters with frequent keys. */
  private static final int NOISE_OUTLIERS = 10;

  private static final long ROW_STEP = 0x9e37_79b9_7f4a_7c15L;

  private static final VarHandle COUNTERS = MethodHandles.arrayElementVarHandle(byte[].class);

  private final byte[] counters;
  private final int width;
  private final long seed;

  /** How many keys were asked that nobody adds; of the chore. */
  private long noiseKeys;

  private volatile int current;
  private volatile int noise;

  /**
   * An empty ring.
   *
   * @param keys that are expected in the whole window
   * @param seed of keys that nobody adds
   */
  CopySketch(long keys, long seed) {
    long wanted = Math.ceilDiv(keys, (long) SLICES * KEYS_A_COUNTER);
    this.width = Math.clamp(wanted, LEAST_WIDTH, Integer.MAX_VALUE / (SLICES * ROWS));
    this.counters = new byte[SLICES * ROWS * width];
    this.seed = seed;
  }

  /** Octets of memory; fixed. */
  int octets() {
    return counters.length;
  }

  /** The first counter of a key in a row. */
  private int place(long key, int row) {
    // Three independent numbers below the width out of 64 hashed bits.
    long bits =
        switch (row) {
          case 0 -> key & 0xffff_ffffL;
          case 1 -> key >>> 32;
          default -> (key * ROW_STEP) >>> 32;
        };
    int column = (int) ((bits * width) >>> 32);
    return (row * width + column) * SLICES;
  }

  /**
   * Counts keys once each, and says how often each came within the window. All are read first: a
   * write waits for its counter to come from memory, and reads wait for each other no longer than
   * for one.
   */
  int[] add(long[] keys) {
    int[] counts = new int[keys.length];
    for (int i = 0; i < keys.length; i++) {
      counts[i] = count(keys[i]);
    }
    for (int i = 0; i < keys.length; i++) {
      counts[i] = add(keys[i]);
    }
    return counts;
  }

  /** Counts a key once, and says how often it came within the window. */
  int add(long key) {
    int first = place(key, 0);
    int second = place(key, 1);
    int third = place(key, 2);
    raise(current, first, second, third);
    return sum(first, second, third);
  }

  /** How often a key came within the window, or more. */
  int count(long key) {
    return sum(place(key, 0), place(key, 1), place(key, 2));
  }

  private void raise(int slice, int first, int second, int third) {
    int least;
    do {
      least = Math.min(value(first + slice), value(second + slice));
      least = Math.min(least, value(third + slice));
    } while (least < MOST
        && !(isRaised(first + slice, least)
            && isRaised(second + slice, least)
            && isRaised(third + slice, least)));
  }

  /** False when another thread changed the counter since it was read. */
  private boolean isRaised(int at, int least) {
    int value = value(at);
    return value > least || COUNTERS.compareAndSet(counters, at, (byte) least, (byte) (least + 1));
  }

  private int sum(int first, int second, int third) {
    int sum = 0;
    for (int slice = 0; slice < SLICES; slice++) {
      sum += Math.min(Math.min(value(first + slice), value(second + slice)), value(third + slice));
    }
    return sum;
  }

  private int value(int at) {
    return Byte.toUnsignedInt((byte) COUNTERS.getOpaque(counters, at));
  }

  /** Drops the oldest slice and begins another one. For one thread at a time. */
  void turn() {
    int next = (current + 1) % SLICES;
    for (int at = next; at < counters.length; at += SLICES) {
      COUNTERS.setOpaque(counters, at, (byte) 0);
    }
    current = next;
  }

  /** Learns {@link #noise}. For one thread at a time. */
  void measureNoise() {
    int[] counts = new int[NOISE_KEYS];
    Arrays.setAll(counts, i -> count(Seeds.of(seed, ++noiseKeys)));
    Arrays.sort(counts);
    noise = counts[NOISE_KEYS - 1 - NOISE_OUTLIERS];
  }

  /**
   * What 49 of 50 keys that never came seem to have at most, because others share their counters.
   */
  int noise() {
    return noise;
  }
}
