package io.bloomgate.blocklists;

import io.bloomgate.blocklists.generation.LiveSnapshot;
import io.bloomgate.blocklists.generation.SelfTest;
import io.bloomgate.blocklists.generation.SnapshotManifest;
import io.bloomgate.blocklists.refresh.FeedAge;
import io.bloomgate.blocklists.refresh.FeedRefresher;
import io.bloomgate.blocklists.refresh.FeedState;
import io.bloomgate.blocklists.senders.Breaker;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Whether feeds and live lists are in order, for {@code status}, metrics and alarms; and the chore
 * that asks the live lists for random entries. Made by {@link Blocklists}; asked on any thread.
 */
public final class FeedHealth {

  private final FeedRefresher refresher;
  private final LiveSnapshot live;
  private final Breaker breaker;
  private final SelfTest selfTest;
  private final InstantSource clock;

  FeedHealth(
      FeedRefresher refresher,
      LiveSnapshot live,
      Breaker breaker,
      SelfTest selfTest,
      InstantSource clock) {
    this.refresher = refresher;
    this.live = live;
    this.breaker = breaker;
    this.selfTest = selfTest;
    this.clock = clock;
  }

  /** What the metrics show of each feed. */
  public List<FeedFigures> figures() {
    Map<String, Instant> successes = refresher.lastSuccess();
    Map<String, Instant> changes = refresher.lastChange();
    Map<String, Instant> attempts = refresher.lastAttempt();
    Map<String, Integer> failures = refresher.failures();
    Map<String, FeedAge> ages = refresher.ages();
    SnapshotManifest manifest = live.current().manifest();
    List<FeedFigures> figures = new ArrayList<>();
    refresher
        .states()
        .forEach((name, state) ->
            figures.add(
                new FeedFigures(
                    name,
                    state,
                    ages.getOrDefault(name, FeedAge.CURRENT),
                    manifest.feed(name).map(feed -> feed.entries()).orElse(0L),
                    successes.get(name),
                    changes.get(name),
                    attempts.get(name),
                    failures.getOrDefault(name, 0),
                    breaker.holds(name))));
    return figures;
  }

  /** Names of feeds that are held, stale or failed, hit good senders or lost half within a day. */
  public List<String> badFeeds() {
    Set<String> alarming = refresher.alarms().keySet();
    return refresher.states().entrySet().stream()
        .filter(feed ->
            switch (feed.getValue()) {
              case HELD, STALE, FAILED -> true;
              case FRESH, UNCHANGED, CACHED, DISABLED -> alarming.contains(feed.getKey());
            })
        .map(Map.Entry::getKey)
        .toList();
  }

  /** Names of feeds whose live version is older than one that was rolled back, in file order. */
  public List<String> rolledBack() {
    return refresher.rolledBack();
  }

  /** A sentence for the operator about each feed that needs a decision, and each lost entry. */
  public List<String> alarms() {
    List<String> alarms = new ArrayList<>();
    Map<String, Instant> since = refresher.heldSince();
    refresher
        .states()
        .forEach((feed, state) -> {
          if (state == FeedState.HELD) {
            alarms.add(held(feed, since.get(feed)));
          }
        });
    refresher.alarms().forEach((feed, sentence) -> alarms.add("feed " + feed + ": " + sentence));
    alarms.addAll(selfTest.last().alarms());
    return alarms;
  }

  private static String held(String feed, @Nullable Instant since) {
    return "feed "
        + feed
        + " has a version that is held"
        + (since == null
            ? ""
            : ", and no other went live since " + since.truncatedTo(ChronoUnit.SECONDS))
        + "; `bloomgate feeds show "
        + feed
        + "` says why, `bloomgate feeds accept "
        + feed
        + "` makes it live";
  }

  /** Asks the live lists for random entries of each feed: a chore that may take a second. */
  public void selfTest() {
    selfTest.run(live.current(), clock.instant());
  }

  /** The result of the last {@link #selfTest}. */
  SelfTest.Report lastSelfTest() {
    return selfTest.last();
  }

  /** Entries that {@link #selfTest} asked for since the start. */
  public long entriesTested() {
    return selfTest.checked();
  }

  /** Those that the live lists did not find. */
  public long entriesMissed() {
    return selfTest.missed();
  }
}
