package io.bloomgate.gateway.session;

import io.bloomgate.gateway.observe.Limit;

/**
 * A point on the monotonic clock, and the limit that put it there. Immutable.
 *
 * @param nanos of the monotonic clock; compared by difference, since it may wrap
 */
record Deadline(long nanos, Limit limit) {

  /** The one that comes first. */
  static Deadline first(Deadline a, Deadline b) {
    return b.nanos - a.nanos < 0 ? b : a;
  }
}
