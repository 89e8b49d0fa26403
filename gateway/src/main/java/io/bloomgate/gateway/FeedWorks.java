package io.bloomgate.gateway;

import io.bloomgate.blocklists.decision.Policy;
import io.bloomgate.blocklists.fetch.FeedSources;
import io.bloomgate.blocklists.generation.LiveSnapshot;
import io.bloomgate.blocklists.generation.SnapshotBuilder;
import io.bloomgate.blocklists.generation.SnapshotStore;
import io.bloomgate.blocklists.guard.ProtectedSet;
import io.bloomgate.blocklists.operator.OperatorEntry.ListKind;
import io.bloomgate.blocklists.operator.OperatorLists;
import io.bloomgate.blocklists.operator.OperatorListsException;
import io.bloomgate.blocklists.refresh.FeedAge;
import io.bloomgate.blocklists.refresh.FeedRefresher;
import io.bloomgate.blocklists.refresh.FeedState;
import io.bloomgate.blocklists.refresh.RefreshParts;
import io.bloomgate.blocklists.senders.Breaker;
import io.bloomgate.blocklists.senders.KnownSenders;
import io.bloomgate.blocklists.senders.SteadyClock;
import io.bloomgate.config.name.Subject;
import io.bloomgate.config.settings.Catalogue;
import io.bloomgate.config.settings.LogSettings.Privacy;
import io.bloomgate.config.settings.Settings;
import io.bloomgate.gateway.metrics.Figures.FeedFigures;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadFactory;
import java.util.function.ToLongFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The feeds of a running gateway: generations on disk, the live one, and the thread that keeps them
 * current. Opened by {@link Gateway}; asked by sessions through {@link LiveGateway}, so what they
 * need at every decision is kept ready here.
 */
