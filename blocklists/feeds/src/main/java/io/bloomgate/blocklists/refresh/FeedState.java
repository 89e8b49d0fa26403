package io.bloomgate.blocklists.refresh;

import io.bloomgate.config.name.Keyed;

/** The state of a feed; {@link FeedAge} is its age. */
public enum FeedState implements Keyed {
  /** The last try brought new content, and it is live. */
  FRESH,
  /** The last try found what is live already. */
  UNCHANGED,
  /** The last try failed or was rejected; the last good version is live. */
  CACHED,
  /** A version waits for the operator; the last good one, if there is one, is live. */
  HELD,
  /** Cached for longer than {@code stale_after}. */
  STALE,
  /** The feed has no good version at all. */
  FAILED,
  /** Switched off by the operator. */
  DISABLED;
}
