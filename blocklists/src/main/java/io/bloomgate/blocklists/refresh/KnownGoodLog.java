package io.bloomgate.blocklists.refresh;

import io.bloomgate.blocklists.generation.FeedCounts;
import io.bloomgate.blocklists.generation.SnapshotManifest;
import io.bloomgate.blocklists.guard.KnownGoodHits;
import io.bloomgate.blocklists.guard.KnownGoodHits.Hit;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells the operator which feeds list senders known to be good, before they go live: once for each
 * version of a feed, and again when the known-good set makes it worse. Used by {@link
 * ListPublisher} on the feed-refresher thread.
 */
public final class KnownGoodLog {

  private static final Logger LOG = LoggerFactory.getLogger(KnownGoodLog.class);

  private KnownGoodLog() {}

  /**
   * Compares what is about to go live with what is live.
   *
   * @return feeds that were told of
   */
  public static int tell(SnapshotManifest live, SnapshotManifest next) {
    int told = 0;
    for (FeedCounts feed : next.feeds()) {
      KnownGoodHits hits = next.knownGood().of(feed.name());
      if (hits.entries() > 0 && !isKnown(live, feed, hits)) {
        LOG.warn(
            "feed {}: {}; see `bloomgate feeds show {}`", feed.name(), text(hits), feed.name());
        told++;
      }
    }
    return told;
  }

  /** What a list does to the known-good set, and what the operator's own word makes of it. */
  static String text(KnownGoodHits hits) {
    Hit first = hits.sample().getFirst();
    return "%d of the known-good set are listed by %d of its entries; the first: %s in line %d lists %s (%s)%s"
        .formatted(
            hits.subjects(),
            hits.entries(),
            first.entry(),
            first.line(),
            first.subject(),
            first.place(),
            hits.allowed() == 0 ? "" : "; " + allowed(hits));
  }

  /**
   * Nothing is held back for an allow entry, as that would outlive it; it wins at each decision.
   */
  static String allowed(KnownGoodHits hits) {
    return "%d of what it lists you allow: your allow entries win as far as they reach, so nothing is held back for them"
        .formatted(hits.allowed());
  }

  private static boolean isKnown(SnapshotManifest live, FeedCounts feed, KnownGoodHits hits) {
    Optional<FeedCounts> before = live.feed(feed.name());
    return before.filter(b -> b.version().equals(feed.version())).isPresent()
        && live.knownGood().of(feed.name()).subjects() >= hits.subjects();
  }
}
