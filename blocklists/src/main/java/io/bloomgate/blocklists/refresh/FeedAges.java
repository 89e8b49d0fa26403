package io.bloomgate.blocklists.refresh;

import io.bloomgate.config.settings.Settings.Feeds.Source;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reports, once for each step, that a feed has aged, and moves stored times back that lie ahead of
 * now: the one place that looks for a clock that was set back. What waits within the process goes
 * by a clock that cannot be set ({@link io.bloomgate.blocklists.senders.SteadyClock#even}). Belongs
 * to the feed-refresher thread; what ageing does to a verdict is decided with each message.
 */
final class FeedAges {

  private static final Logger LOG = LoggerFactory.getLogger(FeedAges.class);

  private final RefreshParts parts;
  private final FeedArchive archive;
  private final Map<String, FeedAge> reported = new HashMap<>();

  FeedAges(RefreshParts parts, FeedArchive archive) {
    this.parts = parts;
    this.archive = archive;
  }

  /** One look at the clock. Call now and then. */
  void look() {
    moveBack();
    Instant now = parts.clock().instant();
    Map<String, Source> sources = parts.settings().get().feeds().sources();
    reported.keySet().retainAll(sources.keySet());
    for (Source source : sources.values()) {
      report(source, now);
    }
  }

  /** Moves stored times back that lie ahead of now, so that no wait becomes longer. */
  void moveBack() {
    Instant now = parts.clock().instant();
    Instant steady = parts.steady().instant();
    for (String name : parts.settings().get().feeds().sources().keySet()) {
      FeedRecord record = archive.get(name);
      if (record.times().areAheadOf(now)) {
        LOG.warn("feed {}: the clock was set back, its times are counted from now", name);
      }
      if (record.isAheadOf(now, steady)) {
        archive.update(name, r -> r.notAheadOf(now, steady));
      }
    }
  }

  private void report(Source source, Instant now) {
    FeedRecord record = archive.get(source.name());
    FeedAge age = FeedAge.of(source, record, now);
    FeedAge before = reported.put(source.name(), age);
    if (age == before || (age == FeedAge.CURRENT && before == null)) {
      return;
    }
    if (age == FeedAge.CURRENT) {
      LOG.info("feed {} {}", source.name(), age.notice(record));
    } else {
      parts.alarm().accept("feed " + source.name() + ": " + age.notice(record));
    }
  }
}
