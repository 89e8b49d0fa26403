package io.bloomgate.blocklists.refresh;

import io.bloomgate.blocklists.fetch.FeedSource;
import io.bloomgate.blocklists.fetch.FeedSources.FetchMeter;
import io.bloomgate.config.settings.Settings.Feeds.Source;
import java.util.Optional;

/** Questions of the feed-refresher to the fleet. Called on its thread and on those of fetches. */
public interface FleetFeeds {

  /** A gateway that is alone. */
  FleetFeeds NONE = new FleetFeeds() {};

  /** True while versions of this feed come from the leader, and its own address is not asked. */
  default boolean covers(String feed) {
    return false;
  }

  /** Returns the leader's state of the feed, to be compared with the one that was taken; cheap. */
  default String state(String feed) {
    return "";
  }

  /** Takes a feed from the leader; empty where the leader has nothing of it. */
  default Optional<FeedSource> source(Source feed, FetchMeter meter) {
    return Optional.empty();
  }

  /** Another generation is live. */
  default void wentLive() {
    // Nobody is to know.
  }
}
