package io.bloomgate.blocklists.refresh;

import io.bloomgate.config.fault.Faults;
import io.bloomgate.config.settings.Settings.Feeds.Source;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reports, once for each step, that a feed has aged, and knows which feeds are switched off; a
 * pause ends by the clock. Belongs to the feed-refresher thread, but for pauses, which control
 * threads change; what ageing does to a verdict is decided with each message.
 */
final class FeedAges {

  private static final Logger LOG = LoggerFactory.getLogger(FeedAges.class);

  private final RefreshParts parts;
  private final FeedArchive archive;
  private final Map<String, FeedAge> reported = new HashMap<>();

  FeedAges(RefreshParts parts, FeedArchive archive) {
    this.parts = parts;
    this.archive = archive;
  }

  /** One look at the clock. Call now and then. */
  void look() {
    Instant now = parts.now();
    Map<String, Source> sources = parts.feeds();
    reported.keySet().retainAll(sources.keySet());
    for (Source source : sources.values()) {
      report(source, now);
    }
  }

  /** Feeds, and lists that are asked by DNS. */
  private Set<String> names() {
    return parts.settings().feeds().names();
  }

  /** Names of the feeds that are switched off now. */
  Set<String> paused() {
    Instant now = parts.now();
    Set<String> paused = new LinkedHashSet<>(names());
    paused.removeIf(name -> !archive.get(name).pause().holdsAt(now));
    return paused;
  }

  /** Switches a feed off or on, as {@link FeedLoop#disable} and {@link FeedLoop#enable}. */
  boolean pause(String name, boolean disabled, @Nullable Duration time) throws IOException {
    if (!names().contains(name)) {
      return false;
    }
    FeedRecord.Pause pause =
        new FeedRecord.Pause(disabled, time == null ? null : parts.now().plus(time));
    try {
      archive.pause(name, pause);
    } catch (IOException e) {
      parts.raise("the state of feed " + name + " cannot be written: " + Faults.words(e));
      String state = disabled ? " is disabled" : " is enabled";
      throw new IOException(
          "feed %s%s now, but that cannot be written and is forgotten at a restart"
              .formatted(name, state),
          e);
    } finally {
      parts.operator().disabledChanged().run();
    }
    return true;
  }

  private void report(Source source, Instant now) {
    FeedRecord record = archive.get(source.name());
    FeedAge age = FeedAge.of(source, record, now);
    FeedAge before = reported.put(source.name(), age);
    if (age == before || (age == FeedAge.CURRENT && before == null)) {
      return;
    }
    if (age == FeedAge.CURRENT) {
      LOG.info("feed {} {}", source.name(), age.notice(source, record));
    } else {
      parts.raise("feed " + source.name() + ": " + age.notice(source, record));
    }
  }
}
