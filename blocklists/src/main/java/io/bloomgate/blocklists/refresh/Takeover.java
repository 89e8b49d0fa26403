package io.bloomgate.blocklists.refresh;

import io.bloomgate.config.fault.Faults;
import io.bloomgate.config.settings.Settings.Feeds.Source;
import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks at what the process before left: what may have ended that process is not done again at
 * once. Used once by {@link FeedRefresher} when it opens, on the caller's thread.
 */
record Takeover(RefreshParts parts, FeedFiles files, FeedArchive archive) {

  private static final Logger LOG = LoggerFactory.getLogger(Takeover.class);

  void begin(FeedAges ages, RebuildSchedule rebuilds, DueFeeds due) {
    ages.moveBack();
    if (parts.snapshots().foundUnfinished()) {
      rebuilds.rest();
    }
    for (Source source : parts.settings().get().feeds().sources().values()) {
      FeedRecord record = archive.get(source.name());
      if (record.outcome() == FeedRecord.Outcome.ENDED) {
        LOG.warn("feed {}: {}", source.name(), record.problem());
        due.tried(source);
      }
      try {
        files.clear(source.name(), id -> id == record.live() || id == record.held());
      } catch (IOException e) {
        LOG.warn("feed {}: {}", source.name(), Faults.words(e));
      }
    }
  }
}
