package io.bloomgate.blocklists.snapshot;

import io.bloomgate.config.settings.Settings;
import io.bloomgate.config.settings.Settings.Feeds.Source;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Says which feeds are due: by the clock, or because a file changed. Belongs to the feed-refresher
 * thread.
 */
final class DueFeeds {

  /** How often file sources are looked at. */
  private static final Duration FILE_WATCH = Duration.ofSeconds(1);

  /** Longest sleep, so that a clock that was changed is noticed. */
  private static final Duration LONGEST_SLEEP = Duration.ofMinutes(1);

  private final RefreshParts parts;
  private final FeedStore store;
  private final FeedBook book;
  private final Map<String, String> triedStates = new HashMap<>();

  DueFeeds(RefreshParts parts, FeedStore store, FeedBook book) {
    this.parts = parts;
    this.store = store;
    this.book = book;
  }

  /** Those that are due now, in file order. */
  List<Source> now() {
    Instant now = parts.clock().instant();
    List<Source> due = new ArrayList<>();
    for (Source source : sources()) {
      FeedRecord record = book.get(source.name());
      boolean isDue = FeedSchedule.isDue(record.times(), source.every(), now);
      if (mayAsk(source, false) && (isDue || fileChanged(source, record))) {
        due.add(source);
      }
    }
    return due;
  }

  /**
   * False for a feed that is switched off, or whose server asked us to stay away.
   *
   * @param force do not heed the server's wish
   */
  boolean mayAsk(Source source, boolean force) {
    FeedRecord record = book.get(source.name());
    Instant now = parts.clock().instant();
    Instant notBefore = record.times().notBefore();
    return !record.pause().holdsAt(now) && (force || notBefore == null || !now.isBefore(notBefore));
  }

  /** Notes the state of a file that is about to be read, so that it is read once. */
  void tried(Source source) {
    if (isFile(source)) {
      triedStates.put(source.name(), parts.sources().of(source).state());
    }
  }

  private boolean fileChanged(Source source, FeedRecord record) {
    if (!isFile(source)) {
      return false;
    }
    String tried = triedStates.get(source.name());
    return !parts.sources().of(source).state().equals(tried == null ? stored(record) : tried);
  }

  private String stored(FeedRecord record) {
    try {
      return store
          .version(record.name(), record.live())
          .map(v -> v.validators().files())
          .orElse("");
    } catch (IOException e) {
      return "";
    }
  }

  private static boolean isFile(Source source) {
    return source.location() instanceof Settings.Feeds.Location.Files;
  }

  /** How long the refresher may sleep. */
  Duration sleep() {
    Instant now = parts.clock().instant();
    Duration sleep = LONGEST_SLEEP;
    for (Source source : sources()) {
      Instant next = book.get(source.name()).times().due();
      if (isFile(source)) {
        sleep = shorter(sleep, FILE_WATCH);
      }
      if (next != null) {
        sleep = shorter(sleep, Duration.between(now, next));
      }
    }
    // A due feed that must not be asked yet would otherwise spin the loop.
    return sleep.compareTo(FILE_WATCH) < 0 ? FILE_WATCH : sleep;
  }

  private static Duration shorter(Duration a, Duration b) {
    return a.compareTo(b) < 0 ? a : b;
  }

  private Iterable<Source> sources() {
    return parts.settings().get().feeds().sources().values();
  }
}
