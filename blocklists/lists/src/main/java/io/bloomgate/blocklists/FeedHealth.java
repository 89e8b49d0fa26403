package io.bloomgate.blocklists;

import io.bloomgate.blocklists.database.FeedStates;
import io.bloomgate.blocklists.generation.FeedCounts;
import io.bloomgate.blocklists.generation.LiveSnapshot;
import io.bloomgate.blocklists.generation.SelfTest;
import io.bloomgate.blocklists.generation.SnapshotManifest;
import io.bloomgate.blocklists.generation.SnapshotStore;
import io.bloomgate.blocklists.refresh.FeedLoop;
import io.bloomgate.blocklists.refresh.FeedState;
import io.bloomgate.blocklists.refresh.FeedStatus;
import io.bloomgate.blocklists.score.FetchedOctets;
import io.bloomgate.blocklists.senders.Breaker;
import io.bloomgate.blocklists.senders.FeedHits;
import java.io.IOException;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Judges whether feeds and live lists are in order, for status, metrics and alarms; and runs the
 * chore that asks the live lists for random entries. Made by {@link Blocklists}; asked on any
 * thread.
 *
 * @param tests what that chore found
 */
public record FeedHealth(
    FeedLoop feedLoop,
    LiveSnapshot live,
    SnapshotStore store,
    FeedStates states,
    Breaker breaker,
    SelfTest tests,
    InstantSource clock) {

  /** The figures of each feed for the metrics. */
  public List<FeedFigures> figures() {
    Map<String, Integer> failures = feedLoop.reports().failures();
    SnapshotManifest manifest = live.current().manifest();
    return feedLoop.list().stream()
        .map(feed ->
            new FeedFigures(
                feed,
                manifest.feed(feed.feed()).map(counts -> counts.entries()).orElse(0L),
                failures.getOrDefault(feed.feed(), 0),
                breaker.hits(feed.feed()).level() == FeedHits.Level.HELD))
        .toList();
  }

  /** Names of the feeds that the operator must look at, in file order. */
  public List<String> badFeeds() {
    return feedLoop.list().stream().filter(FeedStatus::alarms).map(FeedStatus::feed).toList();
  }

  /** Names of feeds whose live version is older than one that was rolled back, in file order. */
  public List<String> rolledBack() {
    return feedLoop.reports().rolledBack();
  }

  /** Entries that the chore asked for since the start. */
  public long entriesTested() {
    return tests.checked();
  }

  /** The number of random entries that the live lists did not find. */
  public long entriesMissed() {
    return tests.missed();
  }

  /** The alarm while nothing is known of the state of feeds; empty while it is known. */
  public String unknownFeeds() {
    return states.problem();
  }

  /**
   * A sentence for the operator about each of {@link #badFeeds}, each lost entry, and the state of
   * feeds that is not known.
   */
  public List<String> alarms() {
    List<String> alarms = new ArrayList<>();
    if (!unknownFeeds().isEmpty()) {
      alarms.add(unknownFeeds());
    }
    Map<String, Instant> since = feedLoop.reports().heldSince();
    for (FeedStatus feed : feedLoop.list()) {
      if (feed.alarms()) {
        String name = feed.feed();
        alarms.add(
            feed.state() == FeedState.HELD
                ? held(name, since.get(name))
                : "feed " + name + ": " + feed.problem());
      } else {
        FeedHits hits = breaker.hits(feed.feed());
        hits.noteAt(clock.instant())
            .flatMap(_ -> hits.sentence(feed.feed(), clock.instant()))
            .ifPresent(noted -> alarms.add("feed " + feed.feed() + ": " + noted));
      }
    }
    alarms.addAll(tests.last().alarms());
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
    tests.run(live.current(), clock.instant());
  }

  /** Octets of a feed's versions that came since the day of this moment; empty when none did. */
  public Optional<Long> fetchedOctets(String feed, Instant since) {
    return new FetchedOctets(states).since(feed, since);
  }

  /**
   * A feed's part of the live filters and index, by entries: they are files that are mapped into
   * memory. Empty for a feed that is not part of them.
   */
  public Optional<Long> memory(String feed) {
    SnapshotManifest manifest = live.current().manifest();
    long all = manifest.feeds().stream().mapToLong(FeedHealth::entries).sum();
    Optional<Long> own = manifest.feed(feed).map(FeedHealth::entries);
    if (own.isEmpty() || all == 0) {
      return own;
    }
    try {
      long octets = store.octets(manifest.generation());
      return Optional.of(Math.round((double) octets * own.get() / all));
    } catch (IOException e) {
      return Optional.empty(); // another generation went live meanwhile
    }
  }

  private static long entries(FeedCounts feed) {
    return feed.entries() + feed.exceptions();
  }

  /**
   * The figures of one feed in the metrics. Immutable.
   *
   * @param entries that are live, exceptions not counted
   * @param failures tries in a row without success
   * @param breakerHolds true while the breaker holds entries of it back
   */
  public record FeedFigures(FeedStatus status, long entries, int failures, boolean breakerHolds) {
    /** The name of the feed. */
    public String name() {
      return status.feed();
    }
  }
}
