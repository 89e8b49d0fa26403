package io.bloomgate.blocklists.refresh;

import io.bloomgate.config.settings.Location;
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

  /** The interval in which file sources are checked. */
  private static final Duration FILE_WATCH = Duration.ofSeconds(1);

  /**
   * The time that changed files must be unchanged before they are read, so that no half-written
   * file goes live. A little less than {@link #FILE_WATCH}: two looks must find the same.
   */
  private static final Duration REST = Duration.ofMillis(900);

  /** Files that are written to without end are read after this time as they are. */
  private static final Duration LONGEST_CHANGE = Duration.ofMinutes(1);

  /** Longest sleep, so that a clock that was changed is noticed. */
  private static final Duration LONGEST_SLEEP = Duration.ofMinutes(1);

  private final RefreshParts parts;
  private final FeedFiles files;
  private final FeedArchive archive;
  private final PublisherIntervals intervals;
  private final Map<String, String> triedStates = new HashMap<>();
  private final Map<String, Look> looks = new HashMap<>();

  /**
   * Files that changed.
   *
   * @param state as they were when they were looked at last
   * @param since when they were first seen so
   * @param changing when they were first seen to change
   */
  private record Look(String state, Instant since, Instant changing) {

    Look again(String now, Instant at) {
      return now.equals(state) ? this : new Look(now, at, changing);
    }

    boolean rests(Instant now) {
      return !now.isBefore(since.plus(REST)) || !now.isBefore(changing.plus(LONGEST_CHANGE));
    }
  }

  DueFeeds(RefreshParts parts, FeedFiles files, FeedArchive archive, PublisherIntervals intervals) {
    this.parts = parts;
    this.intervals = intervals;
    this.files = files;
    this.archive = archive;
  }

  /** The feeds that are due now, in file order. */
  List<Source> now() {
    Instant now = parts.clock().instant();
    List<Source> due = new ArrayList<>();
    for (Source source : sources()) {
      FeedRecord record = archive.get(source.name());
      boolean isDue =
          FeedSchedule.isDue(record.times(), intervals.interval(source), jitter(), now)
              || isElsewhere(source);
      if (mayAsk(source, false) && isDueNow(source, isDue)) {
        due.add(source);
      }
    }
    return due;
  }

  private boolean isDueNow(Source source, boolean byClock) {
    if (parts.fleet().covers(source.name())) {
      return publishedIsDue(source, byClock);
    }
    return isFile(source) ? fileIsDue(source, byClock) : byClock;
  }

  /** True when the leader has another version than was taken, or it is time. */
  private boolean publishedIsDue(Source source, boolean byClock) {
    String state = parts.fleet().state(source.name());
    return !state.isEmpty() && (byClock || !state.equals(taken(source)));
  }

  /** The state that was read last; empty when none was. */
  private String taken(Source source) {
    String tried = triedStates.get(source.name());
    return tried == null ? stored(archive.get(source.name())) : tried;
  }

  /**
   * False for a feed that is switched off, or whose server or publisher asked us to wait.
   *
   * @param force ignore that they asked us to wait
   */
  boolean mayAsk(Source source, boolean force) {
    boolean paused = archive.get(source.name()).pause().holdsAt(parts.steady().instant());
    boolean free = force || parts.fleet().covers(source.name());
    return !paused && (free || refusal(source).isEmpty());
  }

  /** The reasons why feeds that somebody asked for are not fetched, in a sentence each. */
  String refusals(List<Source> asked, boolean force) {
    if (asked.isEmpty()) {
      return "no feed is due now; name the feeds to fetch, or take all of them with --all";
    }
    return force
        ? ""
        : asked.stream()
            .flatMap(source -> refusal(source).stream())
            .collect(Collectors.joining("; "));
  }

  private Optional<String> refusal(Source source) {
    Instant now = parts.clock().instant();
    Instant notBefore = archive.get(source.name()).times().notBefore();
    if (!isElsewhere(source) && notBefore != null && now.isBefore(notBefore)) {
      return Optional.of(refusal(source, "its server asked us to wait", notBefore));
    }
    return intervals.wait(source).map(wait -> refusal(source, wait.why(), wait.until()));
  }

  private static String refusal(Source source, String why, Instant time) {
    return source.name()
        + " is not fetched: "
        + why
        + ", so not before "
        + time.truncatedTo(ChronoUnit.SECONDS)
        + "; --force skips that";
  }

  /** The settings name another address: the times of the former address do not count for it. */
  private boolean isElsewhere(Source source) {
    return archive
        .get(source.name())
        .wasAskedElsewhere(VersionReader.locationKey(source.location()));
  }

  private double jitter() {
    return parts.settings().get().feeds().refreshJitterRatio();
  }

  /** Notes the state of a file that is about to be read, so that it is read once. */
  void tried(Source source) {
    if (parts.fleet().covers(source.name())) {
      triedStates.put(source.name(), parts.fleet().state(source.name()));
    } else if (isFile(source)) {
      triedStates.put(source.name(), parts.sources().of(source).state());
    } else {
      // What the leader has counts as new when it leads again.
      triedStates.remove(source.name());
    }
  }

  /**
   * True for files that are unchanged for long enough, when they differ from what was read or it is
   * time. Files that were never read do not wait.
   */
  private boolean fileIsDue(Source source, boolean isDue) {
    String known = taken(source);
    String state = parts.sources().of(source).state();
    if (known.isEmpty() || known.equals(state)) {
      looks.remove(source.name());
      return isDue || known.isEmpty();
    }
    Instant now = parts.steady().even();
    Look look = looks.getOrDefault(source.name(), new Look(state, now, now)).again(state, now);
    looks.put(source.name(), look);
    return look.rests(now);
  }

  private String stored(FeedRecord record) {
    try {
      return files
          .version(record.name(), record.live())
          .map(v -> v.validators().files())
          .orElse("");
    } catch (IOException e) {
      return "";
    }
  }

  private static boolean isFile(Source source) {
    return source.location() instanceof Location.Files;
  }

  /** The longest time that the refresher may sleep. */
  Duration sleep() {
    Instant now = parts.clock().instant();
    Duration sleep = LONGEST_SLEEP;
    for (Source source : sources()) {
      Instant next =
          FeedSchedule.due(
              archive.get(source.name()).times(), intervals.interval(source), jitter());
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
