package io.bloomgate.blocklists.refresh;

import java.util.Locale;

/** The state of a feed (contract, section 7); {@link FeedAge} is its age. */
public enum FeedState {
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
  /** There is no good version at all. */
  FAILED,
  /** Switched off by the operator. */
  DISABLED;

  /** The word in JSON and for people. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
