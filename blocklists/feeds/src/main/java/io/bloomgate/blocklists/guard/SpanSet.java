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
