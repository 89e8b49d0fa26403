package io.bloomgate.blocklists.guard;

import io.bloomgate.config.name.IpAddress;

/**
 * Spans of IPv4 addresses as one number each: the first address in the upper half, the last in the
 * lower, the sign turned so that plain sorting sorts by address. Used by {@link FeedDigest}; pure.
 */
final class SpanSet {

  private SpanSet() {}

  static long span(IpAddress first, IpAddress last) {
    return ((long) first.v4Bits() << 32 | (last.v4Bits() & 0xffff_ffffL)) ^ Long.MIN_VALUE;
  }

  private static long first(long span) {
    return (span ^ Long.MIN_VALUE) >>> 32;
  }

  private static long last(long span) {
    return span & 0xffff_ffffL;
  }

  /** The numbers of one sorted array that the other has not. */
  static long[] without(long[] all, long[] left) {
    if (left.length == 0) {
      return all;
    }
    int count = 0;
    for (int i = 0, j = 0; i < all.length; i++) {
      j = reach(left, j, all[i]);
      count += j < left.length && left[j] == all[i] ? 0 : 1;
    }
    long[] rest = new long[count];
    int kept = 0;
    for (int i = 0, j = 0; i < all.length && kept < count; i++) {
      j = reach(left, j, all[i]);
      if (j == left.length || left[j] != all[i]) {
        rest[kept++] = all[i];
      }
    }
    return rest;
  }

  /** The index of the first number from a position on that is not less. */
  private static int reach(long[] sorted, int from, long number) {
    int at = from;
    while (at < sorted.length && sorted[at] < number) {
      at++;
    }
    return at;
  }

  /** Addresses in the union of the spans, which are in order. */
  static long covered(long[] spans) {
    long total = 0;
    long end = -1;
    for (long span : spans) {
      long from = Math.max(first(span), end + 1);
      if (last(span) >= from) {
        total += last(span) - from + 1;
        end = last(span);
      }
    }
    return total;
  }
}
