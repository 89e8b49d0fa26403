package io.bloomgate.blocklists.refresh;

import io.bloomgate.blocklists.refresh.PublisherIntervals.Wait;
import io.bloomgate.config.settings.Location;
import io.bloomgate.config.settings.Settings.Feeds.Source;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Says which feeds are due, by the clock or because a file changed, and when they are due again.
 * Jitter only ever adds, because publishers count the time between two visits; after failures the
 * time between tries grows from five minutes to the feed's own interval. Neither is earlier than
 * the publisher allows, except when no server was reached. Belongs to the feed-refresher thread.
 */
final class FeedSchedule {

  private static final Duration FIRST_RETRY = Duration.ofMinutes(5);

  /**
   * The first wait after a failed look-up: as long as the JVM believes that a name is unknown
   * (networkaddress.cache.negative.ttl).
   */
  private static final Duration FIRST_NAME_RETRY = Duration.ofSeconds(10);

  private static final int MOST_DOUBLINGS = 16;

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
  private final FeedArchive archive;
  private final PublisherIntervals intervals;

  /** The state of files, or of what the leader has, that was read last. */
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

  FeedSchedule(RefreshParts parts, FeedArchive archive, PublisherIntervals intervals) {
    this.parts = parts;
    this.archive = archive;
    this.intervals = intervals;
  }

  /** The time of the next try after a success. */
  Instant afterSuccess(Source source) {
    return in(intervals.interval(source));
  }

  /**
   * The time of the next try after a failure.
   *
   * @param failures in a row, this one included
   */
  Instant afterFailure(Source source, int failures) {
    Duration wait = shorter(doubled(FIRST_RETRY, failures), intervals.interval(source));
    Duration least = intervals.least(source);
    return in(wait.compareTo(least) < 0 ? least : wait);
  }

  /**
   * The time of the next try after a failure that no publisher has seen, because no name could be
   * looked up: in seconds, so that a resolver that was away for a moment, as at the start of a
   * machine, costs no hour.
   *
   * @param failures in a row, this one included
   */
  Instant afterNameFailure(Source source, int failures) {
    return in(shorter(doubled(FIRST_NAME_RETRY, failures), shorter(FIRST_RETRY, source.every())));
  }

  private static Duration doubled(Duration first, int failures) {
    return first.multipliedBy(1L << Math.min(failures - 1, MOST_DOUBLINGS));
  }

  private Instant in(Duration time) {
    double more = time.toMillis() * jitter() * parts.time().random().nextDouble();
    return parts.now().plus(time).plusMillis((long) more);
  }

  private double jitter() {
    return parts.settings().feeds().refreshJitterRatio();
  }

  /** The time of the next try; {@code null} for at once. */
  private @Nullable Instant due(FeedRecord.Times times, Duration every, double jitter) {
    Instant due = times.areAheadOf(parts.now()) ? null : times.due();
    if (due == null || times.attempt() == null) {
      return due;
    }
    Instant latest = times.attempt().plus(every).plusMillis((long) (every.toMillis() * jitter));
    return latest.isBefore(due) ? latest : due;
  }

  private @Nullable Instant due(Source source) {
    return due(archive.get(source.name()).times(), intervals.interval(source), jitter());
  }

  /** The feeds that are due now, in file order. */
  List<Source> due() {
    Instant now = parts.now();
    List<Source> all = new ArrayList<>();
    for (Source source : sources()) {
      Instant due = due(source);
      boolean byClock = due == null || !now.isBefore(due) || isElsewhere(source);
      if (mayAsk(source, false) && isDue(source, byClock)) {
        all.add(source);
      }
    }
    return all;
  }

  private boolean isDue(Source source, boolean byClock) {
    if (parts.isLed(source.name())) {
      // The leader has another version than was taken, or it is time.
      String state = parts.fetching().fleet().state(source.name());
      return !state.isEmpty() && (byClock || !state.equals(taken(source)));
    }
    return isFile(source) ? fileIsDue(source, byClock) : byClock;
  }

  /** The state that was read last; empty when none was. */
  private String taken(Source source) {
    String tried = triedStates.get(source.name());
    if (tried != null) {
      return tried;
    }
    return archive
        .files()
        .version(source.name(), archive.get(source.name()).live())
        .map(v -> v.validators().files())
        .orElse("");
  }

