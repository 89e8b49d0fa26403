package io.bloomgate.blocklists.refresh;

import io.bloomgate.config.settings.Settings.Feeds.Source;
import java.time.Duration;
import java.time.Instant;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Computes when a feed is tried next. Jitter only ever adds, because publishers count the time
 * between two visits; after failures the time between tries grows from five minutes to the feed's
 * own interval. Neither is earlier than the publisher allows, except when no server was reached.
 */
final class FeedSchedule {

  private static final Duration FIRST_RETRY = Duration.ofMinutes(5);

  /**
   * The first wait after a failed look-up: as long as the JVM believes that a name is unknown
   * (networkaddress.cache.negative.ttl).
   */
  private static final Duration FIRST_NAME_RETRY = Duration.ofSeconds(10);

  private static final int MOST_DOUBLINGS = 16;

  private final RandomGenerator random;
  private final PublisherIntervals intervals;

  FeedSchedule(RandomGenerator random, PublisherIntervals intervals) {
    this.random = random;
    this.intervals = intervals;
  }

  /**
   * The time of the next try after a success.
   *
   * @param jitter share of the interval that is added at most
   */
  Instant afterSuccess(Instant now, Source source, double jitter) {
    return now.plus(jittered(intervals.interval(source), jitter));
  }

  /**
   * The time of the next try after a failure.
   *
   * @param failures in a row, this one included
   */
  Instant afterFailure(Instant now, Source source, double jitter, int failures) {
    Duration every = intervals.interval(source);
    Duration backOff = FIRST_RETRY.multipliedBy(1L << Math.min(failures - 1, MOST_DOUBLINGS));
    Duration least = intervals.least(source);
    Duration wait = backOff.compareTo(every) < 0 ? backOff : every;
    return now.plus(jittered(wait.compareTo(least) < 0 ? least : wait, jitter));
  }

  /**
   * The time of the next try after a failure that no publisher has seen, because no name could be
   * looked up: in seconds, so that a resolver that was away for a moment, as at the start of a
   * machine, costs no hour.
   *
   * @param failures in a row, this one included
   */
  Instant afterNameFailure(Instant now, Source source, double jitter, int failures) {
    Duration backOff = FIRST_NAME_RETRY.multipliedBy(1L << Math.min(failures - 1, MOST_DOUBLINGS));
    Duration most = FIRST_RETRY.compareTo(source.every()) < 0 ? FIRST_RETRY : source.every();
    return now.plus(jittered(backOff.compareTo(most) < 0 ? backOff : most, jitter));
  }

  private Duration jittered(Duration time, double jitter) {
    return time.plusMillis((long) (time.toMillis() * jitter * random.nextDouble()));
  }

  /** True when it is time: at the time that was drawn, or when the interval of today is over. */
  static boolean isDue(FeedRecord.Times times, Duration every, double jitter, Instant now) {
    Instant due = due(times, every, jitter);
    return due == null || !now.isBefore(due);
  }

  /** The time of the next try; {@code null} for at once. */
  static @Nullable Instant due(FeedRecord.Times times, Duration every, double jitter) {
    Instant due = times.due();
    if (due == null || times.attempt() == null) {
      return due;
    }
    Instant latest = times.attempt().plus(every).plusMillis((long) (every.toMillis() * jitter));
    return latest.isBefore(due) ? latest : due;
  }
}
