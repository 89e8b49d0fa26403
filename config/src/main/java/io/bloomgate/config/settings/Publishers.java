package io.bloomgate.config.settings;

import java.net.URI;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Knows how often the servers of feeds may be asked, by host: a part of the {@link Catalogue}.
 * Asked when settings are checked and before each fetch. Immutable.
 */
public final class Publishers {

  /** No publisher is known. */
  public static final Publishers NONE = new Publishers(List.of());

  /**
   * An organisation that serves feeds.
   *
   * @param name for people
   * @param hosts names of its servers, in lower case
   * @param minInterval shortest time between two downloads of one file
   * @param files the same of single files by their path, where it is another
   * @param gap shortest time between downloads of two files
   * @param says the publisher's rule in words, or the source of the figures
   */
  public record Publisher(
      String name,
      List<String> hosts,
      Duration minInterval,
      Map<String, Duration> files,
      Duration gap,
      String says) {
    /** Shortest time between two downloads of this file. */
    public Duration interval(FeedUrl file) {
      return files.getOrDefault(file.path(), minInterval);
    }
  }

  private final Map<String, Publisher> byHost = new HashMap<>();

  /** Takes the publishers by host; of two that name the same host the last one counts. */
  public Publishers(List<Publisher> publishers) {
    for (Publisher publisher : publishers) {
      publisher.hosts().forEach(host -> byHost.put(host, publisher));
    }
  }

  /** The publisher of this address, if it is known. */
  public Optional<Publisher> of(URI uri) {
    String host = uri.getHost();
    return host == null
        ? Optional.empty()
        : Optional.ofNullable(byHost.get(host.toLowerCase(Locale.ROOT)));
  }
}
