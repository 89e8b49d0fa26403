package io.bloomgate.blocklists;

import io.bloomgate.blocklists.OfflineBlocklists.Origins;
import io.bloomgate.blocklists.database.FeedStates;
import io.bloomgate.blocklists.decision.Lists;
import io.bloomgate.blocklists.decision.Policy;
import io.bloomgate.blocklists.explain.Explainer;
import io.bloomgate.blocklists.explain.PastExplainer;
import io.bloomgate.blocklists.fetch.FeedSources;
import io.bloomgate.blocklists.fleet.published.Fleet;
import io.bloomgate.blocklists.format.FeedLimits;
import io.bloomgate.blocklists.generation.FilterCounters;
import io.bloomgate.blocklists.generation.KeptGenerations;
import io.bloomgate.blocklists.generation.KnownGood;
import io.bloomgate.blocklists.generation.ListSnapshot;
import io.bloomgate.blocklists.generation.LiveSnapshot;
import io.bloomgate.blocklists.generation.SelfTest;
import io.bloomgate.blocklists.generation.SnapshotStore;
import io.bloomgate.blocklists.operator.KnownGoodFiles;
import io.bloomgate.blocklists.operator.OperatorLists;
import io.bloomgate.blocklists.operator.OperatorListsException;
import io.bloomgate.blocklists.operator.OperatorView;
import io.bloomgate.blocklists.refresh.FeedLoop;
import io.bloomgate.blocklists.refresh.RefreshParts;
import io.bloomgate.blocklists.score.FeedActions;
import io.bloomgate.blocklists.senders.Breaker;
import io.bloomgate.blocklists.senders.KnownSenders;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.name.ListKind;
import io.bloomgate.config.name.Parsed;
import io.bloomgate.config.settings.Mode;
import io.bloomgate.config.settings.Publishers;
import io.bloomgate.config.settings.Settings;
import io.bloomgate.config.settings.yaml.Problem;
import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadFactory;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.ToLongFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The lists of a running gateway: generations on disk, the live one, the operator's entries, the
 * known senders, and the thread that keeps the feeds current. Opened and closed by the composition
 * root; asked by sessions and commands on their threads, so what every decision needs is kept
 * ready.
 */
