package io.bloomgate.gateway.metrics;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.bloomgate.blocklists.decision.Ground;
import io.bloomgate.blocklists.decision.Verdict;
import io.bloomgate.blocklists.file.DurableFiles;
import io.bloomgate.blocklists.sessions.Outcome;
import io.bloomgate.config.json.JsonRecords;
import io.bloomgate.config.json.JsonRecords.Rare;
import io.bloomgate.config.json.JsonSyntaxException;
import io.bloomgate.gateway.log.DecisionRecord;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Recent counts for {@code status} and {@code feeds list}: verdicts of the last hour, hits of each
 * feed in the last day, recipient domains that are not ours.
 *
 * <p>Written by session threads, read by control connections.
 */
public final class VerdictCounts {

  private static final Logger LOG = LoggerFactory.getLogger(VerdictCounts.class);
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

  /** Messages and recipients that were put off because no mail server could be used. */
  private static final String SERVER_AWAY = "server_away";

  private static final List<String> VERDICTS =
      List.of(
          "accept",
          "tag",
          "greylist",
          "tempfail",
          "reject",
          "would_tag",
          "would_greylist",
          "would_tempfail",
          "would_reject",
          SERVER_AWAY);

  private final InstantSource clock;
  private final Map<String, MinuteWindow> verdicts = new LinkedHashMap<>();
  private final ConcurrentHashMap<String, MinuteWindow> feeds = new ConcurrentHashMap<>();
  private final ConcurrentHashMap<String, MinuteWindow> unknownDomains = new ConcurrentHashMap<>();
  private final AtomicLong lookedThrough = new AtomicLong();
  private volatile @Nullable Gap gap;

  /**
   * A time of which decisions are missing, because the gateway was killed, be it more than once.
   *
   * @param from when the figures were saved last
   * @param to when the gateway started again
   */
  public record Gap(Instant from, Instant to) {}

  /** Counts that start at zero. */
  public VerdictCounts(InstantSource clock) {
    this.clock = clock;
    VERDICTS.forEach(verdict -> verdicts.put(verdict, new MinuteWindow(HOUR)));
  }

  /** Counts a decision that involved lists. */
  public void count(DecisionRecord record) {
    long minute = minute(record.time());
    if (record.outcome() == Outcome.UPSTREAM_FAILED) {
      countVerdict(SERVER_AWAY, minute);
    }
    Verdict verdict = record.verdict();
    if (verdict == null || record.repeatsVerdict()) {
      return;
    }
    if (record.outcome() != Outcome.UPSTREAM_FAILED) {
      countVerdict(record.verdictWord(), minute);
    }
    if (verdict.grounds().standing().isEmpty()) {
      return;
    }
    verdict.grounds().standing().stream()
        .filter(ground -> ground instanceof Ground.Listed || ground instanceof Ground.ByDns)
        .map(ground -> ((Ground.OfList) ground).source())
        .distinct()
        .forEach(feed -> feedWindow(feed).add(minute));
  }

  private void countVerdict(@Nullable String word, long minute) {
    MinuteWindow window = verdicts.get(word);
    if (window != null) {
      window.add(minute);
    }
  }

  /**
   * All counts of hour and day, by name and minute since 1970, as a file keeps them over a restart.
   *
   * @param ended true when nothing was counted after it
   */
  record Saved(
      Map<String, Map<String, Integer>> verdicts,
      Map<String, Map<String, Integer>> feeds,
      @Rare @Nullable Gap gap,
      boolean ended) {}

  /** Restores the counts from a file; a missing or unreadable one counts as empty. */
  public void load(Path file) {
    try {
      if (Files.exists(file)) {
        Saved saved =
            JsonRecords.read(Saved.class, new String(DurableFiles.read(file, MAX_OCTETS), UTF_8));
        restore(saved);
        if (!saved.ended()) {
          lostSince(Files.getLastModifiedTime(file).toInstant());
        }
      }
    } catch (IOException | JsonSyntaxException | RuntimeException e) {
      LOG.warn(
          "{} cannot be read, the figures of hour and day begin again: {}", file, e.toString());
      lostSince(clock.instant().minus(HOUR, ChronoUnit.MINUTES));
    }
    // So that a kill before the first save is noticed, too.
    save(file, false);
  }

  /** Writes what is counted now. */
  public void save(Path file, boolean ended) {
    try {
      DurableFiles.replace(file, (JsonRecords.text(saved(ended)) + "\n").getBytes(UTF_8));
    } catch (IOException e) {
      LOG.warn("{} cannot be written; a restart will not know it: {}", file, e.toString());
    }
  }

