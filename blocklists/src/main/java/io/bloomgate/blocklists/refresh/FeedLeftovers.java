package io.bloomgate.blocklists.refresh;

import io.bloomgate.blocklists.refresh.FeedRecord.Outcome;
import io.bloomgate.blocklists.refresh.TryingMark.Trying;
import io.bloomgate.config.fault.Faults;
import io.bloomgate.config.settings.Settings.Feeds.Source;
import java.io.IOException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Puts in order what the process before has left, at the start and before anything is fetched: what
 * never went live goes, and the text that was being read when the process ended is not read again
 * at once, since it may be what ended it.
 */
final class FeedLeftovers {

  private static final Logger LOG = LoggerFactory.getLogger(FeedLeftovers.class);

  private final RefreshParts parts;
  private final FeedStore store;
  private final FeedBook book;
  private final FeedSchedule schedule;

  FeedLeftovers(RefreshParts parts, FeedStore store, FeedBook book, FeedSchedule schedule) {
    this.parts = parts;
    this.store = store;
    this.book = book;
    this.schedule = schedule;
  }

  /**
   * Call after what was published is known to be live.
   *
   * @return what was being tried when the process before ended
   */
  Optional<Trying> clear() {
    Optional<Trying> tried = Optional.empty();
    try {
      tried = store.mark().found();
    } catch (IOException e) {
      LOG.warn("{}", Faults.words(e));
    }
    for (Source source : parts.settings().get().feeds().sources().values()) {
      Long version = tried.map(Trying::versions).map(v -> v.get(source.name())).orElse(null);
      if (version != null && book.get(source.name()).live() != version) {
        putOff(source);
      }
      try {
        clear(source);
      } catch (IOException e) {
        LOG.warn("feed {}: {}", source.name(), Faults.words(e));
      }
    }
    store.mark().end();
    return tried;
  }

  private void putOff(Source source) {
    Instant now = parts.clock().instant();
    double jitter = parts.settings().get().feeds().refreshJitterRatio();
    book.update(
        source.name(),
        r -> {
          Instant next = schedule.afterFailure(now, source, jitter, r.times().failures() + 1);
          String why =
              "the gateway ended while its last version was read; tried again at "
                  + next.truncatedTo(ChronoUnit.SECONDS);
          return r.ended(
              Outcome.FAILED, why, r.live(), r.held(), r.times().attempted(now).failed(next, null));
        });
    LOG.warn("feed {}: {}", source.name(), book.get(source.name()).problem());
  }

  private void clear(Source source) throws IOException {
    String name = source.name();
    FeedRecord record = book.get(name);
    store.discardIncoming(name);
    for (FeedVersion version : store.versions(name)) {
      boolean inUse = version.id() == record.live() || version.id() == record.held();
      if (!inUse && !version.wasLive()) {
        store.remove(name, version.id());
      } else if (!version.reading().complete()) {
        store.update(name, version.with(version.reading().completed(source)));
      }
    }
  }
}