public final class Blocklists implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(Blocklists.class);

  private final Path stateDir;
  private final Surroundings around;
  private final OperatorLists operator;
  private final OperatorView entries;
  private final SnapshotStore store;
  private final FeedSources sources;
  private final Fleet fleet;
  private final LiveSnapshot live = new LiveSnapshot();
  private final FilterCounters filters = new FilterCounters();
  private final KnownSenders senders;
  private final FeedStates states;
  private final Breaker breaker;
  private final FeedHealth health;
  private final FeedLoop feedLoop;
  private final RulesInForce rules;
  private final Thread thread;
  private volatile Set<String> disabled = Set.of();
  private volatile Map<String, Instant> lastSuccess = Map.of();

  /**
   * The services and sources that the lists take from the program around them.
   *
   * @param nanoTime monotonic time in nanoseconds
   * @param threads a factory of platform threads of that name, which should give way to mail;
   *     copying or hashing a large list would keep a virtual thread from mail for a second
   * @param alarm receives sentences for the operator
   */
  public record Surroundings(
      InstantSource clock,
      LongSupplier nanoTime,
      SecureRandom random,
      Function<String, ThreadFactory> threads,
      ToLongFunction<String> hits,
      Consumer<String> alarm) {

    /** The time of now and what passes from then on by {@code nanoTime}. */
    private InstantSource even() {
      Instant start = clock.instant();
      long startNanos = nanoTime.getAsLong();
      return () -> start.plusNanos(nanoTime.getAsLong() - startNanos);
    }

    private Executor executor(String name) {
      ThreadFactory factory = threads.apply(name);
      return task -> factory.newThread(task).start();
    }
  }

  private Blocklists(Path stateDir, ListRules ofFile, Surroundings around, OperatorLists operator)
      throws IOException {
    this.stateDir = stateDir;
    this.around = around;
    this.operator = operator;
    this.entries = operator.view();
    Executor fetching = around.executor("feed-fetch");
    senders = KnownSenders.open(stateDir.resolve(KnownSenders.FILE_NAME), around.alarm());
    states = FeedStates.open(stateDir, around.alarm());
    rules =
        new RulesInForce(
            ofFile,
            new FeedActions(states, around.alarm()),
            () -> disabled,
            entries::recipients,
            live,
            around.clock());
    breaker = new Breaker(states, around.alarm());
    sources = new FeedSources(fetching, around.nanoTime(), around.clock());
    fleet =
        Fleet.open(
            settings().fleet(),
            stateDir,
            sources,
            around.clock(),
            around.nanoTime(),
            around.alarm());
    store =
        SnapshotStore.open(
            stateDir.resolve(OfflineBlocklists.SNAPSHOTS),
            fleet.builder(around.random()),
            around.clock(),
            around.alarm());
    feedLoop =
        FeedLoop.open(
            new RefreshParts(
                stateDir,
                states,
                new RefreshParts.Rules(
                    this::settings,
                    () -> this.rules.now().guarded(),
                    () -> ListRules.allowed(operator, around.alarm()),
                    new KnownGood.Reader(KnownGoodFiles::read, KnownGoodFiles::stamp),
                    Publishers::builtIn),
                new RefreshParts.Fetching(sources, fleet, fetching),
                new RefreshParts.Lists(store, live),
                new RefreshParts.Time(around.clock(), around.even(), around.random()),
                new RefreshParts.GoodMail(senders, breaker),
                new RefreshParts.Operator(around.hits(), around.alarm(), this::remember)));
    health =
        new FeedHealth(
            feedLoop,
            live,
            store,
            states,
            breaker,
            new SelfTest(around.random(), problem -> LOG.error("{}", problem)),
            around.clock());
    remember();
    thread = around.threads().apply("feed-refresher").newThread(feedLoop);
    around.executor("lists-check").execute(this::verify);
  }

  /**
   * Opens what is stored and makes the last generation live; nothing is fetched before {@link
   * #start}.
   *
   * @param stateDir an existing directory that no other gateway uses
   * @throws OperatorListsException when the operator's lists cannot be used
   * @throws IOException when what is stored of feeds cannot be used
   */
  public static Blocklists open(Path stateDir, ListRules rules, Surroundings around)
      throws OperatorListsException, IOException {
    OperatorLists operator =
        OperatorLists.open(
            stateDir.resolve(OperatorLists.FILE_NAME),
            rules.listFiles(around.clock()),
            around.clock());
    operator.unwritable().ifPresent(around.alarm());
    try {
      return new Blocklists(stateDir, rules, around, operator);
    } catch (IOException | RuntimeException e) {
      operator.close();
      throw e;
    }
  }

  /** Verifies the live lists; a replacement may be older than the stored versions: build them. */
  private void verify() {
    if (store.verify(live)) {
      feedLoop.listsReplaced();
    }
  }

  /** Starts to fetch what is due. */
  public void start() {
    thread.start();
    fleet.serve(feedLoop.reports()::liveVersions, feedLoop::wake);
    fleet.start(around.threads().apply("fleet-versions"));
  }

  /** True when the feed-refresher thread has ended, or takes very long over one piece of work. */
  public boolean isLate() {
    return thread.getState() != Thread.State.NEW && (!thread.isAlive() || feedLoop.isLate());
  }

  /** The live generation. */
  public ListSnapshot snapshot() {
    return live.current();
  }

  /** Octets of the heap that the live generation needs, and another one that is built. */
  public long heapOctets() {
    return FeedLimits.heapOctets(live.current().manifest().entries());
  }

  /** The lists of this moment, for commands: not counted in the metrics. */
  public Lists lists() {
    return new Lists(live.current(), entries, lastSuccess).withKnown(senders::isKnown);
  }

  /** The lists of this moment, for mail: the metrics count what the filters answer. */
  public Lists listsForMail() {
    return new Lists(live.current(), entries, lastSuccess, senders::isKnown, filters);
  }

  /** The policy of the rules in use and of the feeds that are enabled. */
  public Policy policy() {
    return rules.policy();
  }

  /** Explains what happens to mail of a subject in this mode; {@code dns} asks DNS lists. */
  public Explainer explainer(
      Mode mode, Explainer.DnsAnswers dns, Explainer.GreylistAnswers greylist) {
    return new Explainer(context(lists(), mode, dns, greylist));
  }

  /**
   * Explains what the lists of a time mean for mail of a subject in this mode.
   *
   * @param at not in the future
   * @return a sentence that says from when on the lists are known, when they are not known of then
   */
  public Parsed<PastExplainer> explainerAt(Instant at, Mode mode) throws IOException {
    return KeptGenerations.of(stateDir.resolve(OfflineBlocklists.SNAPSHOTS))
        .at(at, live.current())
        .map(past -> {
          Lists then = new Lists(past.lists(), entries, Map.of()).withKnown(senders::isKnown);
          return new PastExplainer(
              context(then, mode, Explainer.DnsAnswers.NONE, Explainer.GreylistAnswers.NONE), past);
        });
  }

  private Explainer.Context context(
      Lists lists, Mode mode, Explainer.DnsAnswers dns, Explainer.GreylistAnswers greylist) {
    return new Explainer.Context(
        lists,
        policy(),
        mode,
        settings().policy().rejectAt(),
        false,
        around.clock().instant(),
        new Origins(
            stateDir,
            lists.snapshot().manifest(),
            rules.actions(),
            problem -> LOG.warn("{}", problem)),
        dns,
        greylist);
  }

  /** False while feeds are set and no generation is live. */
  public boolean loaded() {
    return live.current().generation() > 0 || settings().feeds().sources().isEmpty();
  }

  /** The {@code feeds} commands. */
  public FeedLoop feeds() {
    return feedLoop;
  }

  /** The operator's lists. */
  public OperatorLists operator() {
    return operator;
  }

  /** The rules for entries that a command of the operator adds now. */
  public EntryRules entryRules(Instant now) {
    return new EntryRules(rules.now(), policy().protectedSets(), entries, now);
  }

  /** Names what the own memory may not list, for one writing of its lists. */
  public NeverRemembered neverRemembered() {
    return new NeverRemembered(policy().protectedSets(), settings());
  }

  /** Counters of what the filters have answered to mail. */
  public FilterCounters filters() {
    return filters;
  }

  /** The state of the live generation, and how many entries the operator has. */
  public BlocklistsStatus status() {
    return BlocklistsStatus.of(
        live.current(),
        fleet.id(live.current()),
        operator.count(ListKind.ALLOW),
        operator.count(ListKind.BLOCK),
        health.tests().last());
  }

  /** The orders that {@code feeds promote} gave about feeds. */
  public RulesInForce promotions() {
    return rules;
  }

  /** The versions of feeds that this gateway shares with others of a fleet. */
  public Fleet sharedVersions() {
    return fleet;
  }

  /** The health of feeds and live lists. */
  public FeedHealth health() {
    return health;
  }

  /** Takes accepted mail that no list was against; sender and HELO name are empty if not kept. */
  public void accepted(IpAddress client, String sender, String helo, Instant at) {
    senders.accepted(client, sender, helo, at);
  }

  /**
   * Uses new rules from now on; none of the feeds or entries is lost when their files are broken.
   * Answers with the lines of list files that are not taken; {@code log} receives news of them.
   */
  public List<Problem> configure(ListRules fresh, Consumer<String> log) {
    rules.configure(fresh);
    List<Problem> badLines = fresh.useFiles(operator, around.clock(), log);
    remember();
    feedLoop.settingsChanged();
    return badLines;
  }

  /** Keeps ready what every decision needs. Called each second, and when a feed is disabled. */
  public void remember() {
    lastSuccess = Map.copyOf(feedLoop.reports().lastSuccess());
    disabled = Set.copyOf(feedLoop.disabledFeeds());
  }

  /** See {@link Breaker#note}. */
  public Optional<String> noteAlarm(String feed, String by) throws IOException {
    return breaker.note(feed, by, around.clock().instant());
  }

  /** Looks after the known senders: a chore that may block. */
  public void tendSenders() {
    senders.tend(around.clock().instant(), settings().feeds().guard().knownAfter(), around.alarm());
  }

  /** Asks {@link KnownSenders#isKnown}. */
  public boolean isKnown(IpAddress client) {
    return senders.isKnown(client);
  }

  @Override
  public void close() throws IOException, OperatorListsException {
    try {
      feedLoop.close();
      try {
        thread.join(); // at once where it was not started
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      sources.close();
      fleet.close();
      tendSenders();
      states.close();
      store.close();
    } finally {
      operator.close();
    }
  }

  /** The settings in force: those of the file, with the actions that were moved by evidence. */
  public Settings settings() {
    return rules.now().settings();
  }
}
