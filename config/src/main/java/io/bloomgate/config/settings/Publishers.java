package io.bloomgate.config.settings;

import io.bloomgate.config.notation.Names;
import io.bloomgate.config.notation.Values;
import io.bloomgate.config.notation.Values.Reader;
import io.bloomgate.config.settings.yaml.Section;
import java.net.URI;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Knows how often the servers of feeds may be asked, by host: a part of the {@code Catalogue}.
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

  /** The name of the file, in the sources and beside this class. */
  public static final String FILE = "feeds.yaml";

  private static final Reader<String> TEXT = text -> text;

  private static final Reader<Duration> INTERVAL = Values.duration("1s", "30d");

  private final Map<String, Publisher> byHost = new HashMap<>();

  /** Takes the publishers by host; of two that name the same host the last one counts. */
  public Publishers(List<Publisher> publishers) {
    for (Publisher publisher : publishers) {
      publisher.hosts().forEach(host -> byHost.put(host, publisher));
    }
  }

  /** The publishers that this program knows, read at the first use. */
  private static final class BuiltIn {
    private static final Publishers ALL =
        SettingsFile.own(FILE, SettingsFile.resource(FILE), Publishers::read);
  }

  /** The publishers of the catalogue that is a part of this program. */
  public static Publishers builtIn() {
    return BuiltIn.ALL;
  }

  /** Reads the section {@code publishers} of a catalogue. */
  public static Publishers read(Section root) {
    return new Publishers(
        root.named("publishers").values().stream().map(Publishers::publisher).toList());
  }

  private static Publisher publisher(Section s) {
    return new Publisher(
        s.required("name", "name: WHO", TEXT, "nobody"),
        s.requiredList("hosts", "hosts: [www.example.org]", Names::domain),
        s.required("min_interval", "min_interval: 1h", INTERVAL, Duration.ZERO),
        s.pairs("files", TEXT, INTERVAL),
        s.required("gap", "gap: 5s", Values.duration("0s", "1h"), Duration.ZERO),
        s.required("says", "says: WHAT", TEXT, ""));
  }

  /** The publisher of this address, if it is known. */
  public Optional<Publisher> of(URI uri) {
    String host = uri.getHost();
    return host == null
        ? Optional.empty()
        : Optional.ofNullable(byHost.get(host.toLowerCase(Locale.ROOT)));
  }
}
