package io.bloomgate.blocklists.snapshot;

import io.bloomgate.blocklists.knowngood.KnownGoodHits;
import io.bloomgate.blocklists.knowngood.KnownGoodHits.Hit;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells the operator which feeds list senders known to be good, before they go live: once for each
 * version of a feed, and again when the known-good set makes it worse. Used by {@link FeedBuild} on
 * the feed-refresher thread.
 */
final class KnownGoodLog {

  private static final Logger LOG = LoggerFactory.getLogger(KnownGoodLog.class);

  private KnownGoodLog() {}

  /**
   * Compares what is about to go live with what is live.
   *
   * @return feeds that were told of
   */
  static int tell(SnapshotManifest live, SnapshotManifest next) {
    int told = 0;
    for (FeedCounts feed : next.feeds()) {
      KnownGoodHits hits = next.knownGood().of(feed.name());
      if (hits.entries() > 0 && !isKnown(live, feed, hits)) {
        Hit first = hits.sample().getFirst();
        LOG.warn(
            "feed {}: {} of the known-good set are listed by {} of its entries; the first: {} in"
                + " line {} lists {} ({}); see `bloomgate feeds show {}`",
            feed.name(),
            hits.subjects(),
            hits.entries(),
            first.entry(),
            first.line(),
            first.subject(),
            first.place(),
            feed.name());
        told++;
      }
    }
    return told;
  }

  private static boolean isKnown(SnapshotManifest live, FeedCounts feed, KnownGoodHits hits) {
    Optional<FeedCounts> before = live.feed(feed.name());
    return before.filter(b -> b.version().equals(feed.version())).isPresent()
        && live.knownGood().of(feed.name()).subjects() >= hits.subjects();
  }
}
