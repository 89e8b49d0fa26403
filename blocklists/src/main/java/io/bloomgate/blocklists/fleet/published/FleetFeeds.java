package io.bloomgate.blocklists.fleet.published;

import io.bloomgate.blocklists.fetch.FeedSource;
import io.bloomgate.blocklists.fetch.FeedSources.FetchMeter;
import io.bloomgate.blocklists.format.FeedContent;
import io.bloomgate.config.settings.Settings.Feeds.Source;
import java.util.Optional;

/** What the feed-refresher asks the fleet. Called on its thread and on those of fetches. */
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
        public Optional<FeedSource> source(Source feed, StoredTexts stored, FetchMeter meter) {
          return Optional.empty();
        }

        @Override
        public void wentLive() {
          // Nobody is to know.
        }
      };

  /** Texts of a feed that this gateway has. */
  @FunctionalInterface
  interface StoredTexts {
    /** The stored octets with this SHA-256, not proven yet. */
    Optional<FeedContent> find(String sha256);
  }

  /** True while versions of this feed come from the leader, and its own address is not asked. */
  boolean covers(String feed);

  /** What the leader has of the feed, to be compared with the state that was taken; cheap. */
  String state(String feed);

  /** Takes a feed from the leader; empty where the leader has nothing of it. */
  Optional<FeedSource> source(Source feed, StoredTexts stored, FetchMeter meter);

  /** Another generation is live. */
  void wentLive();
}
