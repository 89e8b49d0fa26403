package io.bloomgate.blocklists;

import io.bloomgate.blocklists.refresh.FeedStatus;

/**
 * The figures of one feed in the metrics. Immutable.
 *
 * @param entries that are live, exceptions not counted
 * @param failures tries in a row without success
 * @param breakerHolds true while the breaker holds entries of it back
 */
public record FeedFigures(FeedStatus status, long entries, int failures, boolean breakerHolds) {
  /** The name of the feed. */
  public String name() {
    return status.feed();
  }
}