  Saved saved(boolean ended) {
    long now = minute(clock.instant());
    return new Saved(
        byMinute(verdicts, now), byMinute(feeds, now), gapOfLastHour().orElse(null), ended);
  }

  private static Map<String, Map<String, Integer>> byMinute(
      Map<String, MinuteWindow> windows, long now) {
    Map<String, Map<String, Integer>> counts = new LinkedHashMap<>();
    windows.forEach((name, window) -> counts.put(name, window.byMinute(now)));
    return counts;
  }

  void restore(Saved saved) {
    long now = minute(clock.instant());
    gap = saved.gap();
    saved.verdicts().forEach((name, counts) -> restore(verdicts.get(name), counts, now));
    saved.feeds().forEach((name, counts) -> restore(feedWindow(name), counts, now));
  }

  private static void restore(
      @Nullable MinuteWindow window, Map<String, Integer> counts, long now) {
    counts.forEach((text, count) -> {
      long minute = Long.parseLong(text);
      // After the clock was set back nothing may count twice.
      if (window != null && window.holds(minute, now) && count > 0) {
        window.add(minute, count);
      }
    });
  }

  /** Notes that what was decided since this moment was lost. */
  void lostSince(Instant saved) {
    Instant now = clock.instant();
    if (saved.isBefore(now)) {
      Instant earlier = gapOfLastHour().map(Gap::from).orElse(saved);
      gap = new Gap(earlier.isBefore(saved) ? earlier : saved, now);
    }
  }

  /** The gap in {@link #verdictsLastHour}, if there is one. */
  public Optional<Gap> gapOfLastHour() {
    Gap known = gap;
    long hourAgo = minute(clock.instant()) - HOUR;
    return known == null || minute(known.to) <= hourAgo ? Optional.empty() : Optional.of(known);
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
    unknownDomains.computeIfAbsent(name, ignored -> new MinuteWindow(HOURS_OF_UNKNOWN)).add(hour);
  }

  /** Decisions of the last 60 minutes by verdict word, all words present. */
  public Map<String, Long> verdictsLastHour() {
    long now = minute(clock.instant());
    Map<String, Long> sums = new LinkedHashMap<>();
    verdicts.forEach((verdict, window) -> sums.put(verdict, window.sum(now)));
    return sums;
  }

  /** Decisions of the last 24 hours in which this feed had a listing that counted. */
  public long feedHitsLastDay(String feed) {
    MinuteWindow window = feeds.get(feed);
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

  private MinuteWindow feedWindow(String feed) {
    String name = feeds.containsKey(feed) || feeds.size() < MAX_FEEDS ? feed : OTHERS;
    return feeds.computeIfAbsent(name, ignored -> new MinuteWindow(DAY));
  }

  private static long hour(Instant time) {
    return minute(time) / HOUR;
  }

  private static long minute(Instant time) {
    return time.getEpochSecond() / 60;
  }

  /**
   * Counts of the last minutes, one bucket each; older ones are dropped.
   *
   * <p>Any thread; the caller gives the time.
   */
  static final class MinuteWindow {

    private final int[] counts;

    /** The minute that each bucket counts. */
    private final long[] minutes;

    /**
     * A window of this length.
     *
     * @param length in minutes
     */
    MinuteWindow(int length) {
      counts = new int[length];
      minutes = new long[length];
    }

    /**
     * Counts one.
     *
     * @param minute since the epoch
     */
    void add(long minute) {
      add(minute, 1);
    }

    /** Counts several at once. */
    synchronized void add(long minute, int count) {
      int bucket = Math.floorMod(minute, counts.length);
      if (minutes[bucket] != minute) {
        minutes[bucket] = minute;
        counts[bucket] = 0;
      }
      counts[bucket] += count;
    }

    /** True when a minute is in the window that ends with this one. */
    boolean holds(long minute, long now) {
      return minute > now - counts.length && minute <= now;
    }

    /** The counts of each minute of the window that ends with this one, oldest first. */
    synchronized SortedMap<String, Integer> byMinute(long minute) {
      SortedMap<String, Integer> found = new TreeMap<>();
      for (int i = 0; i < counts.length; i++) {
        if (counts[i] > 0 && holds(minutes[i], minute)) {
          found.put(Long.toString(minutes[i]), counts[i]);
        }
      }
      return found;
    }

    /**
     * The sum of the window that ends with this minute, this one included.
     *
     * @param minute since the epoch
     */
    synchronized long sum(long minute) {
      long sum = 0;
      for (int i = 0; i < counts.length; i++) {
        if (holds(minutes[i], minute)) {
          sum += counts[i];
        }
      }
      return sum;
    }
  }
}
