package io.bloomgate.blocklists.refresh;

import io.bloomgate.config.settings.Settings.Feeds.Source;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells, once for each step, that a feed has aged, and keeps the times of feeds sane when the clock
 * was set back. Belongs to the feed-refresher thread; what ageing does to a verdict is decided with
 * each message.
 */
final class FeedAges {

  private static final Logger LOG = LoggerFactory.getLogger(FeedAges.class);

  private final RefreshParts parts;
  private final FeedBook book;
  private final Map<String, FeedAge> told = new HashMap<>();

  FeedAges(RefreshParts parts, FeedBook book) {
    this.parts = parts;
    this.book = book;
  }

  /** One look at the clock. Call now and then. */
  void look() {
    Instant now = parts.clock().instant();
    Map<String, Source> sources = parts.settings().get().feeds().sources();
    told.keySet().retainAll(sources.keySet());
    for (Source source : sources.values()) {
      if (book.get(source.name()).times().areAheadOf(now)) {
        book.update(source.name(), r -> r.with(r.times().asIf(now)));
        LOG.warn("feed {}: the clock was set back, its times are counted anew", source.name());
      }
      tell(source, now);
    }
  }

  private void tell(Source source, Instant now) {
    FeedRecord record = book.get(source.name());
    FeedAge age = FeedAge.of(source, record, now);
    FeedAge before = told.put(source.name(), age);
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
