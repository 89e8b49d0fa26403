package io.bloomgate.blocklists.refresh;

import io.bloomgate.config.name.Keyed;

/**
 * The outcome of the last check of a feed at its source; whether that is good or bad says {@link
 * FeedStatus.Health}.
 */
public enum LastCheck implements Keyed {
  /** The address in the settings was not asked yet. */
  UNTRIED,
  /** The source had new content, and it is live. */
  FRESH,
  /** The source had what is live already. */
  UNCHANGED,
  /** The source had a version that waits for the operator. */
  HELD,
  /** The source had something that is no list. */
  REJECTED,
  /** The source could not be read. */
  FAILED,
  /** The publisher answered that there is no such list. */
  GONE,
  /** The process ended while it read or built the version. */
  ENDED;
}
