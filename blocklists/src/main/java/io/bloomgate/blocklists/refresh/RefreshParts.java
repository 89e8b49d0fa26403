package io.bloomgate.blocklists.refresh;

import io.bloomgate.blocklists.database.FeedStates;
import io.bloomgate.blocklists.fetch.FeedSources;
import io.bloomgate.blocklists.fleet.published.FleetFeeds;
import io.bloomgate.blocklists.generation.LiveSnapshot;
import io.bloomgate.blocklists.generation.SnapshotManifest;
import io.bloomgate.blocklists.generation.SnapshotStore;
import io.bloomgate.blocklists.guard.ProtectedSet;
import io.bloomgate.blocklists.senders.Breaker;
import io.bloomgate.blocklists.senders.KnownSenders;
import io.bloomgate.blocklists.senders.SteadyClock;
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
 * @param settings the current settings, read at every step
 * @param protectedSets what no feed may list, read at every refresh
 * @param allowed subjects of the operator's allow entries that hold now, read at every build
 * @param publishers how often whose servers may be asked
 * @param fleet where versions come from that another gateway fetches for all
 * @param snapshots open for writing
 * @param clock the time of day, for schedules and ages
 * @param steady the same, but for leaps ahead that may be a mistake: for what must not end early
 * @param random for jitter
 * @param fetches runs a fetch, a thread of low priority each in production
 * @param senders whose mail was accepted lately
 * @param breaker asked when a generation is finished
 * @param hits listings of a feed in the last 24 hours, for reports
 * @param alarm receives sentences fit for the operator
 * @param disabledChanged called when {@link FeedRefresher#disabledFeeds} has changed
 */
public record RefreshParts(
    Path stateDir,
    FeedStates states,
    Supplier<Settings> settings,
    Supplier<List<ProtectedSet>> protectedSets,
    Supplier<List<Subject>> allowed,
    Supplier<Publishers> publishers,
    FeedSources sources,
    FleetFeeds fleet,
    SnapshotStore snapshots,
    LiveSnapshot live,
    InstantSource clock,
    SteadyClock steady,
    RandomGenerator random,
    Executor fetches,
    KnownSenders senders,
    Breaker breaker,
    ToLongFunction<String> hits,
    Consumer<String> alarm,
    Runnable disabledChanged) {

  /** The feeds of the settings in force, in file order. */
  Map<String, Source> feeds() {
    return settings.get().feeds().sources();
  }

  Instant now() {
    return clock.instant();
  }

  /** The manifest of the live generation. */
  SnapshotManifest manifest() {
    return live.current().manifest();
  }

  /** Tells the operator. */
  void raise(String sentence) {
    alarm.accept(sentence);
  }
}
