package io.bloomgate.blocklists.refresh;

import io.bloomgate.config.settings.FeedUrl;
import io.bloomgate.config.settings.Publishers;
import io.bloomgate.config.settings.Publishers.Publisher;
import io.bloomgate.config.settings.Settings.Feeds.Source;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Keeps to what publishers want: one file not more often than their interval, whatever {@code
 * every} says and however many feeds name that file, and two files of one publisher some seconds
 * apart. A mirror counts as asked whenever its feed is, because nobody knows in advance whether it
 * will be. Belongs to the feed-refresher thread.
 */
final class PublisherIntervals {

  private final Supplier<Publishers> publishers;
  private final Predicate<String> covered;
  private final InstantSource clock;

  /** A clock that nobody sets, so that each wait has the right length. */
  private final InstantSource even;

  /** Finds the time when an address was asked last. */
  private final Function<FeedUrl, Optional<Instant>> asked;

  /** The time when each publisher was asked last, or will be. */
  private final Map<Publisher, Instant> visited = new HashMap<>();

  /**
   * The reason why a feed is not fetched yet.
   *
   * @param until when it may be
   * @param why who wants that, for people
   */
  record Wait(Instant until, String why) {}

  /** An address of a feed whose publisher is known. */
  private record Known(FeedUrl address, Publisher publisher) {
    Duration least() {
      return publisher.interval(address);
    }
  }

  /**
   * @param covered feeds that come from the leader of a fleet: no publisher is asked
   * @param clock of stored times and of times that are shown
   * @param even of waits; what is noted here is by this clock
   * @param asked when an address was asked last, by {@code clock}
   */
  PublisherIntervals(
      Supplier<Publishers> publishers,
      Predicate<String> covered,
      InstantSource clock,
      InstantSource even,
      Function<FeedUrl, Optional<Instant>> asked) {
    this.publishers = publishers;
    this.covered = covered;
    this.clock = clock;
    this.even = even;
    this.asked = asked;
  }

  /** The intervals of the feeds of the settings, whose records say when each was asked last. */
  static PublisherIntervals of(RefreshParts parts, FeedArchive archive) {
    return new PublisherIntervals(
        parts.rules().publishers(),
        parts::isLed,
        parts.time().clock(),
        parts::even,
        address ->
            parts.feeds().values().stream()
                .filter(source -> !parts.isLed(source.name()))
                .filter(source -> source.location().addresses().contains(address))
                .flatMap(
                    source -> Stream.ofNullable(archive.get(source, parts.now()).times().attempt()))
                .filter(attempt -> !attempt.isAfter(parts.now()))
                .max(Comparator.naturalOrder()));
  }

  /** The publishers of everything that a fetch of this feed may ask, mirrors and checksums too. */
  private List<Known> known(Source source) {
    List<FeedUrl> addresses =
        covered.test(source.name()) ? List.of() : source.location().addresses();
    if (addresses.isEmpty()) {
      return List.of(); // without reading who the publishers are
    }
    Publishers all = publishers.get();
    return addresses.stream()
        .flatMap(url -> all.of(url.server()).stream().map(p -> new Known(url, p)))
        .toList();
  }

  /** The shortest time between two downloads of the feed's files. */
  Duration least(Source source) {
    return known(source).stream().map(Known::least).max(Duration::compareTo).orElse(Duration.ZERO);
  }

  /** The interval that is kept: as written, but never shorter than the publisher wants. */
  Duration interval(Source source) {
    Duration least = least(source);
    return least.compareTo(source.every()) > 0 ? least : source.every();
  }

  /** The longest of the waits that keep this feed from being fetched; empty when there is none. */
  Optional<Wait> wait(Source source) {
    return known(source).stream()
        .flatMap(k -> ofPublisher(k).stream())
        .max(Comparator.comparing(Wait::until));
  }

  private Optional<Wait> ofPublisher(Known known) {
    Duration least = known.least();
    String why =
        known.publisher().name() + " wants " + least.toMinutes() + " min between two downloads";
    return asked
        .apply(known.address())
        .map(last -> last.plus(least))
        .filter(until -> until.isAfter(clock.instant()))
        .map(until -> new Wait(until, why));
  }

  /**
   * A fetch begins.
   *
   * @return how long it waits first, because another file of a publisher is being fetched
   */
  Duration begin(Source source) {
    Instant now = even.instant();
    Set<Publisher> all = new LinkedHashSet<>();
    known(source).forEach(k -> all.add(k.publisher()));
    Instant start = all.stream().map(p -> free(p, now)).max(Instant::compareTo).orElse(now);
    all.forEach(p -> visited.put(p, start));
    return Duration.between(now, start);
  }

  private Instant free(Publisher publisher, Instant now) {
    Instant last = visited.get(publisher);
    Instant next = last == null ? now : last.plus(publisher.gap());
    return next.isBefore(now) ? now : next;
  }
}
