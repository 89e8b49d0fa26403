package io.bloomgate.blocklists.snapshot;

import io.bloomgate.config.settings.Settings;
import io.bloomgate.config.settings.Settings.Feeds.Source;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

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
  private final PublisherPace pace;
  private final Map<String, String> triedStates = new HashMap<>();

  DueFeeds(RefreshParts parts, FeedStore store, FeedBook book, PublisherPace pace) {
    this.parts = parts;
    this.pace = pace;
    this.store = store;
    this.book = book;
  }

  /** Those that are due now, in file order. */
  List<Source> now() {
    Instant now = parts.clock().instant();
    List<Source> due = new ArrayList<>();
    for (Source source : sources()) {
      FeedRecord record = book.get(source.name());
      boolean isDue = FeedSchedule.isDue(record.times(), pace.interval(source), now);
      if (mayAsk(source, false) && (isDue || fileChanged(source, record))) {
        due.add(source);
      }
    }
    return due;
  }

  /**
   * False for a feed that is switched off, or whose server or publisher wants us to stay away.
   *
   * @param force do not heed their wish
   */
  boolean mayAsk(Source source, boolean force) {
    boolean paused = book.get(source.name()).pause().holdsAt(parts.clock().instant());
    return !paused && (force || refusal(source).isEmpty());
  }

  /** Why feeds that somebody asked for are not fetched, in a sentence each. */
  String refusals(List<Source> asked, boolean force) {
    return force
        ? ""
        : asked.stream()
            .flatMap(source -> refusal(source).stream())
            .collect(Collectors.joining("; "));
  }

  private Optional<String> refusal(Source source) {
    Instant now = parts.clock().instant();
    Instant notBefore = book.get(source.name()).times().notBefore();
    if (notBefore != null && now.isBefore(notBefore)) {
      return Optional.of(refusal(source, "its server asked us to wait", notBefore));
    }
    return pace.notBefore(source).map(time -> refusal(source, pace.wish(source), time));
  }

  private static String refusal(Source source, String why, Instant time) {
    return source.name()
        + " is not fetched: "
        + why
        + ", so not before "
        + time.truncatedTo(ChronoUnit.SECONDS)
        + "; --force skips that";
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
