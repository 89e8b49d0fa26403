package io.bloomgate.gateway.observe;

import io.bloomgate.gateway.decision.Ground;
import io.bloomgate.gateway.decision.Verdict;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * What {@code status} and {@code feeds list} show of the recent past: verdicts of the last hour,
 * hits a feed of the last day, recipient domains that are not ours.
 *
 * <p>Written by session threads, read by control connections.
 */
public final class VerdictCounts {

  private static final int HOUR = 60;
  private static final int DAY = 24 * HOUR;

  /** Feeds beyond these are not counted one by one; the settings hold far fewer. */
  private static final int MAX_FEEDS = 256;

  /** Unknown domains beyond these are counted together, since anybody can invent them. */
  private static final int MAX_UNKNOWN_DOMAINS = 1000;

  private static final String OTHERS = "(others)";
  private static final List<String> VERDICTS = List.of("accept", "tag", "tempfail", "reject");

  private final InstantSource clock;
  private final Map<String, MinuteWindow> verdicts = new LinkedHashMap<>();
  private final ConcurrentHashMap<String, MinuteWindow> feeds = new ConcurrentHashMap<>();
  private final ConcurrentHashMap<String, LongAdder> unknownDomains = new ConcurrentHashMap<>();

  /** Counts that start at nothing. */
  public VerdictCounts(InstantSource clock) {
    this.clock = clock;
    VERDICTS.forEach(verdict -> verdicts.put(verdict, new MinuteWindow(HOUR)));
  }

  /** Counts a decision, if lists had a say in it. */
  void count(DecisionRecord record) {
    Verdict verdict = record.verdict();
    if (verdict == null || record.repeatsVerdict()) {
      return;
    }
    long minute = minute(record.time());
    MinuteWindow window = verdicts.get(verdict.key());
    if (window != null) {
      window.add(minute);
    }
    verdict.evidence().standing().stream()
        .filter(Ground.Listed.class::isInstance)
        .map(ground -> ((Ground.Listed) ground).source())
        .distinct()
        .forEach(feed -> feedWindow(feed).add(minute));
  }

  /** Counts a recipient domain that is not ours. */
  void countUnknown(String domain) {
    boolean known = unknownDomains.containsKey(domain);
    String name = known || unknownDomains.size() < MAX_UNKNOWN_DOMAINS ? domain : OTHERS;
    unknownDomains.computeIfAbsent(name, ignored -> new LongAdder()).increment();
  }

  /** Decisions of the last 60 minutes by verdict word, all four present. */
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

  /** The unknown domains that were asked for most since the start, most frequent first. */
  public Map<String, Long> unknownDomains(int atMost) {
    Map<String, Long> top = new LinkedHashMap<>();
    unknownDomains.entrySet().stream()
        .map(entry -> Map.entry(entry.getKey(), entry.getValue().sum()))
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

  private static long minute(Instant time) {
    return time.getEpochSecond() / 60;
  }
}