final class FeedWorks implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(FeedWorks.class);

  /** Allow entries that belong to the known-good set of a build, the oldest first. */
  private static final int MAX_KNOWN_GOOD = 100_000;

  private final SnapshotStore store;
  private final FeedSources sources;
  private final LiveSnapshot live = new LiveSnapshot();
  private final SteadyClock steady;
  private final KnownSenders senders;
  private final Breaker breaker;
  private final FeedRefresher refresher;
  private final Thread thread;
  private volatile Configuration configuration;
  private volatile Set<String> disabled = Set.of();
  private volatile Map<String, Instant> lastSuccess = Map.of();

  private FeedWorks(
      Platform world,
      Configuration configuration,
      StateDirectory state,
      OperatorLists operator,
      ToLongFunction<String> hits)
      throws IOException {
    this.configuration = configuration;
    Executor fetching = background(world, "feed-fetch");
    store =
        SnapshotStore.open(
            state.resolve("snapshots"),
            new SnapshotBuilder(world.random()),
            world.clock(),
            FeedWorks::alarm);
    steady = new SteadyClock(world.clock(), world.nanoTime());
    senders = KnownSenders.open(state.resolve(KnownSenders.FILE_NAME), FeedWorks::alarm);
    breaker = new Breaker(state.resolve("feeds"), FeedWorks::alarm);
    sources = new FeedSources(fetching, world.nanoTime(), world.clock());
    refresher =
        FeedRefresher.open(
            new RefreshParts(
                configuration.settings().stateDir(),
                this::settings,
                this::protectedSets,
                () -> allowed(operator),
                () -> Catalogue.builtIn().publishers(),
                sources,
                store,
                live,
                world.clock(),
                steady,
                world.random(),
                fetching,
                senders,
                breaker,
                hits,
                FeedWorks::alarm,
                this::remember));
    remember();
    thread = world.threads().apply("feed-refresher").newThread(new BackgroundWork(refresher));
    background(world, "lists-check").execute(this::verify);
  }

  /**
   * Not virtual threads: those share the few threads that sessions run on, and copying or hashing a
   * large list would keep one of these from mail for a second.
   */
  private static Executor background(Platform world, String name) {
    ThreadFactory threads = world.threads().apply(name);
    return task -> threads.newThread(new BackgroundWork(task)).start();
  }

  /**
   * Opens the stored generations and makes the last one live; nothing is fetched yet.
   *
   * @param operator whose allow entries are known to be good
   * @param hits listings of a feed in the last 24 hours
   */
  static FeedWorks open(
      Platform world,
      Configuration configuration,
      StateDirectory state,
      OperatorLists operator,
      ToLongFunction<String> hits)
      throws StartFailure {
    try {
      return new FeedWorks(world, configuration, state, operator, hits);
    } catch (IOException e) {
      throw new StartFailure(
          StartFailure.CONFIGURATION,
          "state_dir: the lists in "
              + configuration.settings().stateDir()
              + " cannot be used: "
              + e,
          e);
    }
  }

  /** What replaces a damaged generation may be older than the stored versions: build them. */
  private void verify() {
    if (store.verify(live)) {
      refresher.listsReplaced();
    }
  }

  /** Begins to fetch what is due. */
  void start() {
    thread.start();
  }

  /** True when its thread has ended, or takes very long over one piece of work. */
  boolean isLate() {
    return thread.getState() != Thread.State.NEW && (!thread.isAlive() || refresher.isLate());
  }

  /** What commands ask. */
  FeedRefresher refresher() {
    return refresher;
  }

  /** Whose mail was accepted lately. */
  KnownSenders senders() {
    return senders;
  }

  /** The clock of both, which no leap ahead deceives. */
  SteadyClock steady() {
    return steady;
  }

  /** Writes down what is known of senders: a chore that may block. */
  void saveSenders() {
    if (steady.isTrusted()) {
      senders.forgetOld(steady.instant());
    }
    try {
      senders.save();
    } catch (IOException e) {
      alarm("what is known of good senders cannot be saved: " + e.getMessage());
    }
  }

  LiveSnapshot live() {
    return live;
  }

  /** Feeds that {@code feeds disable} took out; the same object until it changes. */
  Set<String> disabled() {
    return disabled;
  }

  /** Last successful check of each feed, for ageing; at most a second old. */
  Map<String, Instant> lastSuccess() {
    return lastSuccess;
  }

  /** Takes new settings. */
  void configure(Configuration fresh) {
    configuration = fresh;
    remember();
    refresher.settingsChanged();
  }

  /** Takes over what the refresher knows. Called each second, and when a feed is disabled. */
  void remember() {
    lastSuccess = Map.copyOf(refresher.lastSuccess());
    Set<String> now = Set.copyOf(refresher.disabledFeeds());
    if (!now.equals(disabled)) {
      disabled = now;
    }
  }

  /** Names of feeds that are held, stale or failed, hit good senders or lost half within a day. */
  List<String> bad() {
    List<String> bad = new ArrayList<>();
    Set<String> alarming = refresher.alarms().keySet();
    refresher
        .states()
        .forEach((name, state) -> {
          if (state == FeedState.HELD
              || state == FeedState.STALE
              || state == FeedState.FAILED
              || alarming.contains(name)) {
            bad.add(name);
          }
        });
    return bad;
  }

  /** What the metrics show of each feed. */
  List<FeedFigures> figures() {
    Map<String, Instant> successes = refresher.lastSuccess();
    Map<String, Instant> changes = refresher.lastChange();
    Map<String, FeedAge> ages = refresher.ages();
    List<FeedFigures> figures = new ArrayList<>();
    refresher
        .states()
        .forEach((name, state) ->
            figures.add(
                new FeedFigures(
                    name,
                    state.word(),
                    ages.getOrDefault(name, FeedAge.CURRENT).word(),
                    live.current().manifest().feed(name).map(feed -> feed.entries()).orElse(0L),
                    successes.get(name),
                    changes.get(name),
                    breaker.holds(name))));
    return figures;
  }

  @Override
  public void close() throws IOException {
    refresher.close();
    try {
      if (thread.isAlive()) {
        thread.join();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    sources.close();
    saveSenders();
    store.close();
  }

  /** How much of a sender's address may be remembered. */
  Privacy privacy() {
    return settings().log().privacy();
  }

  private Settings settings() {
    return configuration.settings();
  }

  private List<ProtectedSet> protectedSets() {
    Configuration now = configuration;
    return Policy.of(now.settings(), Set.of(), now.downstreamAddresses(), now.protectedToo())
        .protectedSets();
  }

  /** A chance hit of those beyond the limit costs a look at the exact index, never a mail. */
  private static List<Subject> allowed(OperatorLists operator) {
    try {
      return operator.subjects(ListKind.ALLOW, MAX_KNOWN_GOOD);
    } catch (OperatorListsException e) {
      alarm("allow entries are not in the known-good set: " + e.userMessage());
      return List.of();
    }
  }

  private static void alarm(String text) {
    LOG.error("{}", text);
  }
}
