package io.bloomgate.blocklists;

import io.bloomgate.blocklists.generation.FeedCounts;
import io.bloomgate.blocklists.generation.LiveSnapshot;
import io.bloomgate.blocklists.generation.SnapshotManifest;
import io.bloomgate.blocklists.generation.SnapshotStore;
import io.bloomgate.blocklists.score.FetchedOctets;
import java.io.IOException;
import java.time.Instant;
import java.util.Optional;

/**
 * The costs of a feed, for `feeds score`. Made by {@link Blocklists}; any thread that may block.
 */
public final class FeedCosts {

  private final FetchedOctets fetched;
  private final SnapshotStore store;
  private final LiveSnapshot live;

  FeedCosts(FetchedOctets fetched, SnapshotStore store, LiveSnapshot live) {
    this.fetched = fetched;
    this.store = store;
    this.live = live;
  }

  /** Octets of its versions that came since the day of this moment; empty when none ever did. */
  public Optional<Long> fetched(String feed, Instant since) {
    return fetched.since(feed, since);
  }

  /**
   * The feed's part of the live filters and index, by entries: they are files that are mapped into
   * memory. Empty for a feed that is not part of them.
   */
  public Optional<Long> memory(String feed) {
    SnapshotManifest manifest = live.current().manifest();
    long all = manifest.feeds().stream().mapToLong(FeedCosts::entries).sum();
    Optional<Long> own = manifest.feed(feed).map(FeedCosts::entries);
    if (own.isEmpty() || all == 0) {
      return own;
    }
    try {
      long octets = store.octets(manifest.generation());
      return Optional.of(Math.round((double) octets * own.get() / all));
    } catch (IOException e) {
      return Optional.empty(); // another generation went live meanwhile
    }
  }

  private static long entries(FeedCounts feed) {
    return feed.entries() + feed.exceptions();
  }
}
