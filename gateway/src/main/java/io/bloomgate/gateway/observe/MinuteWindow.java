package io.bloomgate.gateway.observe;

/**
 * Counts of the last minutes, a bucket each; older ones fall out by themselves.
 *
 * <p>Any thread; the caller brings the time.
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
  synchronized void add(long minute) {
    int bucket = Math.floorMod(minute, counts.length);
    if (minutes[bucket] != minute) {
      minutes[bucket] = minute;
      counts[bucket] = 0;
    }
    counts[bucket]++;
  }

  /**
   * The sum of the window that ends with this minute, this one included.
   *
   * @param minute since the epoch
   */
  synchronized long sum(long minute) {
    long sum = 0;
    for (int i = 0; i < counts.length; i++) {
      if (minutes[i] > minute - counts.length && minutes[i] <= minute) {
        sum += counts[i];
      }
    }
    return sum;
  }
}
