package io.bloomgate.blocklists.fleet.published;

import io.bloomgate.blocklists.fetch.FeedSource;
import io.bloomgate.blocklists.fetch.FeedSources.FetchMeter;
import io.bloomgate.config.settings.Settings.Feeds.Source;
import java.util.Optional;

/** Questions of the feed-refresher to the fleet. Called on its thread and on those of fetches. */
public interface FleetFeeds {

  /** A gateway that is alone. */
  FleetFeeds NONE =
      new FleetFeeds() {
        @Override
        public boolean covers(String feed) {
          return false;
        }

        @Override
        public String state(String feed) {
          return "";
        }

        @Override
        public Optional<FeedSource> source(Source feed, FetchMeter meter) {
          return Optional.empty();
        }

        @Override
        public void wentLive() {
          // Nobody is to know.
        }
      };

  /** True while versions of this feed come from the leader, and its own address is not asked. */
  boolean covers(String feed);

  /** Returns the leader's state of the feed, to be compared with the one that was taken; cheap. */
  String state(String feed);

  /** Takes a feed from the leader; empty where the leader has nothing of it. */
  Optional<FeedSource> source(Source feed, FetchMeter meter);

  /** Another generation is live. */
  void wentLive();
}
