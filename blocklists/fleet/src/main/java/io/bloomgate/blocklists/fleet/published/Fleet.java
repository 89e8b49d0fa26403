package io.bloomgate.blocklists.fleet.published;

import io.bloomgate.blocklists.fetch.FeedSource;
import io.bloomgate.blocklists.fetch.FeedSources;
import io.bloomgate.blocklists.fetch.FeedSources.FetchMeter;
import io.bloomgate.blocklists.file.DurableFiles;
import io.bloomgate.blocklists.file.Keying;
import io.bloomgate.blocklists.generation.ListSnapshot;
import io.bloomgate.blocklists.generation.SnapshotBuilder;
import io.bloomgate.blocklists.refresh.FeedReports.LiveVersion;
import io.bloomgate.blocklists.refresh.FleetFeeds;
import io.bloomgate.config.fault.Faults;
import io.bloomgate.config.settings.FleetKeyFiles;
import io.bloomgate.config.settings.FleetSettings;
import io.bloomgate.config.settings.Settings.Feeds.Source;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The versions of feeds that the nodes of a fleet have in common, and how all build the same of
 * them; a gateway that is alone shares none. {@link #run} is the loop of the fleet's thread, which
 * publishes or looks; the feed-refresher and commands ask on their threads. The settings of the
 * fleet count from the start on.
 */
public final class Fleet implements FleetFeeds, Runnable, AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(Fleet.class);

  /** The folder of the fleet's state below the state directory. */
  private static final String DIRECTORY = "fleet";

  static final String WORK = "work";

  /** A folder is looked at again after this time. */
  private static final Duration SOON = Duration.ofSeconds(1);

  private static final long NOT_LEADING = -1;

  private static final FleetSettings ALONE =
      new FleetSettings(
          "",
          FleetSettings.Role.FOLLOWER,
          null,
          "",
          null,
          null,
          null,
          null,
          null,
          Duration.ofDays(1),
          false);

  private final FleetSettings settings;
  private final InstantSource clock;
  private final Consumer<String> alarm;
  private final @Nullable Publisher publisher;
  private final @Nullable Follower follower;
  private final BlockingQueue<Boolean> bell = new ArrayBlockingQueue<>(1);

  /** Number of the lease that this node leads with; 0 where the settings say so. */
  private volatile long lease;

  private volatile boolean stopped;
  private volatile String problem = "";
  private volatile @Nullable ListSums last;
  private volatile Supplier<List<LiveVersion>> live = List::of;
  private volatile Runnable news = () -> {};

  /** The seed of the indexes on all nodes; empty without a secret that all have. */
  private final Optional<Keying> seed;

  private @Nullable Thread thread;

  private Fleet(
      FleetSettings settings,
      Path directory,
      FeedSources sources,
      InstantSource clock,
      LongSupplier nanoTime,
      Consumer<String> alarm)
      throws IOException {
    this.settings = settings;
    this.clock = clock;
    this.alarm = alarm;
    this.lease = settings.role() == FleetSettings.Role.LEADER ? 0 : NOT_LEADING;
    Path secret = settings.secret();
    this.seed = secret == null ? Optional.empty() : Optional.of(FleetSecret.read(secret).seed());
    this.publisher =
        settings.mayLead()
            ? new Publisher(
                Objects.requireNonNull(settings.publish()),
                FleetKeyFiles.privateKey(Objects.requireNonNull(settings.privateKey())))
            : null;
    this.follower =
        settings.mayFollow()
            ? new Follower(
                Objects.requireNonNull(settings.generations()),
                sources,
                FleetKeyFiles.publicKey(Objects.requireNonNull(settings.publicKey())),
                settings.every(),
                directory,
                nanoTime,
                alarm)
            : null;
  }

  /**
   * Opens the fleet's state; nothing is asked or published before {@link #start}.
   *
   * @param settings {@code null} for a gateway that is alone, which shares no versions
   * @throws IOException when a key or the state cannot be used
   */
  public static Fleet open(
      @Nullable FleetSettings settings,
      Path stateDir,
      FeedSources sources,
      InstantSource clock,
      LongSupplier nanoTime,
      Consumer<String> alarm)
      throws IOException {
    Path directory = stateDir.resolve(DIRECTORY);
    if (settings != null && (settings.mayLead() || settings.mayFollow())) {
      DurableFiles.ensurePrivateDirectory(directory);
      DurableFiles.deleteTree(directory.resolve(WORK));
      DurableFiles.createPrivateDirectory(directory.resolve(WORK));
    }
    return new Fleet(
        settings == null ? ALONE : settings, directory, sources, clock, nanoTime, alarm);
  }

  /** Builds the same of the same entries on all nodes; alone, with another seed each time. */
  public SnapshotBuilder builder(SecureRandom random) {
    return seed.map(SnapshotBuilder::new).orElseGet(() -> new SnapshotBuilder(random));
  }

  /**
   * The id that nodes compare; empty for a gateway without a fleet's secret, whose seeds are
   * random.
   */
  public String id(ListSnapshot snapshot) {
    return seed.isPresent() ? snapshot.manifest().id() : "";
  }

  /**
   * Says what the loop works with; called once, before {@link #start}.
   *
   * @param versions that are live now; none while there is no generation
   * @param changed called on the fleet's thread when the leader has something else
   */
  public void serve(Supplier<List<LiveVersion>> versions, Runnable changed) {
    this.live = versions;
    this.news = changed;
  }

  /** Starts to publish, or to look what the leader published, where versions are shared. */
  public void start(ThreadFactory threads) {
    if (publisher != null || follower != null) {
      thread = threads.newThread(this);
      thread.start();
    }
  }

  /**
   * Makes this node lead from now on, or not, with role auto; where the settings name the leader,
   * nothing changes.
   *
   * @param number of its lease, 0 when it holds none
   */
  public void lead(long number) {
    if (settings.role() == FleetSettings.Role.AUTO) {
      lease = number == 0 ? NOT_LEADING : number;
      wake();
    }
  }

  /** The highest number of what leaders published. */
  public long highestNumber() {
    long published = publisher == null ? 0 : publisher.last();
    return Math.max(published, sums().map(ListSums::number).orElse(0L));
  }

  private boolean leading() {
    return lease != NOT_LEADING;
  }

  /** Looks or publishes at once: somebody says that there is something new. */
  public void wake() {
    bell.offer(true);
  }

  @Override
  public void run() {
    while (!stopped) {
      Duration rest = settings.every();
      try {
        rest = step();
      } catch (RuntimeException | Error e) {
        LOG.error("the fleet's thread failed unexpectedly", e);
        report("the fleet's thread failed unexpectedly, see the log");
      }
      try {
        bell.poll(rest.toMillis(), TimeUnit.MILLISECONDS);
      } catch (InterruptedException e) {
        stopped = true;
      }
    }
  }

  /** One look or publication; how long the loop rests then. */
  Duration step() {
    long term = lease;
    if (term != NOT_LEADING && publisher != null) {
      publish(publisher, term);
    } else if (follower != null) {
      if (follower.look()) {
        news.run();
      }
      return pause();
    }
    return settings.every();
  }

  private Duration pause() {
    boolean folder = Objects.requireNonNull(settings.generations()).startsWith("/");
    return folder && settings.every().compareTo(SOON) > 0 ? SOON : settings.every();
  }

  private void publish(Publisher to, long term) {
    List<LiveVersion> versions = live.get();
    if (versions.isEmpty()) {
      return;
    }
    try {
      ListSums sums =
          to.publish(versions, term, settings.node(), clock.instant(), settings.every());
      last = sums;
      if (follower != null) {
        follower.published(sums, to.signed(sums));
      }
      problem = "";
    } catch (FileSystemException e) {
      report(
          "nothing can be published for the fleet: "
              + Faults.words(e)
              + "; check space and owner of fleet.publish");
    } catch (IOException e) {
      report("nothing can be published for the fleet: " + Faults.words(e));
    }
  }

  /** The alarm is raised once until it works again. */
  private void report(String why) {
    if (!why.equals(problem)) {
      problem = why;
      alarm.accept(why);
    }
  }

  private Optional<ListSums> sums() {
    return follower == null ? Optional.ofNullable(last) : follower.sums();
  }

  /**
   * A publication of a leader.
   *
   * @param number rises with each
   * @param node name of the leader
   * @param time of the leader's clock
   */
  public record Published(long number, String node, Instant time) {}

  /** The newest publication that this node made or took; empty before the first. */
  public Optional<Published> published() {
    return sums().map(s -> new Published(s.number(), s.node(), s.time()));
  }

  /** Sentences for the operator; none while all is well. */
  public List<String> alarms() {
    Follower following = leading() ? null : follower;
    String why = following == null ? problem : following.problem();
    return why.isEmpty() ? List.of() : List.of("fleet: " + why);
  }

  @Override
  public boolean covers(String feed) {
    Follower following = leading() ? null : follower;
    return following != null
        && following.isLed()
        && following.sums().map(sums -> sums.feed(feed).isPresent()).orElse(true);
  }

  @Override
  public String state(String feed) {
    return Optional.ofNullable(follower)
        .flatMap(Follower::sums)
        .flatMap(sums -> sums.feed(feed))
        .map(ListSums.Feed::mark)
        .orElse("");
  }

  @Override
  public Optional<FeedSource> source(Source feed, FetchMeter meter) {
    return Optional.ofNullable(follower)
        .flatMap(f -> f.feed(feed.name(), feed.staleAfter(), meter));
  }

  @Override
  public void wentLive() {
    if (leading()) {
      wake();
    }
  }

  /** Ends the thread; the caller closes the sources first, so that no transfer keeps it. */
  @Override
  public void close() {
    stopped = true;
    wake();
    Thread running = thread;
    if (running != null) {
      try {
        running.join();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