  /**
   * True for files that are unchanged for long enough, when they differ from what was read or it is
   * time. Files that were never read do not wait.
   */
  private boolean fileIsDue(Source source, boolean byClock) {
    String known = taken(source);
    String state = parts.fetching().sources().of(source).state();
    if (known.isEmpty() || known.equals(state)) {
      looks.remove(source.name());
      return byClock || known.isEmpty();
    }
    Instant now = parts.even();
    Look look = looks.getOrDefault(source.name(), new Look(state, now, now)).again(state, now);
    looks.put(source.name(), look);
    return look.rests(now);
  }

  private static boolean isFile(Source source) {
    return source.location() instanceof Location.Files;
  }

  /** Notes the state of a file that is about to be read, so that it is read once. */
  void tried(Source source) {
    if (parts.isLed(source.name())) {
      triedStates.put(source.name(), parts.fetching().fleet().state(source.name()));
    } else if (isFile(source)) {
      triedStates.put(source.name(), parts.fetching().sources().of(source).state());
    } else {
      // What the leader has counts as new when it leads again.
      triedStates.remove(source.name());
    }
  }

  /**
   * False for a feed that is switched off, or whose server or publisher asked us to wait.
   *
   * @param force ignore that they asked us to wait
   */
  boolean mayAsk(Source source, boolean force) {
    boolean paused = archive.get(source.name()).pause().holdsAt(parts.now());
    boolean free = force || parts.isLed(source.name());
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
    FeedRecord.Times times = archive.get(source.name()).times();
    Instant now = parts.now();
    return Optional.ofNullable(times.notBefore())
        .filter(until -> now.isBefore(until) && !times.areAheadOf(now) && !isElsewhere(source))
        .map(until -> new Wait(until, "its server asked us to wait"))
        .or(() -> intervals.wait(source))
        .map(wait ->
            "%s is not fetched: %s, so not before %s; --force skips that"
                .formatted(
                    source.name(), wait.why(), wait.until().truncatedTo(ChronoUnit.SECONDS)));
  }

  /** The settings name another address: the times of the former address do not count for it. */
  private boolean isElsewhere(Source source) {
    return archive
        .get(source.name())
        .wasAskedElsewhere(VersionReader.locationKey(source.location()));
  }

  /** The longest time that the refresher may sleep. */
  Duration sleep() {
    Instant now = parts.now();
    Duration sleep = LONGEST_SLEEP;
    for (Source source : sources()) {
      Instant next = due(source);
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

  private Collection<Source> sources() {
    return parts.feeds().values();
  }

  /**
   * Says when the lists are to be built, or stored versions judged again, although no feed has
   * anything new: after a start, a reload, a failed build. Notified on any thread, asked on the
   * feed-refresher's.
   */
  static final class RebuildSchedule {

    /** Time until a build that failed is tried again without a new version. */
    private static final Duration AFTER_FAILURE = Duration.ofMinutes(1);

    /** The same for a build in which the process ended. */
    private static final Duration AFTER_END = Duration.ofMinutes(5);

    private final RefreshParts parts;
    private final ListPublisher publisher;
    private volatile boolean check = true;
    private final AtomicBoolean reread = new AtomicBoolean(true);
    private @Nullable Instant next;

    RebuildSchedule(RefreshParts parts, ListPublisher publisher) {
      this.parts = parts;
      this.publisher = publisher;
    }

    /** Stored versions may be read in another way, and rules for entries may have changed. */
    void settingsChanged() {
      reread.set(true);
      check = true;
    }

    /** Another generation is live than was published. */
    void listsReplaced() {
      check = true;
    }

    void failed() {
      next = parts.even().plus(AFTER_FAILURE);
    }

    /** The process before ended in a build: the same build is not made again at once. */
    void rest() {
      reread.set(false);
      check = false;
      next = parts.even().plus(AFTER_END);
    }

    /** True when the stored versions are not what is live. */
    boolean areDue() {
      Instant retry = next;
      if (retry != null && !parts.even().isBefore(retry)) {
        next = null;
        check = true;
      }
      if (!check) {
        return false;
      }
      check = false;
      return publisher.isNeeded();
    }

    boolean wantReading() {
      return reread.get();
    }

    /** True once: ask before the settings are taken, so that later ones are looked at again. */
    boolean takeReading() {
      return reread.getAndSet(false);
    }
  }
}
