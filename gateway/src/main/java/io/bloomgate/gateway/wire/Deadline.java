package io.bloomgate.gateway.wire;

import io.bloomgate.gateway.log.Limit;

/**
 * A point on the monotonic clock, and the limit that put it there. Immutable.
 *
 * @param nanos of the monotonic clock; compared by difference, since it may wrap
 */
public record Deadline(long nanos, Limit limit) {

  /** The one that comes first. */
  public static Deadline first(Deadline a, Deadline b) {
    return b.nanos - a.nanos < 0 ? b : a;
  }
}
