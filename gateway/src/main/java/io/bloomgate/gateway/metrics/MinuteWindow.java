package io.bloomgate.gateway.metrics;

import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Counts of the last minutes, one bucket each; older ones are dropped.
 *
 * <p>Any thread; the caller gives the time.
 */
final class MinuteWindow {

  private final int[] counts;

  /** The minute that each bucket counts. */
  private final long[] minutes;

  /**
   * A window of this length.
   *
   * @param length in minutes
   */
  MinuteWindow(int length) {
    counts = new int[length];
    minutes = new long[length];
  }

  /**
   * Counts one.
   *
   * @param minute since the epoch
   */
  void add(long minute) {
    add(minute, 1);
  }

  /** Counts several at once. */
  synchronized void add(long minute, int count) {
    int bucket = Math.floorMod(minute, counts.length);
    if (minutes[bucket] != minute) {
      minutes[bucket] = minute;
      counts[bucket] = 0;
    }
    counts[bucket] += count;
  }

  /** True when a minute is in the window that ends with this one. */
  boolean holds(long minute, long now) {
    return minute > now - counts.length && minute <= now;
  }

  /** The counts of each minute of the window that ends with this one, oldest first. */
  synchronized SortedMap<String, Integer> byMinute(long minute) {
    SortedMap<String, Integer> found = new TreeMap<>();
    for (int i = 0; i < counts.length; i++) {
      if (counts[i] > 0 && holds(minutes[i], minute)) {
        found.put(Long.toString(minutes[i]), counts[i]);
      }
    }
    return found;
  }

  /**
   * The sum of the window that ends with this minute, this one included.
   *
   * @param minute since the epoch
   */
  synchronized long sum(long minute) {
    long sum = 0;
    for (int i = 0; i < counts.length; i++) {
      if (holds(minutes[i], minute)) {
        sum += counts[i];
      }
    }
    return sum;
  }
}
