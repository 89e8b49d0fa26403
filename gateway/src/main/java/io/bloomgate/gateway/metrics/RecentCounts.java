package io.bloomgate.gateway.metrics;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.bloomgate.blocklists.decision.Ground;
import io.bloomgate.blocklists.decision.Verdict;
import io.bloomgate.blocklists.file.DurableFiles;
import io.bloomgate.config.json.JsonRecords;
import io.bloomgate.config.json.JsonSyntaxException;
import io.bloomgate.gateway.log.DecisionRecord;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Recent counts for {@code status} and {@code feeds list} that kept sessions do not give in time:
 * hits of each feed in the last day, and recipient domains that are not ours.
 *
 * <p>Written by session threads, read by control connections.
 */
public final class RecentCounts {

  private static final Logger LOG = LoggerFactory.getLogger(RecentCounts.class);
  private static final int HOUR = 60;
  private static final int DAY = 24 * HOUR;

  /** The file in the state directory. */
  public static final String FILE_NAME = "recent.figures";

  /** Far more than the figures of a day need. */
  private static final int MAX_OCTETS = 4 << 20;

  /** Feeds beyond these are not counted one by one; the settings hold far fewer. */
  private static final int MAX_FEEDS = 256;

  /** Unknown domains beyond these are counted together, since any client can invent them. */
  private static final int MAX_UNKNOWN_DOMAINS = 1000;

  private static final int HOURS_OF_UNKNOWN = 24;

  private static final String OTHERS = "(others)";

  private final InstantSource clock;
  private final ConcurrentHashMap<String, Window> feeds = new ConcurrentHashMap<>();
  private final ConcurrentHashMap<String, Window> unknownDomains = new ConcurrentHashMap<>();
  private final AtomicLong lookedThrough = new AtomicLong();

  /** Counts that start at zero. */
  public RecentCounts(InstantSource clock) {
    this.clock = clock;
  }

  /** Counts the feeds of a decision. */
  public void count(DecisionRecord record) {
    Verdict verdict = record.verdict();
    if (verdict == null || record.repeatsVerdict()) {
      return;
    }
    long minute = minute(record.time());
    verdict.grounds().standing().stream()
        .filter(ground -> ground instanceof Ground.Listed || ground instanceof Ground.ByDns)
        .map(ground -> ((Ground.OfList) ground).source())
        .distinct()
        .forEach(feed -> feedWindow(feed).add(minute, 1));
  }

  /** The hits of a day, by feed and minute since 1970, as a file keeps them over a restart. */
  record Saved(Map<String, Map<String, Integer>> feeds) {}

  /** Restores the counts from a file; a missing or unreadable one counts as empty. */
  public void load(Path file) {
    try {
      if (Files.exists(file)) {
        restore(
            JsonRecords.read(Saved.class, new String(DurableFiles.read(file, MAX_OCTETS), UTF_8)));
      }
    } catch (IOException | JsonSyntaxException | RuntimeException e) {
      LOG.warn("{} cannot be read, the hits of the day begin again: {}", file, e.toString());
    }
  }

  /** Writes what is counted now. */
  public void save(Path file) {
    try {
      DurableFiles.replace(file, (JsonRecords.text(saved()) + "\n").getBytes(UTF_8));
    } catch (IOException e) {
      LOG.warn("{} cannot be written; a restart will not know it: {}", file, e.toString());
    }
  }

  Saved saved() {
    long now = minute(clock.instant());
    Map<String, Map<String, Integer>> counts = new LinkedHashMap<>();
    feeds.forEach((name, window) -> {
      Map<String, Integer> minutes = new LinkedHashMap<>();
      window.upTo(now).forEach((minute, count) -> minutes.put(Long.toString(minute), count));
      counts.put(name, minutes);
    });
    return new Saved(counts);
  }

  void restore(Saved saved) {
    long now = minute(clock.instant());
    saved
        .feeds()
        .forEach((name, counts) ->
            counts.forEach((text, count) -> {
              long minute = Long.parseLong(text);
              // After the clock was set back nothing may count twice.
              if (minute > now - DAY && minute <= now && count > 0) {
                feedWindow(name).add(minute, count);
              }
            }));
  }

  /** Counts a recipient domain that is not ours. */
  public void countUnknown(String domain) {
    long hour = hour(clock.instant());
    boolean known = unknownDomains.containsKey(domain);
    if (!known && unknownDomains.size() >= MAX_UNKNOWN_DOMAINS) {
      forgetUnknown(hour);
    }
    String name = known || unknownDomains.size() < MAX_UNKNOWN_DOMAINS ? domain : OTHERS;
    // One bucket per hour: this many domains need no finer count.
    unknownDomains.computeIfAbsent(name, ignored -> new Window(HOURS_OF_UNKNOWN)).add(hour, 1);
  }

  /** Decisions of the last 24 hours in which this feed had a listing that counted. */
  public long feedHitsLastDay(String feed) {
    Window window = feeds.get(feed);
    return window == null ? 0 : window.sum(minute(clock.instant()));
  }

  /** Forgets domains without a request in 24 hours; at most once an hour. */
  private void forgetUnknown(long hour) {
    if (lookedThrough.getAndSet(hour) != hour) {
      unknownDomains.values().removeIf(window -> window.sum(hour) == 0);
    }
  }

  /** The unknown domains that were asked for most in the last 24 hours, most frequent first. */
  public Map<String, Long> unknownDomains(int atMost) {
    Map<String, Long> top = new LinkedHashMap<>();
    long hour = hour(clock.instant());
    unknownDomains.entrySet().stream()
        .map(entry -> Map.entry(entry.getKey(), entry.getValue().sum(hour)))
        .filter(entry -> entry.getValue() > 0)
        .sorted(
            Map.Entry.<String, Long>comparingByValue(Comparator.reverseOrder())
                .thenComparing(Map.Entry.comparingByKey()))
        .limit(atMost)
        .forEach(entry -> top.put(entry.getKey(), entry.getValue()));
    return top;
  }

  private Window feedWindow(String feed) {
    String name = feeds.containsKey(feed) || feeds.size() < MAX_FEEDS ? feed : OTHERS;
    return feeds.computeIfAbsent(name, ignored -> new Window(DAY));
  }

  private static long hour(Instant time) {
    return minute(time) / HOUR;
  }

  private static long minute(Instant time) {
    return time.getEpochSecond() / 60;
  }

  /** Counts by minute, or by hour, of the last ones. Any thread; the caller gives the time. */
  private static final class Window {
    private final int length;
    private final NavigableMap<Long, Integer> counts = new TreeMap<>();

    Window(int length) {
      this.length = length;
    }

    synchronized void add(long minute, int count) {
      counts.merge(minute, count, Integer::sum);
      counts.headMap(minute - length, true).clear();
    }

    /** The counts up to this minute; after the clock was set back later ones are left out. */
    synchronized Map<Long, Integer> upTo(long now) {
      return new TreeMap<>(counts.subMap(now - length + 1, now + 1));
    }

    long sum(long now) {
      return upTo(now).values().stream().mapToLong(Integer::longValue).sum();
    }
  }
}
