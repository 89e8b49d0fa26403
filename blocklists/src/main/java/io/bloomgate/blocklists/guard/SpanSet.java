package io.bloomgate.blocklists.guard;

import io.bloomgate.blocklists.format.IpRange;
import io.bloomgate.config.name.IpAddress;
import java.util.Arrays;

/**
 * Spans of IPv4 addresses as one number each: the first address in the upper half, the last in the
 * lower, the sign turned so that plain sorting sorts by address. Used by {@link FeedDigest}, its
 * {@link Exceptions} and {@link ProtectedIndex}; pure.
 */
final class SpanSet {

  private final long[] merged;

  private SpanSet(long[] merged) {
    this.merged = merged;
  }

  static long span(IpAddress first, IpAddress last) {
    return ((long) first.v4Bits() << 32 | (last.v4Bits() & 0xffff_ffffL)) ^ Long.MIN_VALUE;
  }

  private static long first(long span) {
    return (span ^ Long.MIN_VALUE) >>> 32;
  }

  private static long last(long span) {
    return span & 0xffff_ffffL;
  }

  /** The union of these spans, which are in order and are used up. */
  static SpanSet of(long[] spans) {
    int kept = 0;
    for (long next : spans) {
      if (kept > 0 && first(next) <= last(spans[kept - 1]) + 1) {
        long end = Math.max(last(next), last(spans[kept - 1]));
        spans[kept - 1] = (spans[kept - 1] & ~0xffff_ffffL) | end;
      } else {
        spans[kept++] = next;
      }
    }
    return new SpanSet(Arrays.copyOf(spans, kept));
  }

  /** The spans that do not lie wholly inside this set. */
  long[] without(long[] spans) {
    if (merged.length == 0) {
      return spans;
    }
    int count = 0;
    for (long span : spans) {
      count += holds(span) ? 0 : 1;
    }
    long[] rest = new long[count];
    int kept = 0;
    for (long span : spans) {
      if (!holds(span)) {
        rest[kept++] = span;
      }
    }
    return rest;
  }

  private boolean holds(long span) {
    int at = at(span);
    return at < merged.length && first(merged[at]) <= first(span) && last(span) <= last(merged[at]);
  }

  /** True when the span and this set have an address in common. */
  boolean touches(long span) {
    int at = at(span);
    return at < merged.length && first(merged[at]) <= last(span);
  }

  /** The first part of this set that does not end before the span. */
  private int at(long span) {
    int low = 0;
    int high = merged.length;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (last(merged[middle]) < first(span)) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** The spans as networks, each by itself: a span that is none is cut into the fewest. */
  static long[] networks(long[] spans) {
    if (Arrays.stream(spans).allMatch(SpanSet::isNetwork)) {
      return spans;
    }
    EntryNumberSet networks = new EntryNumberSet();
    for (long span : spans) {
      if (isNetwork(span)) {
        networks.add(span);
      } else {
        IpRange.networks(IpAddress.ofV4((int) first(span)), IpAddress.ofV4((int) last(span)))
            .forEach(network -> networks.add(span(network.network(), network.last())));
      }
    }
    return networks.sortedDistinct();
  }

  private static boolean isNetwork(long span) {
    long size = last(span) - first(span) + 1;
    return Long.bitCount(size) == 1 && (first(span) & (size - 1)) == 0;
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
