package io.bloomgate.blocklists.refresh;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.database.FeedStates;
import io.bloomgate.blocklists.fetch.FeedSources;
import io.bloomgate.blocklists.generation.KnownGood;
import io.bloomgate.blocklists.generation.ListAnswer;
import io.bloomgate.blocklists.generation.LiveSnapshot;
import io.bloomgate.blocklists.generation.SnapshotBuilder;
import io.bloomgate.blocklists.generation.SnapshotStore;
import io.bloomgate.blocklists.guard.ProtectedSet;
import io.bloomgate.blocklists.refresh.FeedCommands.ActResult;
import io.bloomgate.blocklists.refresh.FeedCommands.OtherNodeAct;
import io.bloomgate.blocklists.refresh.FeedCommands.RefreshResult;
import io.bloomgate.blocklists.senders.Breaker;
import io.bloomgate.blocklists.senders.KnownSenders;
import io.bloomgate.config.name.DomainName;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.name.ListKey;
import io.bloomgate.config.name.MailAddress;
import io.bloomgate.config.name.Subject;
import io.bloomgate.config.settings.Publishers;
import io.bloomgate.config.settings.Settings;
import io.bloomgate.config.settings.SettingsFile;
import io.bloomgate.config.settings.SettingsResult;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.FutureTask;

/**
 * A feed-refresher with everything real but the clock, for the tests of this package. Its thread is
 * that of the test, which calls {@code tick} and gives commands.
 */
public final class RefreshStage implements AutoCloseable {

  private final ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor();
  private final FeedSources sources = new FeedSources(executor, System::nanoTime, () -> this.now);
  final SnapshotStore snapshots;
  final List<String> alarms = new ArrayList<>();
  public final KnownSenders senders;
  private final FeedStates states;
  final Breaker breaker;
  public final LiveSnapshot live = new LiveSnapshot();
  final RefreshParts parts;
  public final FeedLoop loop;
  public Settings settings;
  List<ProtectedSet> protectedSets = List.of();
  Publishers publishers = Publishers.NONE;
  public List<Subject> allowed = List.of();
  public KnownGood.Reader goodFiles = new KnownGood.Reader((_, _) -> KnownGood.NONE, _ -> "");
  Instant now;
  private Instant even;
  int disabledChanges;

  /**
   * @param sourcesYaml lines {@code NAME: {...}} of {@code feeds.sources}
   */
  public RefreshStage(Path stateDir, Instant now, String... sourcesYaml) throws IOException {
    this(stateDir, now, Duration.ofMinutes(1), sourcesYaml);
  }

  /**
   * @param patience of the feeds that are ready with those that are late
   */
  public RefreshStage(Path stateDir, Instant now, Duration patience, String... sourcesYaml)
      throws IOException {
    this(stateDir, now, patience, new SnapshotBuilder(new SplittableRandom(42)), sourcesYaml);
  }

  public RefreshStage(
      Path stateDir, Instant now, Duration patience, SnapshotBuilder builder, String... sourcesYaml)
      throws IOException {
    this(stateDir, now, patience, builder, FleetFeeds.NONE, sourcesYaml);
  }

  /** A node of a fleet. */
  public RefreshStage(
      Path stateDir,
      Instant now,
      Duration patience,
      SnapshotBuilder builder,
      FleetFeeds fleet,
      String... sourcesYaml)
      throws IOException {
    this.now = now;
    this.settings = settings(sourcesYaml);
    this.snapshots =
        SnapshotStore.open(stateDir.resolve("snapshots"), builder, () -> this.now, alarms::add);
    this.even = now;
    this.senders = KnownSenders.open(stateDir.resolve(KnownSenders.FILE_NAME), alarms::add);
    this.states = FeedStates.open(stateDir, alarms::add);
    this.breaker = new Breaker(states, alarms::add);
    this.parts =
        new RefreshParts(
            stateDir,
            states,
            new RefreshParts.Rules(
                () -> this.settings,
                () -> this.protectedSets,
                () -> this.allowed,
                new KnownGood.Reader(
                    (places, problems) -> this.goodFiles.read().apply(places, problems),
                    places -> this.goodFiles.stamp().apply(places)),
                () -> this.publishers),
            new RefreshParts.Fetching(sources, fleet, executor),
            new RefreshParts.Lists(snapshots, live),
            new RefreshParts.Time(() -> this.now, () -> this.even, new SplittableRandom(1)),
            new RefreshParts.GoodMail(senders, breaker),
            new RefreshParts.Operator(name -> 7, alarms::add, () -> disabledChanges++));
    this.loop = FeedLoop.open(parts, patience);
  }

  public static Settings settings(String... sourcesYaml) {
    return settingsWith("", sourcesYaml);
  }

