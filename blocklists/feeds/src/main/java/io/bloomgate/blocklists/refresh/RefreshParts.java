package io.bloomgate.blocklists.refresh;

import io.bloomgate.blocklists.database.FeedStates;
import io.bloomgate.blocklists.fetch.FeedSources;
import io.bloomgate.blocklists.generation.KnownGood;
import io.bloomgate.blocklists.generation.LiveSnapshot;
import io.bloomgate.blocklists.generation.SnapshotManifest;
import io.bloomgate.blocklists.generation.SnapshotStore;
import io.bloomgate.blocklists.guard.ProtectedSet;
import io.bloomgate.blocklists.senders.Breaker;
import io.bloomgate.blocklists.senders.KnownSenders;
import io.bloomgate.config.name.Subject;
import io.bloomgate.config.settings.Publishers;
import io.bloomgate.config.settings.Settings;
import io.bloomgate.config.settings.Settings.Feeds.Source;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import java.util.random.RandomGenerator;

/**
 * The parts that the feed-refresher works with; put together by the composition root.
 *
 * @param stateDir an existing directory; {@code feeds} is made in it
 * @param states open for writing; the caller closes it
 * @param fetching where versions come from
 * @param lists where generations go
 */
public record RefreshParts(
    Path stateDir,
    FeedStates states,
    Rules rules,
    Fetching fetching,
    Lists lists,
    Time time,
    GoodMail goodMail,
    Operator operator) {

  /**
   * The rules of this moment, read at every step.
   *
   * @param protectedSets what no feed may list
   * @param allowed subjects of the operator's allow entries that hold now
   * @param goodFiles reads {@code allow.known_good}
   * @param publishers how often whose servers may be asked
   */
  public record Rules(
      Supplier<Settings> settings,
      Supplier<List<ProtectedSet>> protectedSets,
      Supplier<List<Subject>> allowed,
      KnownGood.Reader goodFiles,
      Supplier<Publishers> publishers) {}

  /**
   * The sources of versions.
   *
   * @param fleet where versions come from that another gateway fetches for all
   * @param threads runs a fetch, a thread of low priority each in production
   */
  public record Fetching(FeedSources sources, FleetFeeds fleet, Executor threads) {}

  /**
   * The generations.
   *
   * @param snapshots open for writing
   */
  public record Lists(SnapshotStore snapshots, LiveSnapshot live) {}

  /**
   * The time, and chance for jitter.
   *
   * @param clock the time of day, for schedules and ages
   * @param even goes on evenly however the clock is set: for waits within this process
   */
  public record Time(InstantSource clock, InstantSource even, RandomGenerator random) {}

  /**
   * The mail that no list should name.
   *
   * @param senders whose mail was accepted lately
   * @param breaker asked when a generation is finished
   */
  public record GoodMail(KnownSenders senders, Breaker breaker) {}

  /**
   * The operator.
   *
   * @param hits listings of a feed in the last 24 hours, for reports
   * @param alarm receives sentences fit for the operator
   * @param disabledChanged called when {@link FeedLoop#disabledFeeds} has changed
   */
  public record Operator(
      ToLongFunction<String> hits, Consumer<String> alarm, Runnable disabledChanged) {}

  /** The settings in force. */
  Settings settings() {
    return rules.settings().get();
  }

  /** The feeds of the settings in force, in file order. */
  Map<String, Source> feeds() {
    return settings().feeds().sources();
  }

  /** Reads versions of a feed under the rules in force. */
  VersionReader reader(Source source) {
    return new VersionReader(source, rules.protectedSets().get());
  }

  /** True while versions of this feed come from the leader of a fleet. */
  boolean isLed(String feed) {
    return fetching.fleet().covers(feed);
  }

  Instant now() {
    return time.clock().instant();
  }

  /** The time by the clock that nobody sets, for waits within this process. */
  Instant even() {
    return time.even().instant();
  }

  /** The manifest of the live generation: the truth for what is live. */
  SnapshotManifest manifest() {
    return lists.live().current().manifest();
  }

  /** The number of the live generation. */
  long generation() {
    return lists.live().current().generation();
  }

  /** The entries of a feed that are live, exceptions included. */
  long liveEntries(String feed) {
    return manifest().feed(feed).map(c -> c.entries() + c.exceptions()).orElse(0L);
  }

  Breaker breaker() {
    return goodMail.breaker();
  }

  /** Tells the operator. */
  void raise(String sentence) {
    operator.alarm().accept(sentence);
  }
}
