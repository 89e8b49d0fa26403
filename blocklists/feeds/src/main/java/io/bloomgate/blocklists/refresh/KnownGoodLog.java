package io.bloomgate.blocklists.refresh;

import io.bloomgate.blocklists.generation.FeedCounts;
import io.bloomgate.blocklists.generation.KnownGoodHits;
import io.bloomgate.blocklists.generation.KnownGoodHits.Hit;
import io.bloomgate.blocklists.generation.SnapshotManifest;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs which feeds list senders known to be good, before they go live: once for each version of a
 * feed, and again when the known-good set makes it worse. Used by {@link ListPublisher} on the
 * feed-refresher thread.
 */
public final class KnownGoodLog {

  private static final Logger LOG = LoggerFactory.getLogger(KnownGoodLog.class);

  private KnownGoodLog() {}

  /**
   * Compares what is about to go live with what is live.
   *
   * @return number of feeds that were logged
   */
  public static int log(SnapshotManifest live, SnapshotManifest next) {
    int logged = 0;
    for (FeedCounts feed : next.feeds()) {
      KnownGoodHits hits = next.knownGood().of(feed.name());
      if (hits.entries() > 0 && !isKnown(live, feed, hits)) {
        LOG.warn(
            "feed {}: {}; see `bloomgate feeds show {}`", feed.name(), text(hits), feed.name());
        logged++;
      }
    }
    return logged;
  }

  /**
   * Says which known-good senders a list names, and which of them the operator's allow entries
   * name.
   */
  static String text(KnownGoodHits hits) {
    Hit first = hits.sample().getFirst();
    return "%d of the known-good set %s listed by %d of its entries; the first: %s in line %d lists %s (%s)%s"
        .formatted(
            hits.subjects(),
            hits.subjects() == 1 ? "is" : "are",
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