  /**
   * The same with more lines of the top level.
   *
   * @param moreYaml whole lines
   */
  public static Settings settingsWith(String moreYaml, String... sourcesYaml) {
    return settings(moreYaml, "", sourcesYaml);
  }

  /** The same with one more key of {@code feeds}. */
  static Settings settingsOfFeeds(String key, String... sourcesYaml) {
    return settings("", "  " + key + "\n", sourcesYaml);
  }

  private static Settings settings(String moreYaml, String ofFeeds, String... sourcesYaml) {
    StringBuilder yaml =
        new StringBuilder("domains: [own.example]\ndownstream: {host: 192.0.2.25}\n");
    yaml.append(moreYaml).append("feeds:\n");
    yaml.append(ofFeeds);
    yaml.append("  refresh_jitter: 10%\n  keep_generations: 3\n  sources:\n");
    for (String source : sourcesYaml) {
      yaml.append("    ").append(source).append('\n');
    }
    if (sourcesYaml.length == 0) {
      yaml.append("    {}\n");
    }
    return switch (SettingsFile.parse("test", yaml.toString(), Map.of(), () -> "mx.example")) {
      case SettingsResult.Loaded loaded -> loaded.settings();
      case SettingsResult.Invalid invalid -> throw new AssertionError(invalid.problems());
    };
  }

  /** {@code feeds refresh}. */
  public RefreshResult refresh(List<String> names, boolean all, boolean force) {
    return served(() -> loop.refresh(names, all, force, _ -> {}));
  }

  /** {@code feeds refresh --force FEED}. */
  public RefreshResult force(String feed) {
    return refresh(List.of(feed), false, true);
  }

  /** {@code feeds accept} of root. */
  public ActResult accept(String feed) {
    return served(() -> loop.accept(feed, "root", _ -> {}));
  }

  /** {@code feeds rollback} of root; 0 for the version before. */
  public ActResult rollback(String feed, long to) {
    return served(() -> loop.rollback(feed, to == 0 ? null : to, "root", _ -> {}));
  }

  /** What was done on another node. */
  ActResult follow(OtherNodeAct act) {
    return served(() -> loop.follow(act));
  }

  /** Gives a command to the loop, and does the loop's work here until the command has its end. */
  private <T> T served(Callable<T> command) {
    FutureTask<T> asked = new FutureTask<>(command);
    executor.execute(asked);
    try {
      while (!asked.isDone()) {
        loop.step(Duration.ofMillis(1));
      }
      return asked.get();
    } catch (InterruptedException | ExecutionException e) {
      throw new AssertionError(e);
    }
  }

  /** What {@code feeds show} says of each version, newest first: {@code 3 live}. */
  List<String> versions(String feed) {
    return show(feed).versions().stream().map(v -> v.number() + " " + v.status()).toList();
  }

  void pass(Duration time) {
    now = now.plus(time);
    even = time.isNegative() ? even : even.plus(time);
  }

  /** Lets this time pass, and does what is due then. */
  void tickAfter(Duration time) throws InterruptedException {
    pass(time);
    loop.tick();
  }

  /** Reloads settings with these sources, and does what is due then. */
  void change(String... sourcesYaml) throws InterruptedException {
    settings = settings(sourcesYaml);
    loop.settingsChanged();
    loop.tick();
  }

  public boolean listsIp(String address) {
    return lists(IpAddress.parse(address).toOptional().orElseThrow());
  }

  public boolean listsName(String name) {
    return lists(DomainName.parse(name).toOptional().orElseThrow());
  }

  /** The same for a whole mail address. */
  boolean listsMailbox(String address) {
    return lists(MailAddress.parse(address).toOptional().orElseThrow());
  }

  boolean lists(ListKey key) {
    return live.current().ask(key) instanceof ListAnswer.Listed listed
        && !listed.listings().isEmpty();
  }

  public String state(String feed) {
    return line(feed).state().key();
  }

  FeedStatus line(String feed) {
    return loop.list().stream().filter(s -> s.feed().equals(feed)).findFirst().orElseThrow();
  }

  /** What {@code feeds show} knows. */
  public FeedStatus.Details show(String feed) {
    return loop.show(feed).orElseThrow();
  }

  public String problem(String feed) {
    String problem = line(feed).problem();
    return problem == null ? "" : problem;
  }

  /** The problem of a feed has this in its words. */
  void assertProblem(String feed, String words) {
    assertTrue(problem(feed).contains(words), problem(feed));
  }

  @Override
  public void close() throws IOException {
    loop.close();
    sources.close();
    executor.shutdownNow();
    states.close();
    snapshots.close();
  }
}
