package io.bloomgate.blocklists.index;

/**
 * Sorts the positions of rows that live in primitive arrays. Bottom-up merge sort: bounded time for
 * every input, so that no crafted feed can slow a build, and 4 octets of scratch a row.
 */
final class IntOrder {

  /** Compares the rows at two positions. */
  @FunctionalInterface
  interface Comparison {
    int compare(int left, int right);
  }

  private IntOrder() {}

  /** The positions 0 to {@code count - 1} in order; equal rows keep their order. */
  static int[] sorted(int count, Comparison comparison) {
    int[] from = new int[count];
    for (int i = 0; i < count; i++) {
      from[i] = i;
    }
    int[] to = new int[count];
    for (long width = 1; width < count; width *= 2) {
      for (long start = 0; start < count; start += 2 * width) {
        int middle = (int) Math.min(start + width, count);
        int end = (int) Math.min(start + 2 * width, count);
        merge(from, to, (int) start, middle, end, comparison);
      }
      int[] swap = from;
      from = to;
      to = swap;
    }
    return from;
  }

  private static void merge(
      int[] from, int[] to, int start, int middle, int end, Comparison comparison) {
    int left = start;
    int right = middle;
    for (int i = start; i < end; i++) {
      boolean takeLeft =
          left < middle && (right >= end || comparison.compare(from[left], from[right]) <= 0);
      to[i] = takeLeft ? from[left++] : from[right++];
    }
  }
}
