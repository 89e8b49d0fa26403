package io.bloomgate.blocklists.refresh;

import io.bloomgate.config.settings.FeedUrl;
import io.bloomgate.config.settings.Publishers;
import io.bloomgate.config.settings.Publishers.Publisher;
import io.bloomgate.config.settings.Settings.Feeds.Source;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Keeps to what publishers want: one file not more often than their interval, whatever {@code
 * every} says and however many feeds name that file, and two files of one publisher some seconds
 * apart. A mirror counts as asked whenever its feed is, because nobody knows in advance whether it
 * will be. Belongs to the feed-refresher thread.
 */
final class PublisherIntervals {

  private final RefreshParts parts;

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
   * The intervals of the feeds of the settings.
   *
   * @param asked when an address was asked last
   */
  PublisherIntervals(RefreshParts parts, Function<FeedUrl, Optional<Instant>> asked) {
    this.parts = parts;
    this.asked = asked;
  }

  /** The same of feeds whose records say when each was asked last. */
  static PublisherIntervals of(RefreshParts parts, FeedArchive archive) {
    return new PublisherIntervals(
        parts,
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
        parts.isLed(source.name()) ? List.of() : source.location().addresses();
    if (addresses.isEmpty()) {
      return List.of(); // without reading who the publishers are
    }
    Publishers all = parts.rules().publishers().get();
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
        .filter(until -> until.isAfter(parts.now()))
        .map(until -> new Wait(until, why));
  }

  /**
   * A fetch begins.
   *
   * @return how long it waits first, because another file of a publisher is being fetched
   */
  Duration begin(Source source) {
    Instant now = parts.even();
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
