package io.bloomgate.blocklists.history;

import java.time.Instant;
import java.util.List;

/**
 * What changed in the lists when one generation took the place of another. Made by {@link
 * FeedHistory} on the feed-refresher thread; written by {@link DeltaWriter}. Immutable.
 *
 * @param before number of the generation before; 0 where it is not known, as the history begins
 * @param generation number of the generation that went live
 * @param after until when the generation before was live for certain: equal to {@code at}, or
 *     earlier where generations between the two were not written down
 * @param at when it went live
 * @param feeds that changed
 */
record Delta(long before, long generation, Instant after, Instant at, List<FeedChange> feeds) {

  Delta {
    feeds = List.copyOf(feeds);
  }

  /** What the history knows of a feed before a change. */
  enum Past {
    /** All: the keys say what came and what went. */
    KEPT,
    /** The feed was not in the lists. */
    ABSENT,
    /** Nothing: more entries changed than are kept. */
    UNKNOWN
  }

  /** A key that came or went. */
  record Change(HistoryKey key, boolean exception, boolean added) {

    /** The number under which equal forms and signs are together in a file. */
    int group() {
      return (key.form() << 1 | (exception ? 1 : 0)) << 1 | (added ? 1 : 0);
    }
  }

  /**
   * The change of one feed.
   *
   * @param version number of the feed's version from then on, 0 when the feed is gone
   * @param changes in no order; none unless the past is kept
   */
  record FeedChange(String feed, long version, Past past, List<Change> changes) {}
}
