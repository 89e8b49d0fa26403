package io.bloomgate.blocklists.snapshot;

import io.bloomgate.config.settings.Publishers;
import io.bloomgate.config.settings.Publishers.Publisher;
import io.bloomgate.config.settings.Settings.Feeds.Location;
import io.bloomgate.config.settings.Settings.Feeds.Source;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Keeps to what publishers want: one file not more often than their interval, whatever {@code
 * every} says and however many feeds name that file, and two files of one publisher some seconds
 * apart. Belongs to the feed-refresher thread.
 */
final class PublisherPace {

  private final Supplier<Publishers> publishers;
  private final InstantSource clock;

  /** When each address was asked last, or will be. */
  private final Map<String, Instant> asked = new HashMap<>();

  /** The same of each publisher. */
  private final Map<Publisher, Instant> visited = new HashMap<>();

  PublisherPace(Supplier<Publishers> publishers, InstantSource clock) {
    this.publishers = publishers;
    this.clock = clock;
  }

  private Optional<Publisher> publisher(Source source) {
    return source.location() instanceof Location.Url(var url, var ignored)
        ? publishers.get().of(url.server())
        : Optional.empty();
  }

  private static String address(Source source) {
    return source.location() instanceof Location.Url(var url, var ignored) ? url.text() : "";
  }

  /** An attempt of before the start of the gateway. */
  void remember(Source source, @Nullable Instant attempt) {
    if (attempt != null) {
      asked.merge(address(source), attempt, (a, b) -> a.isAfter(b) ? a : b);
    }
  }

  /** The shortest time between two downloads of the feed's file. */
  Duration least(Source source) {
    return publisher(source).map(Publisher::minInterval).orElse(Duration.ZERO);
  }

  /** The interval that is kept: as written, but never shorter than the publisher wants. */
  Duration interval(Source source) {
    Duration least = least(source);
    return least.compareTo(source.every()) > 0 ? least : source.every();
  }

  /** When the file of this feed may be asked for again; empty when that is now. */
  Optional<Instant> notBefore(Source source) {
    Instant last = asked.get(address(source));
    Optional<Publisher> publisher = publisher(source);
    if (last == null || publisher.isEmpty()) {
      return Optional.empty();
    }
    Duration least = publisher.get().minInterval();
    Instant now = clock.instant();
    // A clock that was set back must not shut a publisher out for long.
    boolean setBack = last.isAfter(now.plus(least));
    return setBack ? Optional.empty() : Optional.of(last.plus(least)).filter(now::isBefore);
  }

  /** Who wants that, for people. */
  String wish(Source source) {
    return publisher(source)
        .map(p -> p.name() + " wants " + p.minInterval().toMinutes() + " min between two downloads")
        .orElse("");
  }

  /**
   * A fetch begins.
   *
   * @return how long it waits first, because another file of the publisher is being fetched
   */
  Duration begin(Source source) {
    Instant now = clock.instant();
    Optional<Publisher> publisher = publisher(source);
    Instant start = publisher.map(p -> free(p, now)).orElse(now);
    publisher.ifPresent(p -> visited.put(p, start));
    asked.put(address(source), start);
    return Duration.between(now, start);
  }

  private Instant free(Publisher publisher, Instant now) {
    Instant last = visited.get(publisher);
    Instant next = last == null ? now : last.plus(publisher.gap());
    boolean setBack = last != null && Duration.between(now, last).toHours() > 0;
    return setBack || next.isBefore(now) ? now : next;
  }
}
